# SPDX-License-Identifier: MIT
"""Run a capture on a machine: pfifo/replay.h."""
from __future__ import annotations

import ctypes
import dataclasses
from typing import Any, Callable, Iterator, Optional, Union

from . import _structs as s
from ._native import Guard, Handle, call, lib, libc, number, room, string
from .capture import Capture
from .chip import ChipLike, pointer_of
from .errors import ArgumentError, OutOfMemoryError
from .event import NO_CHANNEL
from .gpu import BorrowedGPU, Stop, config_of

BUDGET = 1 << 28


@dataclasses.dataclass(frozen=True)
class Word:
    """A word of a pushbuffer, and its meaning. What is not known is None."""

    address: Optional[int]
    word: Optional[int]
    submission: Optional[int]  # as recorded, and where in which buffer
    buffer: Optional[int]
    offset: Optional[int]
    subchannel: Optional[int]
    object_class: Optional[int]
    method: Optional[int]
    data: Optional[int]
    # Of a fault or finding, if the method was refused for want of state: what would have set the first of it, what is
    # wrong with it, and how much of it is not there.
    missing_method: Optional[int] = None
    missing_why: Optional[str] = None
    missing_count: int = 0


@dataclasses.dataclass(frozen=True)
class Fault:
    """
    Equal faults that the interrupt handler found, and what the registers showed at the first of them: struct
    pfifo_replay_fault.
    """

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
    count: int = 1
    word: Optional[Word] = None  # None: nothing is known of it


@dataclasses.dataclass(frozen=True)
class Submission:
    """A submission that has run."""

    sequence: int
    channel: int  # as the capture numbers it
    words: int
    stop: Optional[Stop]  # why the machine stopped behind it
    faults: tuple[Fault, ...]  # counted in it


@dataclasses.dataclass(frozen=True)
class Result:
    """What a whole run has come to. `sha256` is the digest of all methods, as `pfifo decode --digest` has it."""

    submissions: int
    words: int
    methods: int
    sha256: str
    faults: tuple[Fault, ...]
    refused: tuple[str, ...]  # objects that the driver refused, the first of them
    stop: Optional[Stop]  # None: nothing has run
    stop_message: str = ""  # of the driver, if it could not queue a submission


@dataclasses.dataclass(frozen=True)
class Progress:
    """Where a channel is in its commands: struct pfifo_replay_progress."""

    last: Optional[Word]  # the method that was executed last, and which data word of its packet it was
    last_index: Optional[int]
    next: Optional[Word]  # the one that comes next, as far as headers are fetched
    packet: int  # its number in the channel,
    header: int  # the address of its header,
    form: Optional[str]
    index: int  # and which data word of it is next
    bound: tuple[int, ...]  # classes of the subchannels, 0: none that is known


@dataclasses.dataclass
class _Begun:
    """A submission that has begun, and what there was before it."""

    sequence: int
    channel: int
    words: int
    counts: list[int]


def word_of(native: s.ReplayWord) -> Optional[Word]:
    if not (native.has_address or native.has_method):
        return None
    where = (native.submission, native.buffer, native.offset) if native.in_push else (None,) * 3
    method = (native.subchannel, native.oclass, native.method, native.data) if native.has_method else (None,) * 4
    missing = (native.missing_method, string(native.missing_why), native.missing_count) if native.missing_count else ()
    return Word(native.address if native.has_address else None, native.word if native.has_word else None, *where, *method,
                *missing)


def _fault(native: s.ReplayFault, count: int) -> Fault:
    first = native.first
    return Fault(native.submission, None if first.channel == NO_CHANNEL else first.channel, string(first.unit),
                 string(first.error), first.address, first.subchannel, first.method, first.data, first.has_method,
                 first.interrupt, first.object_class, count, word_of(native.word))


def _counts(result: s.ReplayResult) -> list[int]:
    return [result.fault[i].count for i in range(result.fault_kinds)]


class Replay(Handle):
    """
    A machine that runs a capture. Iterating runs it, submission by submission; in between, `gpu` is there to be
    looked at, and before the first to be observed.

        with pfifo.Replay("quad.nvcap.xz") as replay:
            for submission in replay:
                print(submission.sequence, replay.gpu.rd32("PMC.INTR"))

    In captures of version 2 and later the machine does not run at the end of a submission, but where the recording has a RUN:
    iterating runs it up to there, and gives what was submitted meanwhile. UnsupportedError: the chip's machine is not
    built. A submission that cannot be finished ends the run: see Result.stop. Sizes of 0 are what the capture needs.
    """

    _digest: Optional[int] = None

    def __init__(self, capture: Union[Capture, Any], *, chip: Optional[ChipLike] = None, budget: int = BUDGET,
                 vram_bytes: int = 0, system_bytes: int = 0) -> None:
        super().__init__()
        self._own = not isinstance(capture, Capture)
        self.capture: Capture = capture if isinstance(capture, Capture) else Capture(capture)
        pointer = pointer_of(self.capture.chip if chip is None else chip)
        machine = config_of(pointer, vram_bytes, system_bytes, 0, False, False)
        config = s.ReplayConfig(size=ctypes.sizeof(s.ReplayConfig), chip=pointer, locate=True,
                                budget=number(budget, 64, "a budget"), vram=machine.vram, system=machine.system,
                                vram_bytes=machine.vram_bytes, system_bytes=machine.system_bytes)
        self._turn = self.capture._rewind()
        with self.capture._read(self._turn) as stream:
            replay = call(lib.pfifo_replay_new, stream, ctypes.byref(config))
            self.capture._hold()
        self._pointer = replay
        self.gpu = BorrowedGPU(lib.pfifo_replay_gpu(replay), self)
        self._digest = call(lib.pfifo_digest_new)
        call(lib.pfifo_digest_attach, self._digest, self.gpu._pointer)
        self._begun: list[_Begun] = []
        self._guard = Guard()
        self._watch = s.ReplayWatch(submission=s.SUBMISSION(self._begins))
        lib.pfifo_replay_set_watch(replay, ctypes.byref(self._watch))
        self._progress = self._play()

    def _free(self, pointer: int) -> None:
        if self._digest is not None:
            lib.pfifo_digest_free(self._digest)
        lib.pfifo_replay_free(pointer)
        self.capture._release()

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

    def _begins(self, _opaque: Any, sequence: int) -> None:
        try:
            result = lib.pfifo_replay_result(self._pointer).contents
            self._begun.append(_Begun(sequence, result.channel, result.words, _counts(result)))
        except BaseException as reason:  # pylint: disable=broad-except
            self._guard.keep(reason)

    def _done(self, pointer: int) -> list[Submission]:
        """What has begun since it was asked last."""
        result = lib.pfifo_replay_result(pointer).contents
        ends = self._begun[1:] + [_Begun(0, 0, result.words, _counts(result))]
        done = []
        for begun, end in zip(self._begun, ends):
            before = begun.counts + [0] * (len(end.counts) - len(begun.counts))
            faults = tuple(_fault(result.fault[i], now - was)
                           for i, (was, now) in enumerate(zip(before, end.counts)) if now > was)
            done.append(Submission(begun.sequence, begun.channel, end.words - begun.words, Stop(result.stop), faults))
        self._begun = []
        return done

    def _go_on(self, function: Any, *arguments: Any) -> bool:
        more = ctypes.c_bool()
        with self._use() as pointer, self.capture._read(self._turn), self.gpu._run():
            call(function, pointer, *arguments, ctypes.byref(more))
            self._guard.check()
        return more.value

    def _play(self) -> Iterator[Submission]:
        more = True
        while more:
            more = self._go_on(lib.pfifo_replay_next)
            with self._use() as pointer:
                done = self._done(pointer)
            yield from done

    def step(self, units: int = 1) -> bool:
        """
        Go on inside of a submission: do so many units of its run, or, between two runs, come to where the next one begins
        (`running` is True then). False: the capture is at its end. Iterating does the rest of a run that is under way.
        """
        return self._go_on(lib.pfifo_replay_step, number(units, 64, "units"))

    @property
    def running(self) -> bool:
        """Is a run under way, which step() has begun?"""
        with self._use(inside=True) as pointer:
            return bool(lib.pfifo_replay_result(pointer).contents.running)

    def progress(self, channel: int) -> Optional[Progress]:
        """Where a channel (the hardware's number, as in events) is in its commands. None: nothing is known of it."""
        native = s.ReplayProgress()
        with self._use(inside=True) as pointer:
            if not lib.pfifo_replay_progress(pointer, number(channel, 32, "a channel"), ctypes.byref(native)):
                return None
        return Progress(word_of(native.last), None if native.last_index == NO_CHANNEL else native.last_index,
                        word_of(native.next), native.packet, native.header, string(native.form), native.index,
                        tuple(native.bound))

    def __iter__(self) -> Iterator[Submission]:
        return self._progress

    @property
    def percent(self) -> int:
        """How far it is through the capture, 0 to 100."""
        with self._use(inside=True) as pointer:
            return int(lib.pfifo_replay_percent(pointer))

    def buffers(self) -> list[int]:
        """The handles of all buffers now, in ascending order."""
        count = ctypes.c_size_t()
        with self._use(inside=True) as pointer:
            found = lib.pfifo_replay_handles(pointer, ctypes.byref(count))
            if not found:
                raise OutOfMemoryError("no memory for handles")
            handles = found[: count.value]
            libc.free(found)
        return handles

    def buffer(self, handle: int) -> bytes:
        """What the buffer with this handle in the capture holds now. ArgumentError: there is none now."""
        with self._use(inside=True) as pointer:
            found = lib.pfifo_replay_buffer(pointer, number(handle, 32, "a handle"))
            if not found:
                raise ArgumentError(f"there is no buffer {handle} now")
            data = room(lib.pfifo_buffer_bytes(found))
            lib.pfifo_buffer_read(found, 0, data, len(data))
        return bytes(data.raw)

    @property
    def result(self) -> Result:
        """What the run has come to so far."""
        line = room(512)
        with self._use(inside=True) as pointer:
            result = lib.pfifo_replay_result(pointer).contents
            lib.pfifo_digest_format(self._digest, b"-", line, len(line))
            faults = tuple(_fault(result.fault[i], result.fault[i].count) for i in range(result.fault_kinds))
            refused = tuple(result.refusal[i].message.decode("utf-8", "replace")
                            for i in range(min(result.refused, len(result.refusal))))
            return Result(result.submissions, result.words, int(lib.pfifo_digest_methods(self._digest)),
                          line.value.decode().rpartition("sha256=")[2], faults, refused,
                          Stop(result.stop) if result.submissions else None,
                          result.stop_message.decode("utf-8", "replace"))


def run(capture: Union[Capture, Any], *, chip: Optional[ChipLike] = None, budget: int = BUDGET,
        submission: Optional[Callable[[Submission], Any]] = None) -> Result:
    """Run a capture (or the file of a path) to its end. `submission` is called after each submission."""
    with Replay(capture, chip=chip, budget=budget) as replay:
        for done in replay:
            if submission:
                submission(done)
        result: Result = replay.result
    return result
