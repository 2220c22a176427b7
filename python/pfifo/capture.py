# SPDX-License-Identifier: MIT
"""Captures: recordings of what a driver hands to the kernel, as docs/capture-format.md describes them."""
from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import os
from typing import Any, Iterator, Mapping, Optional, Union

from . import _structs as s
from ._native import Handle, call, content, lib, text
from .chip import Chip, ChipLike, chip, pointer_of
from .decode import Line, lines_of, options_of
from .errors import ArgumentError, BusyError
from .query import QueryLike, query_of

END = 0


@dataclasses.dataclass(frozen=True)
class Record:
    """A record of a capture: `type` is "SUBMIT", "PUSH" ..., or "unknown"; `values` has what it says, by the header's names."""

    type: str
    number: int
    offset: int
    payload: bytes = dataclasses.field(repr=False)
    values: Mapping[str, Any] = dataclasses.field(default_factory=dict)


def _values(native: s.StreamRecord) -> dict[str, Any]:
    if not 1 <= native.type <= len(s.RECORDS):
        return {}
    member = getattr(native, s.RECORDS[native.type - 1][0])
    values: dict[str, Any] = {name: getattr(member, name) for name, *_ in member._fields_}
    if isinstance(member, s.StreamText):
        return {"key": _string(member.key, member.key_bytes), "value": _string(member.value, member.value_bytes)}
    if isinstance(member, (s.StreamBodata, s.StreamWrite)):
        values["data"] = ctypes.string_at(member.data, values.pop("bytes")) if member.data else b""
    if isinstance(member, s.StreamPush):
        values["words"] = ctypes.string_at(member.words, 4 * values.pop("word_count")) if member.words else b""
    return values


def _string(data: Optional[int], count: int) -> str:
    return ctypes.string_at(data, count).decode("utf-8", "replace") if data and count else ""


class Capture(Handle):
    """
    A capture: a path (plain, .gz, .xz or .zst), or bytes that are in memory. Iterating gives its decoded lines. Files
    of other programs are read as captures, too: frames of RPCS3, logs of xemu (docs/texts.md).

    A capture is at one place at a time: who begins to iterate over its records takes it away from who did before, which
    raises BusyError there.
    """

    def __init__(self, source: Union[str, os.PathLike[str], bytes, bytearray, memoryview], name: str = "capture") -> None:
        super().__init__()
        self._turn = self._replays = 0
        self._left: Optional[int] = None
        if isinstance(source, (bytes, bytearray, memoryview)):
            data = content(source)
            self._pointer = call(lib.pfifo_foreign_open_memory, data, len(data), text(name, "a name"))
        else:
            path = os.fsencode(source)
            if b"\0" in path:
                raise ValueError("a path has a zero character in it")
            self._pointer = call(lib.pfifo_foreign_open, path)

    def _free(self, pointer: int) -> None:
        self._left = pointer
        self._end()

    def _end(self) -> None:
        """Free what is closed, as soon as no replay needs it."""
        if self._left is not None and not self._replays:
            lib.pfifo_stream_close(self._left)
            self._left = None

    def _hold(self) -> None:
        self._replays += 1

    def _release(self) -> None:
        with self._lock:
            self._replays -= 1
            self._end()

    @contextlib.contextmanager
    def _read(self, turn: int) -> Iterator[int]:
        """For who goes on to read."""
        with self._use() as pointer:
            if turn != self._turn:
                raise BusyError("somebody else reads this capture now")
            yield pointer

    @property
    def name(self) -> str:
        """Without folders and endings."""
        with self._use(inside=True) as pointer:
            return str(lib.pfifo_stream_name(pointer).decode("utf-8", "replace"))

    @property
    def chip(self) -> Chip:
        """The chip that it names. ArgumentError: it names none that is known."""
        with self._use(inside=True) as pointer:
            number = int(lib.pfifo_stream_chipset(pointer))
        if not number:
            raise ArgumentError(f"{self.name}: the capture does not name its chipset")
        return chip(number)

    @property
    def version(self) -> int:
        """Of the container: 1 or 2."""
        with self._use(inside=True) as pointer:
            return int(lib.pfifo_stream_version(pointer))

    @property
    def truncated(self) -> bool:
        """Was it cut off while it was written?"""
        with self._use(inside=True) as pointer:
            return bool(lib.pfifo_stream_truncated(pointer))

    def __len__(self) -> int:
        """Bytes of the decompressed file."""
        with self._use(inside=True) as pointer:
            return int(lib.pfifo_stream_bytes(pointer))

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return "Capture(closed)" if self.closed else f"Capture({self.name!r})"

    def _rewind(self) -> int:
        with self._use() as pointer:
            lib.pfifo_stream_rewind(pointer)
            self._turn += 1
            return self._turn

    def records(self) -> Iterator[Record]:
        """Its records from the first on. FormatError names the place of what is malformed."""
        turn = self._rewind()
        native = s.StreamRecord()
        while True:
            with self._read(turn) as pointer:
                call(lib.pfifo_stream_next, pointer, ctypes.byref(native))
                if native.type == END:
                    return
                known = 1 <= native.type <= len(s.RECORDS)
                payload = ctypes.string_at(native.payload, native.payload_bytes) if native.payload_bytes else b""
                record = Record(s.RECORDS[native.type - 1][0].upper() if known else "unknown", native.number,
                                native.offset, payload, _values(native))
            yield record

    def decode(self, query: QueryLike = None, *, before: int = 0, after: int = 0, chip: Optional[ChipLike] = None,
               old_forms: bool = False) -> Iterator[Line]:
        """
        Its decoded lines: all, or those that match a query, with so many before and after each. `chip` instead of the
        one that it names; `old_forms`: the channels allow commands of NV4's form (GF100 to GP10x). A malformed capture
        raises FormatError behind the last line that is good.
        """
        compiled = query_of(query)
        options = options_of(None, before, after)
        options.chip = None if chip is None else pointer_of(chip)
        options.old_forms = bool(old_forms)
        self._rewind()

        def decode(write: Any) -> None:
            self._rewind()
            with contextlib.ExitStack() as stack:
                pointer = stack.enter_context(self._use())
                options.query = stack.enter_context(compiled._use()) if compiled else None
                call(lib.pfifo_decode_stream, pointer, ctypes.byref(options), write, None)

        return lines_of(decode)

    def __iter__(self) -> Iterator[Line]:
        return self.decode()
