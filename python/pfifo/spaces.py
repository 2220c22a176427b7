# SPDX-License-Identifier: MIT
"""The address spaces of a replay (captures of version 2), by their numbers in the recording."""
from __future__ import annotations

import ctypes
from typing import Any, Optional

from . import _structs as s
from ._native import call, lib
from .buffers import MOST_BYTES, Buffers
from .errors import FormatError, UnsupportedError

FIXED, SPARSE, READ_ONLY = 1, 2, 8
MAP_READ_ONLY = 1


class Spaces:
    """All of a device, which frees what is left."""

    def __init__(self, device: int, buffers: Buffers) -> None:
        self._device, self._buffers = device, buffers
        self._spaces: dict[int, int] = {}
        self._bytes = 0

    def find(self, space: int) -> int:
        """The library's address space."""
        if space not in self._spaces:
            raise FormatError(f"there is no space {space}")
        return self._spaces[space]

    def _limit(self, count: int) -> None:
        self._bytes += count
        if self._bytes > MOST_BYTES:
            raise FormatError(f"{count} bytes: more than 1 TiB mapped in all")

    def play(self, kind: str, record: Any) -> None:
        """SPACE, SPACEDEL, SPARSE, MAP, UNMAP."""
        if kind == "SPACE":
            config = s.VmConfig(ctypes.sizeof(s.VmConfig), record["first"], record["bytes"], record["big_page_bytes"])
            self._spaces[record["space"]] = call(lib.pfifo_vm_new, self._device, ctypes.byref(config))
            return
        space = self.find(record["space"])
        if kind == "SPACEDEL":
            del self._spaces[record["space"]]
            call(lib.pfifo_vm_free, space)
        elif kind == "SPARSE" and record["sparse"]:
            self._limit(record["bytes"])
            wanted = s.VmRange(ctypes.sizeof(s.VmRange), record["address"], record["bytes"], 0, FIXED | SPARSE)
            call(lib.pfifo_vm_reserve, space, ctypes.byref(wanted), None)
        elif kind == "SPARSE":
            call(lib.pfifo_vm_release, space, record["address"])
        elif kind == "MAP":
            self._map(space, record)
        else:
            call(lib.pfifo_vm_unmap, space, record["address"], record["bytes"])

    def _map(self, space: int, record: Any) -> None:
        self._limit(record["bytes"])
        flags = FIXED | (READ_ONLY if record["flags"] & MAP_READ_ONLY else 0)
        wanted = s.VmMap(ctypes.sizeof(s.VmMap), self._buffers.pointer(record["handle"]), record["offset"],
                         record["bytes"], record["address"], record["page_bytes"], record["kind"], flags)
        call(lib.pfifo_vm_map, space, ctypes.byref(wanted), None)


def count_syncpoint(gpu: Optional[int], record: Any) -> None:
    """SYNCPT: what the CPU does with a syncpoint. How often it is incremented is any number: that does not count one by one."""
    which, value = record["syncpoint"], record["value"]
    if which >= lib.pfifo_gpu_syncpoint_count(gpu):
        raise UnsupportedError(f"the chip has no syncpoint {which}")
    if not record["set"] and value == 1:
        lib.pfifo_gpu_syncpoint_increment(gpu, which)
    else:
        now = 0 if record["set"] else lib.pfifo_gpu_syncpoint(gpu, which)
        lib.pfifo_gpu_syncpoint_set(gpu, which, (now + value) & 0xFFFFFFFF)
