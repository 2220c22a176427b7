# SPDX-License-Identifier: MIT
"""Events of a GPU as objects; docs/events.md says what their values mean."""
from __future__ import annotations

import dataclasses
import functools
from typing import Any, Mapping, Optional, Union

from . import _structs as s
from ._native import lib, string

TEXT, CHANNEL, DETAIL = 4, 5, 6  # of enum pfifo_event_format
NO_CHANNEL = 0xFFFFFFFF


@dataclasses.dataclass(frozen=True)
class Target:
    """What is drawn to. GPU.picture() shows it, as long as its memory is mapped."""

    attachment: Union[int, str]  # number of a colour target, or "depth"
    format: str
    layout: Optional[str]
    address: int
    width: int
    height: int
    samples: int
    layers: int
    _native: Any = dataclasses.field(repr=False, compare=False)
    _machine: Any = dataclasses.field(repr=False, compare=False)


@dataclasses.dataclass(frozen=True)
class Texture:
    """What a draw has read, by its header as that was behind the draw; shape None: the header makes no sense."""

    header: int
    shape: Optional[str]
    format: Optional[str]
    address: int
    width: int
    height: int
    depth: int
    layers: int


@dataclasses.dataclass(frozen=True)
class Draw:
    """A draw from BEGIN to END, or a clear (then only class, method and targets say something)."""

    clear: bool
    object_class: int
    method: int
    topology: Optional[str]
    count: int
    vertices: int
    primitives: int
    generated: int
    fragments: int
    samples: int
    viewport: tuple[float, ...]
    depth: str
    blend: str
    targets: tuple[Target, ...]
    textures: tuple[Texture, ...]
    first: int
    instance: int

    @property
    def shown(self) -> Optional[Target]:
        """What a picture should show: the first colour target, else depth."""
        return self.targets[0] if self.targets else None


@dataclasses.dataclass(frozen=True)
class Launch:
    """A grid of blocks of threads; not executed: only form, class, method, program, qmd, blocks and threads say something."""

    form: str
    executed: bool
    object_class: int
    method: int
    program: int
    code: int
    qmd: int
    blocks: tuple[int, ...]
    threads: tuple[int, ...]
    shared: int
    local: int
    registers: int
    constants: Mapping[int, tuple[int, int]]  # by bank: address and bytes
    instructions: int  # of engine.launched


@dataclasses.dataclass(frozen=True)
class Event:
    """Something that happened in the machine."""

    name: str
    order: int
    time: int
    channel: Optional[int]
    values: Mapping[str, Any]
    draw: Optional[Draw] = None
    launch: Optional[Launch] = None

    def __getitem__(self, field: str) -> Any:
        return self.values[field]


@functools.lru_cache(maxsize=None)
def _declared(number: int) -> tuple[str, tuple[tuple[str, int], ...]]:
    info = lib.pfifo_event_info(number).contents
    return string(info.name) or "", tuple((string(info.field[i]) or "", info.format[i]) for i in range(info.fields))


def event_names() -> list[str]:
    """The names of all events, for the globs of GPU.observe()."""
    return [_declared(number)[0] for number in range(lib.pfifo_event_count())]


def _draw(native: s.Draw, machine: Any) -> Draw:
    targets = []
    for index, target in enumerate(native.target):
        if target.format:
            own = s.Target.from_buffer_copy(target)
            targets.append(Target(index if index < 8 else "depth", string(own.format) or "", string(own.layout),
                                  own.address, own.width, own.height, own.samples, own.layers, own, machine))
    textures = (Texture(texture.header, string(texture.shape), string(texture.format), texture.address, texture.width,
                        texture.height, texture.depth, texture.layers)
                for texture in native.texture[:native.textures])
    return Draw(native.clear, native.object_class, native.method, string(native.topology), native.count,
                native.vertices, native.primitives, native.generated, native.fragments, native.samples,
                tuple(native.viewport), native.depth.decode(), native.blend.decode(), tuple(targets), tuple(textures),
                native.first, native.instance)


def _launch(native: s.Launch) -> Launch:
    constants = {bank: (one.address, one.bytes) for bank, one in enumerate(native.constants) if one.bytes}
    return Launch(string(native.form) or "", native.executed, native.object_class, native.method, native.program,
                  native.code, native.qmd, tuple(native.blocks), tuple(native.threads), native.shared, native.local,
                  native.registers, constants, native.work.instructions)


def event_of(native: s.Event, machine: Any) -> Event:
    """A copy of an event, which is the library's only during the call."""
    name, fields = _declared(native.id)
    values: dict[str, Any] = {}
    for index, (field, form) in enumerate(fields):
        value = native.value[index]
        if form == DETAIL:
            values[field] = string(native.detail) or ""
        elif form == TEXT:
            values[field] = string(native.text)
        else:
            values[field] = None if form == CHANNEL and value == NO_CHANNEL else value
    return Event(name, native.order, native.time, None if native.channel == NO_CHANNEL else native.channel, values,
                 _draw(native.draw.contents, machine) if native.draw else None,
                 _launch(native.launch.contents) if native.launch else None)
