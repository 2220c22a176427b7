# SPDX-License-Identifier: MIT
"""Pictures: rows of R, G, B, A."""
from __future__ import annotations

import ctypes
import dataclasses
import struct
import zlib
from typing import Any, Optional

from . import _structs as s
from ._native import call, content, lib, number, room
from .chip import ChipLike, pointer_of
from .errors import ArgumentError

MOST_PIXELS = 1 << 26


@dataclasses.dataclass(frozen=True)
class Picture:
    """Pixels from the first line in memory on: height * width * 4 bytes. A notebook shows it."""

    width: int
    height: int
    data: bytes = dataclasses.field(repr=False)

    @property
    def rows(self) -> memoryview:
        """As an array: rows[y, x, channel], which numpy.asarray() takes as it is."""
        return memoryview(self.data).cast("B", (self.height, self.width, 4))

    def pixel(self, x: int, y: int) -> tuple[int, int, int, int]:
        """R, G, B, A of a pixel."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"{x}, {y} is not in a picture of {self.width} x {self.height}")
        at = 4 * (y * self.width + x)
        red, green, blue, alpha = self.data[at : at + 4]
        return red, green, blue, alpha

    def png(self) -> bytes:
        """The file of a PNG."""

        def chunk(kind: bytes, body: bytes) -> bytes:
            return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

        line = 4 * self.width
        lines = b"".join(b"\0" + self.data[y * line : (y + 1) * line] for y in range(self.height))
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 6, 0, 0, 0)
        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines))
                + chunk(b"IEND", b""))

    def _repr_png_(self) -> bytes:
        return self.png()


def read_picture(chip: ChipLike, data: Any, width: int, height: int, *, format: int = 0xD5, pitch: int = 0,
                 block_height: Optional[int] = None, swizzled: bool = False) -> Picture:
    """
    The picture of a surface whose bytes somebody has. `format` is the number of a colour format of 3D targets (0xd5:
    RGBA8_UNORM, 0xcf: BGRA8_UNORM), `pitch` the bytes of a line (0: four for each pixel), `block_height` 0 to 5 of a
    block-linear surface (G80 and later); `swizzled`: in Morton order (before G80). ArgumentError: there is no such surface.
    """
    surface = s.Picture(number(width, 32, "width"), number(height, 32, "height"), number(format, 32, "format"),
                        number(pitch, 32, "pitch") or number(4 * width, 32, "pitch"), block_height is not None,
                        bool(swizzled), number(block_height or 0, 32, "block height"))
    pointer, source = pointer_of(chip), content(data)
    if not lib.pfifo_picture_bytes(pointer, ctypes.byref(surface)):
        raise ArgumentError(f"there is no surface of {width} x {height} pixels, format {format:#x}, pitch {surface.pitch}")
    rgba = room(4 * width * height)
    call(lib.pfifo_picture_read, pointer, ctypes.byref(surface), source, len(source), rgba)
    return Picture(width, height, rgba.raw)
