# SPDX-License-Identifier: MIT
"""A GPU: registers, memory, runs, events, saved states."""
from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import enum
import mmap
from typing import Any, Callable, Iterator, Optional, Union

from . import _structs as s
from ._native import OBSERVER, Guard, Handle, call, collect, content, lib, number, room, text
from .chip import Chip, ChipLike, Register, chip_of, pointer_of, registers_at
from .errors import ArgumentError, ClosedError, UnsupportedError
from .event import NO_CHANNEL, Event, Target, event_of
from .picture import MOST_PIXELS, Picture
from .query import QueryLike, query_of
from .texture import header_number, read_texture

SHARED = 1  # of enum pfifo_memory_form: a file, which stays as long as somebody has it mapped
KEEP_MEMORY = 1

Place = Union[int, str]


class Stop(enum.Enum):
    """Why a run ended; see enum pfifo_stop."""

    IDLE = 0
    BUDGET = 1
    WAITING = 2
    INTERRUPT = 3
    FROZEN = 4


@dataclasses.dataclass(frozen=True)
class StopInfo:
    """Details of the end of a run. The last five are for WAITING."""

    reason: Stop
    used: int
    channel: Optional[int]
    in_memory: bool
    is_syncpoint: bool
    address: int
    expected: int
    found: int


class Observer:
    """Who is called for events of a GPU. close() ends that."""

    def __init__(self, machine: "Machine", function: Any, keep: Any) -> None:
        self._machine, self._function, self._keep = machine, function, keep

    def close(self) -> None:
        """No more calls. A second time does nothing."""
        self._machine._unobserve(self)

    def __enter__(self) -> "Observer":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class Machine(Handle):
    """A GPU, whoever made it. Calls from several threads wait for each other."""

    def __init__(self) -> None:
        super().__init__()
        self._guard = Guard()
        self._observers: list[Observer] = []
        self._maps: dict[str, mmap.mmap] = {}

    @contextlib.contextmanager
    def _run(self) -> Iterator[int]:
        """For calls that may send events: what an observer raises is raised here."""
        with self._use() as pointer:
            try:
                yield pointer
            except BaseException:
                self._guard.raised = None  # the call's own failure is told
                raise
            self._guard.check()

    @property
    def chip(self) -> Chip:
        """The chip that it is."""
        with self._use(inside=True) as pointer:
            return chip_of(lib.pfifo_gpu_chip(pointer))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({'closed' if self.closed else self.chip.name!r})"

    # ---- registers ----

    def registers(self) -> list[Register]:
        """The registers that the model has, sorted by offset."""
        with self._use(inside=True) as pointer:
            return list(registers_at(lib.pfifo_gpu_registers(pointer)))

    def offset(self, name: Place) -> int:
        """Offset in BAR0 of "PMC.INTR", "CACHE1_GET", "CACHE1_CTX[3]"; a number as it is. ArgumentError: there is none."""
        if not isinstance(name, str):
            return number(name, 32, "an offset")
        found = ctypes.c_uint32()
        encoded = text(name, "a register")
        with self._use(inside=True) as pointer:
            call(lib.pfifo_registers_find, lib.pfifo_gpu_registers(pointer), encoded, ctypes.byref(found))
        return found.value

    def register_name(self, offset: int) -> Optional[str]:
        """The shortest name of the register at an offset. None: there is no register."""
        name = room(256)
        with self._use(inside=True) as pointer:
            lib.pfifo_registers_name(lib.pfifo_gpu_registers(pointer), number(offset, 32, "an offset"), name, len(name))
        return name.value.decode() or None

    def rd32(self, offset: Place) -> int:
        """Read a register of BAR0, by name or offset."""
        at = self.offset(offset)
        with self._run() as pointer:
            return int(lib.pfifo_gpu_rd32(pointer, at))

    def wr32(self, offset: Place, value: int) -> None:
        """Write a register of BAR0, by name or offset."""
        at, word = self.offset(offset), number(value, 32, "a value")
        with self._run() as pointer:
            lib.pfifo_gpu_wr32(pointer, at, word)

    # ---- memory ----

    def bar_bytes(self, bar: int) -> int:
        """Size of a BAR, 0 if the chip does not have it."""
        with self._use(inside=True) as pointer:
            return int(lib.pfifo_gpu_bar_bytes(pointer, number(bar, 32, "a BAR")))

    def bar_read(self, bar: int, offset: int, count: int) -> bytes:
        """Bytes of a BAR, as a CPU reads them."""
        data = room(number(count, 63, "a count"))
        with self._run() as pointer:
            lib.pfifo_gpu_bar_read(pointer, number(bar, 32, "a BAR"), number(offset, 64, "an offset"), data, len(data))
        return bytes(data.raw)

    def bar_write(self, bar: int, offset: int, data: Any) -> None:
        """Write bytes to a BAR, as a CPU does."""
        source = content(data)
        with self._run() as pointer:
            lib.pfifo_gpu_bar_write(pointer, number(bar, 32, "a BAR"), number(offset, 64, "an offset"), source, len(source))

    def _memory(self, what: str, count: Callable[[int], int], descriptor: Callable[..., int]) -> memoryview:
        with self._use(inside=True) as pointer:
            if what not in self._maps:
                if what == "vram" and not self.chip.vram_bytes:
                    raise UnsupportedError(f"{self.chip.name} has no VRAM: its memory is system memory")
                self._maps[what] = mmap.mmap(call(descriptor, pointer), count(pointer))
            return memoryview(self._maps[what])

    @property
    def vram(self) -> memoryview:
        """
        All of VRAM, to read and write at any time; cast("I") makes words of a part. The view stays valid when the GPU is
        closed. A write is seen by the next run. UnsupportedError: the chip has none.
        """
        return self._memory("vram", lib.pfifo_gpu_vram_bytes, lib.pfifo_gpu_vram_fd)

    @property
    def system(self) -> memoryview:
        """The GPU's system memory from bus address 0 up, in the same way."""
        return self._memory("system", lib.pfifo_gpu_system_bytes, lib.pfifo_gpu_system_fd)

    # ---- runs ----

    def run(self, budget: int = 1 << 28) -> Stop:
        """Work until there is a reason to stop, for at most so many units. What an observer raises is raised here, at the end."""
        units = number(budget, 64, "a budget")
        with self._run() as pointer:
            return Stop(lib.pfifo_gpu_run(pointer, units))

    def step(self, units: int = 1) -> Stop:
        """Work for one unit: a word fetched or a method executed. Long work of an engine is not divided."""
        return self.run(units)

    @property
    def stop(self) -> StopInfo:
        """Details of the end of the last run."""
        with self._use(inside=True) as pointer:
            info = lib.pfifo_gpu_stop_info(pointer).contents
            return StopInfo(Stop(info.reason), info.used, None if info.channel == NO_CHANNEL else info.channel,
                            info.in_memory, info.is_syncpoint, info.address, info.expected, info.found)

    @property
    def irq(self) -> bool:
        """The level of the interrupt line."""
        with self._use(inside=True) as pointer:
            return bool(lib.pfifo_gpu_irq(pointer))

    @property
    def has_work(self) -> bool:
        """Would a run do something?"""
        with self._use() as pointer:
            return bool(lib.pfifo_gpu_has_work(pointer))

    def pass_time(self, nanoseconds: int) -> int:
        """Advance the clock to what is due, by at most so much; what has passed."""
        with self._run() as pointer:
            return int(lib.pfifo_gpu_pass_time(pointer, number(nanoseconds, 64, "a time")))

    def method_value(self, channel: int, object_class: int, method: int) -> Optional[int]:
        """The last value of a method of a bound class on a channel. None: not known."""
        value = ctypes.c_uint32()
        with self._use(inside=True) as pointer:
            known = lib.pfifo_gpu_method_value(pointer, number(channel, 32, "a channel"),
                                               number(object_class, 32, "a class"), number(method, 32, "a method"),
                                               ctypes.byref(value))
        return value.value if known else None

    # ---- events ----

    def observe(self, globs: str, function: Callable[[Event], Any], query: QueryLike = None) -> Observer:
        """
        Call a function for each event whose name matches ("puller.*,switch.*"), and that a query wants. It may read the
        GPU and make pictures; what changes the GPU raises BusyError. At most 8 at a time. ArgumentError: no such event.
        """
        if not callable(function):
            raise TypeError("an observer is a function")
        compiled = query_of(query)
        names = text(globs, "globs")

        def observed(_opaque: Any, native: Any) -> None:
            if self._guard.raised is not None:
                return
            try:
                if compiled:
                    with compiled._use() as pointer:
                        if not lib.pfifo_query_event(pointer, native, None):
                            return
                function(event_of(native.contents, self))
            except BaseException as reason:  # pylint: disable=broad-except
                self._guard.keep(reason)

        observer = Observer(self, OBSERVER(observed), compiled)
        with self._use() as pointer:
            call(lib.pfifo_gpu_observe, pointer, names, observer._function, None)
            self._observers.append(observer)
        return observer

    def _unobserve(self, observer: Observer) -> None:
        if self._pointer is None or observer not in self._observers:
            return
        with self._use() as pointer:
            lib.pfifo_gpu_unobserve(pointer, observer._function, None)
            self._observers.remove(observer)

    def picture(self, target: Union[Target, str], *, channel: Optional[int] = None, level: int = 0,
                layer: int = 0) -> Picture:
        """
        What is in a target of a draw now. Also from an observer. FaultError: nothing of it is mapped any more.

        "tic:3", in a replay: the texture of header 3 in the pool of a channel (the hardware's number, as in events; None:
        the only one with textures), and which image of it. Fermi to Pascal.
        """
        if isinstance(target, str):
            return self._texture(header_number(target), channel, number(level, 32, "a level"), number(layer, 32, "a layer"))
        if channel is not None or level or layer:
            raise ArgumentError("channel, level and layer are of textures")
        if not isinstance(target, Target):
            raise TypeError(f"a target is wanted, not {type(target).__name__}")
        if target._machine is not self:
            raise ArgumentError("the target is of another GPU")
        if target.width * target.height > MOST_PIXELS:
            raise ArgumentError(f"{target.width} x {target.height} pixels are too many")
        rgba = room(4 * target.width * target.height)
        with self._use(inside=True) as pointer:
            call(lib.pfifo_gpu_picture, pointer, ctypes.byref(target._native), rgba)
        return Picture(target.width, target.height, bytes(rgba.raw))

    def _texture(self, header: int, channel: Optional[int], level: int, layer: int) -> Picture:
        raise UnsupportedError("textures are found in a replay, which knows the address spaces of channels")

    # ---- state ----

    def save(self) -> bytes:
        """The whole machine as bytes; a state is for the version of the library that wrote it."""
        pieces: list[bytes] = []
        guard = Guard()
        with self._use() as pointer:
            try:
                call(lib.pfifo_gpu_save, pointer, collect(pieces.append, guard), None)
            finally:
                guard.check()
        return b"".join(pieces)

    def load(self, state: Any) -> None:
        """Go on from a saved state, of a GPU of the same chip and memory. FormatError: damaged; it is then as switched on."""
        data = content(state)
        with self._run() as pointer:
            call(lib.pfifo_gpu_load, pointer, data, len(data))

    def reset(self, keep_memory: bool = False) -> None:
        """Back to the state after power-on."""
        with self._run() as pointer:
            call(lib.pfifo_gpu_reset, pointer, KEEP_MEMORY if keep_memory else 0)

    def _forget(self) -> None:
        """The GPU goes: nothing of it is called or asked any more."""
        for observer in list(self._observers):
            self._unobserve(observer)
        self._maps.clear()


def config_of(pointer: int, vram_bytes: int, system_bytes: int, bar1_bytes: int, materialise_cache: bool,
              no_compile: bool) -> s.Config:
    """A configuration whose memories are files, which Python can map for as long as it likes."""
    config = s.Config(size=ctypes.sizeof(s.Config), chip=pointer, vram_bytes=number(vram_bytes, 64, "vram_bytes"),
                      system_bytes=number(system_bytes, 64, "system_bytes"),
                      bar1_bytes=number(bar1_bytes, 64, "bar1_bytes"), materialise_cache=bool(materialise_cache),
                      no_compile=bool(no_compile))
    if chip_of(pointer).vram_bytes:
        config.vram.form = SHARED
    config.system.form = SHARED
    return config


class GPU(Machine):
    """
    A GPU of a chip, in its power-on state. Sizes of 0 take defaults. UnsupportedError: the chip's machine is not built.

        with pfifo.GPU("NV4") as gpu:
            gpu.wr32("PMC.ENABLE", 0xffffffff)
            gpu.run()
    """

    def __init__(self, chip: ChipLike, *, vram_bytes: int = 0, system_bytes: int = 0, bar1_bytes: int = 0,
                 materialise_cache: bool = False, no_compile: bool = False) -> None:
        super().__init__()
        config = config_of(pointer_of(chip), vram_bytes, system_bytes, bar1_bytes, materialise_cache, no_compile)
        self._pointer = call(lib.pfifo_gpu_new, ctypes.byref(config))

    def _free(self, pointer: int) -> None:
        lib.pfifo_gpu_free(pointer)

    def close(self) -> None:
        """Free it. Views of its memory stay valid."""
        if self._pointer is not None:
            with contextlib.suppress(ClosedError):
                self._forget()
            super().close()


class BorrowedGPU(Machine):
    """The GPU of a replay, which ends with it."""

    def __init__(self, pointer: int, owner: Any) -> None:
        super().__init__()
        self._pointer, self._owner = pointer, owner

    def _free(self, pointer: int) -> None:
        pass

    def _texture(self, header: int, channel: Optional[int], level: int, layer: int) -> Picture:
        with self._owner._use(inside=True) as replay, self._use(inside=True):
            return read_texture(self, replay, header, channel, level, layer)

    def close(self) -> None:
        """Does nothing: Replay.close() ends it."""

    def __del__(self) -> None:
        pass
