# SPDX-License-Identifier: MIT
"""
The buffers of a replay, by the handles of the recording.

A page may hold words of the CPU and of the GPU. Only bytes that differ from those recorded before are written, so that
what the GPU wrote here stays.
"""
from __future__ import annotations

import ctypes
import re
from typing import Any, Iterator, Optional

from . import _structs as s
from ._native import call, lib
from .errors import FormatError

PAGE = 4096
VRAM, GART = 2, 4
DIFFERENT = re.compile(rb"[^\0]+")
MOST_BYTES = 1 << 40  # of all buffers that ever were: the driver enters them page by page


class _Page:
    """The recorded contents of a page."""

    def __init__(self) -> None:
        self.contents = bytearray(PAGE)
        self.dumped: Optional[int] = None  # in this submission, by BODATA
        self.pushed: Optional[int] = None  # `known` is of this submission
        self.known: set[int] = set()  # offsets of words

    def contradicts(self, at: int, words: bytes, submission: int) -> bool:
        """Has the submission other words there already?"""
        part = self.contents[at : at + len(words)]
        if part == words:
            return False
        if self.dumped == submission:
            return True
        known = self.known if self.pushed == submission else ()
        return any(at <= i < at + len(words) and part[i - at : i - at + 4] != words[i - at : i - at + 4] for i in known)


class _Buffer:
    def __init__(self, pointer: int) -> None:
        self.pointer = pointer
        self.bytes = int(lib.pfifo_buffer_bytes(pointer))
        self.pages: dict[int, _Page] = {}

    def put(self, index: int, at: int, data: bytes) -> _Page:
        page = self.pages.setdefault(index, _Page())
        before = page.contents[at : at + len(data)]
        if before != data:
            mask = (int.from_bytes(before, "little") ^ int.from_bytes(data, "little")).to_bytes(len(data), "little")
            for found in DIFFERENT.finditer(mask):
                part = data[found.start() : found.end()]
                lib.pfifo_buffer_write(self.pointer, index * PAGE + at + found.start(), part, len(part))
            page.contents[at : at + len(data)] = data
        return page


def _pieces(offset: int, data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Page, offset in it, and bytes."""
    done = 0
    while done < len(data):
        index, at = divmod(offset + done, PAGE)
        piece = data[done : done + PAGE - at]
        yield index, at, piece
        done += len(piece)


class Buffers:
    """All of a device, which frees what is left."""

    def __init__(self, device: int, version: int) -> None:
        self._device, self._version = device, version
        self._buffers: dict[int, _Buffer] = {}
        self._bytes = 0

    def _find(self, handle: int) -> _Buffer:
        if handle not in self._buffers:
            raise FormatError(f"there is no buffer {handle}")
        return self._buffers[handle]

    def pointer(self, handle: int) -> int:
        """The library's buffer."""
        return self._find(handle).pointer

    def new(self, record: Any) -> None:
        """BONEW."""
        if record["handle"] in self._buffers:
            raise FormatError(f"there is a buffer {record['handle']} already")
        if not record["address"] and self._version < 2:
            raise FormatError(f"buffer {record['handle']} has no address")
        self._bytes += record["bytes"]
        if self._bytes > MOST_BYTES:
            raise FormatError(f"{record['bytes']} bytes: buffers of more than 1 TiB in all")
        config = s.BufferConfig(ctypes.sizeof(s.BufferConfig), VRAM if record["domain"] & VRAM else GART,
                                not record["address"], record["bytes"], record["address"])
        pointer = call(lib.pfifo_buffer_create, self._device, ctypes.byref(config))
        self._buffers[record["handle"]] = _Buffer(pointer)

    def delete(self, handle: int) -> None:
        """BODEL."""
        lib.pfifo_buffer_free(self._find(handle).pointer)
        del self._buffers[handle]

    def data(self, record: Any, submission: int) -> None:
        """BODATA: whole pages as they are now."""
        buffer, offset, data = self._find(record["handle"]), record["offset"], record["data"]
        if offset + len(data) > buffer.bytes:
            raise FormatError(f"the data lies outside of buffer {record['handle']}")
        for index, at, piece in _pieces(offset, data):
            page = buffer.put(index, at, piece)
            page.dumped, page.pushed = submission, None

    def write(self, record: Any) -> None:
        """WRITE: the CPU's access, as it is."""
        self._write(record["handle"], record["offset"], record["data"])

    def _write(self, handle: int, offset: int, data: bytes) -> None:
        if not lib.pfifo_buffer_write(self._find(handle).pointer, offset, data, len(data)):
            raise FormatError(f"{len(data)} bytes at {offset:#x} are not inside of buffer {handle}")

    def push(self, record: Any, submission: int) -> None:
        """The words of a PUSH: a dump of a part of a page. Words that must not be prefetched say nothing where there is one."""
        words, offset = record["words"], record["offset"]
        if not words:
            return
        if self._version >= 2:  # words are what is in memory then
            self._write(record["handle"], offset, words)
            return
        buffer = self._find(record["handle"])
        if offset % 4 or offset + len(words) > buffer.bytes:
            raise FormatError(f"{len(words)} bytes at {offset:#x} are not words inside of buffer {record['handle']}")
        if record["address"] != lib.pfifo_buffer_address(buffer.pointer) + offset:
            raise FormatError(f"address {record['address']:#x} is not that of buffer {record['handle']} + {offset:#x}")
        for index, at, piece in _pieces(offset, words):
            page = buffer.pages.get(index)
            if record["no_prefetch"] and page and page.dumped is not None:
                continue
            if page and not record["no_prefetch"] and page.contradicts(at, piece, submission):
                raise FormatError(f"the submission has other words in buffer {record['handle']} + {index * PAGE + at:#x}")
            page = buffer.put(index, at, piece)
            if page.pushed != submission:
                page.pushed, page.known = submission, set()
            page.known.update(range(at, at + len(piece), 4))
