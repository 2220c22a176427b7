# SPDX-License-Identifier: MIT
"""Textures of a replay, by the number of their header."""
from __future__ import annotations

import ctypes
import re
from typing import Any, Optional

from . import _structs as s
from ._native import MEMORY, call, lib, number, room, string
from .errors import ArgumentError, FaultError, UnsupportedError
from .picture import MOST_PIXELS, Picture

# Methods of 3D objects, and classes whose headers have Maxwell's layout: GM107's if its object says so, and later ones.
POOL_HIGH, POOL_LOW, POOL_LAST, MAXWELL_HEADERS = 0x1574, 0x1578, 0x157C, 0xF10
CLASS_CHOOSES, CLASS_MAXWELL = 0xB097, 0xB197
HEADER_WORDS = 8


def header_number(name: str) -> int:
    """The number of "tic:3"."""
    found = re.fullmatch(r"tic:(\d{1,9}|0x[0-9a-fA-F]{1,8})", name)
    if not found:
        raise ArgumentError(f"{name!r}: a Target, or tic:NUMBER")
    return number(int(found.group(1), 0 if found.group(1).startswith("0x") else 10), 32, "a header")


def _objects(gpu: Any, replay: int, channel: Optional[int]) -> list[tuple[int, int]]:
    """Channels and classes of 3D objects that have a pool of textures."""
    found, progress = [], s.ReplayProgress()
    for at in range(gpu.chip.channels) if channel is None else [number(channel, 32, "a channel")]:
        if not lib.pfifo_replay_progress(replay, at, ctypes.byref(progress)):
            continue
        for oclass in set(progress.bound) - {0}:
            known = lib.pfifo_class_find(oclass)
            if known and string(known.contents.family) == "3d" and gpu.method_value(at, oclass, POOL_LOW) is not None:
                found.append((at, oclass))
    return found


def _header(gpu: Any, vm: int, channel: int, oclass: int, header: int) -> Any:
    def value(method: int) -> int:
        return int(gpu.method_value(channel, oclass, method) or 0)

    pool, last = value(POOL_HIGH) << 32 | value(POOL_LOW), value(POOL_LAST)
    if header > last:
        raise ArgumentError(f"the pool of textures ends with header {last}")
    words = (ctypes.c_uint32 * HEADER_WORDS)()
    if not lib.pfifo_vm_read(vm, pool + header * ctypes.sizeof(words), words, ctypes.sizeof(words)):
        raise FaultError(f"the pool of textures at {pool:#x} is not mapped")
    return words, oclass >= CLASS_MAXWELL or (oclass == CLASS_CHOOSES and bool(value(MAXWELL_HEADERS) & 1))


def read_texture(gpu: Any, replay: int, header: int, channel: Optional[int], level: int, layer: int) -> Picture:
    """An image of a texture, for GPU.picture()."""
    objects = _objects(gpu, replay, channel)
    if len(objects) != 1:
        raise ArgumentError(f"channels {sorted({at for at, _ in objects})} have textures: channel= says which" if objects
                            else "there is no 3D object with textures now")
    (at, oclass), = objects
    vm, chip = lib.pfifo_device_channel_vm(lib.pfifo_replay_device(replay), at), lib.pfifo_gpu_chip(gpu._pointer)
    if vm is None:
        raise UnsupportedError(f"textures of {gpu.chip.name} have no headers in a pool")
    words, maxwell = _header(gpu, vm, at, oclass, header)
    image, width, height, texture = s.TextureImage(level, layer), ctypes.c_uint32(), ctypes.c_uint32(), s.TextureIs()
    call(lib.pfifo_texture_describe, chip, maxwell, words, ctypes.byref(texture))
    if (not lib.pfifo_texture_size(chip, maxwell, words, image, ctypes.byref(width), ctypes.byref(height))
            or width.value * height.value > MOST_PIXELS):
        raise ArgumentError(f"texture {header} of {texture.width}x{texture.height} ({string(texture.shape)}, levels: "
                            f"{texture.levels}, layers: {texture.layers}) has no such image, or it is too large")
    rgba = room(4 * width.value * height.value)
    memory = ctypes.cast(lib.pfifo_vm_read, MEMORY)
    call(lib.pfifo_texture_read, chip, maxwell, words, image, memory, vm, rgba)
    return Picture(width.value, height.value, bytes(rgba.raw))
