# SPDX-License-Identifier: MIT
"""Compiled programs: what a cubin, a fatbin or words of code say."""
from __future__ import annotations

import ctypes
import dataclasses
import os
import pathlib
from typing import Any, Iterator, Optional, Union

from . import _structs as s
from ._native import DISASM, Guard, call, content, lib, number, string, text
from .chip import Chip, ChipLike, chip_of, pointer_of


@dataclasses.dataclass(frozen=True)
class Item:
    """
    Something that a program's file says. `kind` is "program", "skipped", "section", "constants", "function", "control" or
    "instruction"; what a kind does not have is 0 or None. include/pfifo/disasm.h says what each has.
    """

    kind: str
    name: Optional[str] = None
    text: Optional[str] = None
    chip: Optional[Chip] = None
    sm: int = 0
    index: int = 0
    bank: int = 0
    address: int = 0
    offset: int = 0
    size: int = 0
    word: int = 0
    data: Optional[bytes] = None
    registers: int = 0
    barriers: int = 0
    shared_bytes: int = 0
    local_bytes: int = 0
    parameters_at: int = 0
    parameters_bytes: int = 0
    is_kernel: bool = False
    has_sections: bool = False


def _item_of(event: Any) -> Item:
    values = {field.name: getattr(event, field.name) for field in dataclasses.fields(Item)}
    values["kind"] = string(lib.pfifo_disasm_kind_name(event.kind))
    values["name"], values["text"] = string(event.name), string(event.text)
    values["chip"] = chip_of(event.chip) if event.chip else None
    values["data"] = ctypes.string_at(event.data, event.size) if event.data else None
    return Item(**values)


def disassemble(program: Union[str, "os.PathLike[str]", bytes], chip: Optional[ChipLike] = None, *, base: int = 0,
                raw: bool = False) -> Iterator[Item]:
    """
    Go through a compiled program: a path, or bytes. `chip` is needed for words, in a text or `raw`, the first of them at
    `base`; an ELF says for which chip it is. Errors are raised after the items that were found before them.
    """
    if isinstance(program, (str, os.PathLike)):
        data, name = pathlib.Path(program).read_bytes(), os.fspath(program)
    else:
        data, name = content(program), "program"
    items: list[Item] = []
    guard = Guard()
    sink = DISASM(guard.function(lambda event: items.append(_item_of(event.contents))))
    options = s.DisasmOptions(size=ctypes.sizeof(s.DisasmOptions), chip=pointer_of(chip) if chip is not None else None,
                              name=text(name, "a path"), base=number(base, 64, "base"), raw=bool(raw))
    failure = None
    try:
        call(lib.pfifo_disasm, data, len(data), ctypes.byref(options), sink, None)
    except Exception as reason:  # what was found before it comes first
        failure = reason
    guard.check()
    yield from items
    if failure is not None:
        raise failure
