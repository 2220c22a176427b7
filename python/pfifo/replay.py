# SPDX-License-Identifier: MIT
"""Run a capture: its records, one by one, through the driver layer of a machine (pfifo/driver.h)."""
from __future__ import annotations

import contextlib
import ctypes
import dataclasses
from typing import Any, Callable, Iterator, Optional, Union

from . import _structs as s
from ._native import Guard, Handle, call, lib, number, room, string
from .buffers import Buffers
from .capture import Capture, Record
from .chip import ChipLike, pointer_of
from .errors import ArgumentError, FaultError, FormatError, PfifoError, TimeoutExceeded, UnsupportedError
from .event import NO_CHANNEL
from .gpu import BorrowedGPU, Stop, config_of
from .spaces import Spaces, count_syncpoint

BUDGET = 1 << 28
PUSH_BYTES = (1 << 23) - 1
NO_PREFETCH = 1
OLD_HEADERS = 1


@dataclasses.dataclass(frozen=True)
class Fault:
    """A fault that the interrupt handler found, as the registers show it: struct pfifo_device_fault."""

    submission: int
    channel: Optional[int]
    unit: Optional[str]
    error: Optional[str]
    address: int
    subchannel: int
    method: int
    data: int
    has_method: bool
    interrupt: int
    object_class: int


@dataclasses.dataclass(frozen=True)
class Submission:
    """A submission that has run."""

    sequence: int
    channel: int
    words: int
    stop: Optional[Stop]  # why the machine stopped behind it; version 2: last
    faults: tuple[Fault, ...]


@dataclasses.dataclass(frozen=True)
class Result:
    """What a whole run has come to. `sha256` is the digest of all methods, as `pfifo decode --digest` has it."""

    submissions: int
    words: int
    methods: int
    sha256: str
    faults: tuple[Fault, ...]
    refused: tuple[str, ...]  # objects that the driver refused
    stop: Optional[Stop]


class Replay(Handle):
    """
    A machine that runs a capture. Iterating runs it, submission by submission; in between, `gpu` is there to be
    looked at, and before the first to be observed.

        with pfifo.Replay("quad.nvcap.xz") as replay:
            for submission in replay:
                print(submission.sequence, replay.gpu.rd32("PMC.INTR"))

    In captures of version 2 the machine does not run at the end of a submission, but where the recording has a RUN:
    iterating runs it up to the end of the next submission, and the last time to the end. UnsupportedError: the chip's
    machine is not built. A submission that cannot be finished ends the run: see Result.stop.
    """

    def __init__(self, capture: Union[Capture, Any], *, chip: Optional[ChipLike] = None, budget: int = BUDGET,
                 vram_bytes: int = 0, system_bytes: int = 0) -> None:
        super().__init__()
        self._own = not isinstance(capture, Capture)
        self.capture: Capture = capture if isinstance(capture, Capture) else Capture(capture)
        self._version = self.capture.version
        self._going = (None, Stop.IDLE, Stop.WAITING) + ((Stop.BUDGET,) if self._version > 1 else ())
        self._budget = number(budget, 64, "a budget")
        self._faults: list[Fault] = []
        self._refused: list[str] = []
        self._submissions = self._words = self._sequence = 0
        self._stop: Optional[Stop] = None
        self._guard = Guard()
        self._fault = s.FAULT(self._note_fault)
        pointer = pointer_of(self.capture.chip if chip is None else chip)
        config = s.DeviceConfig(size=ctypes.sizeof(s.DeviceConfig), fault=self._fault,
                                gpu=config_of(pointer, vram_bytes, system_bytes, 0, False))
        device = call(lib.pfifo_device_open, ctypes.byref(config))
        self._channels: dict[int, tuple[int, int]] = {}
        self._opening: dict[str, int] = {}  # CHANIN, for the channel that opens next
        self._stuck: Optional[Stop] = None
        self._buffers = Buffers(device, self._version)
        self._spaces = Spaces(device, self._buffers)
        self._pointer = device
        self.gpu = BorrowedGPU(lib.pfifo_device_gpu(device), self)
        self._digest = call(lib.pfifo_digest_new)
        call(lib.pfifo_digest_attach, self._digest, self.gpu._pointer)
        self._progress = self._play()

    def _free(self, pointer: int) -> None:
        lib.pfifo_digest_free(self._digest)
        lib.pfifo_device_close(pointer)

    def close(self) -> None:
        """Free the machine. Views of its memory stay valid."""
        if self._pointer is not None:
            with self._use():
                self.gpu._forget()
                with self.gpu._use():
                    self.gpu._pointer = None
            super().close()
            if self._own:
                self.capture.close()

    def _note_fault(self, _opaque: Any, native: Any) -> None:
        try:
            fault = native.contents
            self._faults.append(Fault(self._sequence, None if fault.channel == NO_CHANNEL else fault.channel,
                                      string(fault.unit), string(fault.error), fault.address, fault.subchannel,
                                      fault.method, fault.data, fault.has_method, fault.interrupt, fault.object_class))
        except BaseException as reason:  # pylint: disable=broad-except
            self._guard.keep(reason)

    # ---- the records ----

    def _channel(self, which: int) -> tuple[int, int]:
        if which not in self._channels:
            raise FormatError(f"there is no channel {which}")
        return self._channels[which]

    def _open(self, device: int, record: Any) -> None:
        if record["channel"] in self._channels:
            raise FormatError(f"there is a channel {record['channel']} already")
        space = self._opening.get("space", 0)
        config = s.ChannelConfig(size=ctypes.sizeof(s.ChannelConfig), vram_handle=record["fb_ctxdma"],
                                 gart_handle=record["tt_ctxdma"], entries=self._opening.get("entries", 0),
                                 vm=self._spaces.find(space) if space else None,
                                 old_headers=bool(self._opening.get("flags", 0) & OLD_HEADERS))
        self._opening = {}
        channel = call(lib.pfifo_channel_open, device, ctypes.byref(config))
        self._channels[record["channel"]] = (channel, record["notifier_bo"])

    def _object(self, record: Any) -> None:
        channel, _ = self._channel(record["channel"])
        try:
            call(lib.pfifo_channel_object, channel, record["handle"], record["oclass"])
        except (ArgumentError, UnsupportedError) as reason:
            self._refused.append(str(reason))

    def _notifier(self, record: Any) -> None:
        channel, buffer = self._channel(record["channel"])
        memory = self._buffers.pointer(buffer)
        # From GF100 on there are no DMA objects: the notifier is at an address.
        with contextlib.suppress(UnsupportedError):
            call(lib.pfifo_channel_dma_object, channel, record["handle"], memory, record["offset"], record["bytes"])

    def _submit(self, channel: int, push: Any) -> Optional[Stop]:
        """Why it could not be queued: the channel is stuck, or off after a fault. The stream has caused that."""
        self._words += len(push["words"]) // 4
        self._buffers.push(push, self._sequence)
        count = push["length"] & PUSH_BYTES
        if not count or self._stuck:
            return None
        try:
            call(lib.pfifo_channel_submit, channel, push["address"], count, NO_PREFETCH if push["no_prefetch"] else 0)
            return None
        except TimeoutExceeded:
            return Stop.WAITING
        except FaultError:
            return Stop.FROZEN

    def _manage(self, device: int, record: Record) -> None:
        """What is between submissions, and their data."""
        values = record.values
        if record.type == "CHAN":
            self._open(device, values)
        elif record.type == "CHANFREE":
            lib.pfifo_channel_close(self._channel(values["channel"])[0])
            del self._channels[values["channel"]]
        elif record.type == "OBJ":
            self._object(values)
        elif record.type == "NTFY":
            self._notifier(values)
        elif record.type == "BONEW":
            self._buffers.new(values)
        elif record.type == "BODEL":
            self._buffers.delete(values["handle"])
        elif record.type == "BODATA":
            self._buffers.data(values, self._sequence)
        else:
            self._manage_2(device, record)

    def _manage_2(self, device: int, record: Record) -> None:
        """Records of version 2. WAIT and FENCE say what the words of the PUSHes do."""
        values = record.values
        if record.type == "CHANIN":
            self._opening = dict(values)
        elif record.type == "SYNCPT":
            count_syncpoint(self.gpu._pointer, values)
        elif record.type == "WRITE":
            self._buffers.write(values)
        elif record.type == "RUN":
            self._work(device, min(values["units"] or self._budget, self._budget))
        elif record.type in ("SPACE", "SPACEDEL", "SPARSE", "MAP", "UNMAP"):
            self._spaces.play(record.type, values)

    def _work(self, device: int, units: int) -> None:
        if not self._stuck:
            self._stop = Stop(lib.pfifo_device_run(device, units))

    def _step(self, record: Record, state: dict[str, Any]) -> Optional[Submission]:
        with self._use() as device, self.gpu._run():
            if record.type == "SUBMIT":
                state.update(channel=record.values["channel"], words=self._words, faults=len(self._faults))
                self._sequence = record.values["sequence"]
                self._submissions += 1
                self._channel(state["channel"])
            elif record.type == "PUSH":
                self._stuck = self._stuck or self._submit(self._channel(state["channel"])[0], record.values)
                self._stop = self._stuck or self._stop
            elif record.type == "SUBEND":
                if self._version < 2:
                    self._work(device, self._budget)
                return Submission(self._sequence, state["channel"], self._words - state["words"], self._stop,
                                  tuple(self._faults[state["faults"] :]))
            else:
                self._manage(device, record)
        return None

    def _play(self) -> Iterator[Submission]:
        """Ends early at anything but these, as `pfifo run` does."""
        state: dict[str, Any] = {}
        for record in self.capture.records():
            try:
                done = self._step(record, state)
            except PfifoError as reason:
                reason.args = (f"{self.capture.name}: {record.type} at {record.offset:#x}: {reason}",)
                raise
            self._guard.check()
            if done:
                yield done
            if self._stuck or (self._stop not in self._going and (done or record.type == "RUN")):
                return

    def __iter__(self) -> Iterator[Submission]:
        return self._progress

    @property
    def result(self) -> Result:
        """What the run has come to so far."""
        line = room(512)
        with self._use(inside=True):
            lib.pfifo_digest_format(self._digest, b"-", line, len(line))
            methods = lib.pfifo_digest_methods(self._digest)
        sha256 = line.value.decode().rpartition("sha256=")[2]
        return Result(self._submissions, self._words, methods, sha256, tuple(self._faults), tuple(self._refused), self._stop)


def run(capture: Union[Capture, Any], *, chip: Optional[ChipLike] = None, budget: int = BUDGET,
        submission: Optional[Callable[[Submission], Any]] = None) -> Result:
    """Run a capture (or the file of a path) to its end. `submission` is called after each submission."""
    with Replay(capture, chip=chip, budget=budget) as replay:
        for done in replay:
            if submission:
                submission(done)
        result: Result = replay.result
    return result
