# SPDX-License-Identifier: MIT
"""Decoded lines as objects, and the assembler."""
from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import json
import operator
import tempfile
import warnings
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional

from . import _structs as s
from ._native import Guard, call, collect, content, lib, number, text
from .chip import Chip, ChipLike, pointer_of
from .query import QueryLike, query_of

JSON = 1
SPOOL_BYTES = 16 << 20  # of the lines that wait in memory; more are in a temporary file


@dataclasses.dataclass(frozen=True)
class Line:
    """
    A line of the decoder: a word, or what goes before it. `event` says what it is: "method", "header", "segment" ...
    What an event does not have is None. docs/json.schema.json describes each; `object_class` is "class" there, which
    Python keeps for itself.
    """

    event: str
    channel: int
    file: Optional[str] = None
    submission: Optional[int] = None
    address: Optional[int] = None
    word: Optional[int] = None
    form: Optional[str] = None
    syncpoint: Optional[int] = None
    value: Optional[int] = None
    object: Optional[int] = None
    point: Optional[int] = None
    segments: Optional[int] = None
    low: Optional[int] = None
    high: Optional[int] = None
    target: Optional[int] = None
    words: Optional[int] = None
    no_prefetch: Optional[bool] = None
    subchannel: Optional[int] = None
    object_class: Optional[int] = None
    class_name: Optional[str] = None
    method: Optional[int] = None
    name: Optional[str] = None
    count: Optional[int] = None
    data: Optional[int] = None
    fields: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    discarded: Optional[bool] = None
    mask: Optional[int] = None
    text: Optional[str] = None
    op: Optional[str] = None  # in lines of pfifo diff --json only: "-", "+", "="


def line_of(encoded: bytes) -> Line:
    """A line of the JSON as an object."""
    values = json.loads(encoded)
    if "class" in values:
        values["object_class"] = values.pop("class")
    return Line(**values)


def options_of(query: Any, before: int, after: int) -> s.DecodeOptions:
    """What all ways to decode have in common."""
    return s.DecodeOptions(size=ctypes.sizeof(s.DecodeOptions), format=JSON, query=query,
                           before=number(before, 32, "before"), after=number(after, 32, "after"))


def lines_of(decode: Callable[[Any], Any]) -> Iterator[Line]:
    """The lines that decode(write) writes. They are made first and parsed one by one."""
    guard = Guard()
    with tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES) as spool:
        failure = None
        try:
            decode(collect(spool.write, guard))
        except Exception as reason:  # what was written before it comes first
            guard.check()
            failure = reason
        spool.seek(0)
        for encoded in spool:
            yield line_of(encoded)
        if failure is not None:
            raise failure


def _bytes_of(words: Any) -> bytes:
    """Words as bytes: a buffer as it is (an array("I") too), or integers."""
    with contextlib.suppress(TypeError):
        return content(words)
    if isinstance(words, (int, str)):
        raise TypeError(f"words are bytes or integers, not {type(words).__name__}")
    return b"".join(number(word, 32, "a word").to_bytes(4, "little") for word in words)


def _in_order(chip: Any, words: Any) -> tuple[Any, Any]:
    """Chip and words. Words came first once: a chip is a Chip, a name or a number, and words are neither."""
    if isinstance(words, (Chip, str, int)) and not isinstance(chip, (Chip, str, int)):
        warnings.warn("decode_words() takes the chip before the words", DeprecationWarning, stacklevel=3)
        return words, chip
    return chip, words


def decode_words(chip: ChipLike, words: Any, *, base: int = 0, ib: bool = False, bound: Optional[Mapping[int, int]] = None,
                 query: QueryLike = None, before: int = 0, after: int = 0) -> Iterator[Line]:
    """
    Decode words without a capture: bytes, little endian, or integers. `base` is the address of the first, `ib` makes it
    an IB segment on G80 to MCP89, `bound` has classes by subchannel. `query`, `before` and `after` choose lines as
    Capture.decode() does.
    """
    chip, words = _in_order(chip, words)
    data, pointer = _bytes_of(words), pointer_of(chip)
    compiled = query_of(query)
    options = options_of(None, before, after)
    options.chip, options.base, options.ib = pointer, number(base, 64, "base"), bool(ib)
    for subchannel, oclass in (bound or {}).items():
        if not 0 <= operator.index(subchannel) < 8:
            raise ValueError(f"there is no subchannel {subchannel}")
        options.bound[subchannel] = number(oclass, 32, "a class")

    def decode(write: Any) -> None:
        with contextlib.ExitStack() as stack:
            options.query = stack.enter_context(compiled._use()) if compiled else None
            call(lib.pfifo_decode_raw, data, len(data), ctypes.byref(options), write, None)

    return lines_of(decode)


def assemble(chip: ChipLike, commands: str | Iterable[str]) -> list[int]:
    """Words of commands such as 'inc 0 FERMI_A.SET_OBJECT 0x9097', one in a line; see pfifo_assemble()."""
    pointer = pointer_of(chip)
    source = text(commands if isinstance(commands, str) else "\n".join(commands), "commands")
    count = ctypes.c_size_t()
    call(lib.pfifo_assemble, pointer, source, None, 0, ctypes.byref(count))
    words = (ctypes.c_uint32 * count.value)()
    call(lib.pfifo_assemble, pointer, source, words, len(words), ctypes.byref(count))
    return list(words)
