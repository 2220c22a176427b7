# SPDX-License-Identifier: MIT
"""The chips that the library knows, and their registers."""
from __future__ import annotations

import ctypes
import dataclasses
from typing import Any, Iterator, Optional, Union

from . import _structs as s
from ._native import call, lib, number, string, text
from .errors import ArgumentError


@dataclasses.dataclass(frozen=True)
class Chip:
    """A chip, as struct pfifo_chip_info has it."""

    name: str
    generation: str
    id: int
    boot0: int
    channels: int
    cache_entries: int
    pbdmas: int
    host_class: int
    vram_bytes: int
    runs: bool
    draws: bool
    bar1_bytes: int


@dataclasses.dataclass(frozen=True)
class Register:
    """A register or an array of them: see struct pfifo_register."""

    unit: str
    name: str
    offset: int
    count: int
    stride: int
    readable: int
    writable: int
    reset: int
    computed: bool
    write_acts: bool
    read_acts: bool
    is_time: bool
    fields: Optional[str]


ChipLike = Union[Chip, str, int]


def chip_of(pointer: int) -> Chip:
    """The chip that a pointer of the library is."""
    info = lib.pfifo_chip_info(pointer)
    return Chip(**{f.name: string(v) if isinstance(v := getattr(info, f.name), bytes) else v
                   for f in dataclasses.fields(Chip)})


def pointer_of(which: ChipLike) -> int:
    """The library's own pointer, which lives as long as the program."""
    if isinstance(which, Chip):
        which = which.name
    if isinstance(which, str):
        found = lib.pfifo_chip_by_name(text(which, "a chip"))
    elif isinstance(which, int) and not isinstance(which, bool):
        found = lib.pfifo_chip_by_id(number(which, 32, "a chip"))
    else:
        raise TypeError(f"a chip is a Chip, a name or a number, not {type(which).__name__}")
    if found is None:
        shown = which if isinstance(which, str) else hex(which)
        raise ArgumentError(f"there is no chip {shown}")
    return int(found)


def chip(which: ChipLike) -> Chip:
    """A chip by name ("NV40", "gm107") or chipset number (0x117)."""
    return chip_of(pointer_of(which))


def chips() -> list[Chip]:
    """All chips, in the order of introduction."""
    return [chip_of(lib.pfifo_chip_at(index)) for index in range(lib.pfifo_chip_count())]


def registers_at(tables: Any) -> Iterator[Register]:
    """The registers of tables that the library has."""
    found = s.Register()
    index = 0
    while lib.pfifo_registers_at(tables, index, ctypes.byref(found)):
        yield Register(**{f.name: string(v) if isinstance(v := getattr(found, f.name), bytes) else v
                          for f in dataclasses.fields(Register)})
        index += 1


def registers(which: ChipLike) -> list[Register]:
    """The registers of a chip that the model has, sorted by offset; fewer for a chip that cannot be run."""
    tables = call(lib.pfifo_registers_new, pointer_of(which))
    try:
        return list(registers_at(tables))
    finally:
        lib.pfifo_registers_free(tables)
