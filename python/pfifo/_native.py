# SPDX-License-Identifier: MIT
"""The shared libraries: where they are, what their functions take, and what every object of them needs."""
from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import operator
import os
import pathlib
import sys
import sysconfig
import threading
from ctypes import POINTER, c_bool, c_char_p, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p
from typing import Any, Callable, Iterator, Optional

from . import _structs as s
from .errors import BusyError, ClosedError, LibraryError, PfifoError, error_of

SONAME = "libpfifo.so.0"

WRITE = ctypes.CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)
DISASM = ctypes.CFUNCTYPE(c_bool, c_void_p, POINTER(s.DisasmEvent))
OBSERVER = ctypes.CFUNCTYPE(None, c_void_p, POINTER(s.Event))
FINDING = ctypes.CFUNCTYPE(c_bool, c_void_p, POINTER(s.LintFinding))
MEMORY = ctypes.CFUNCTYPE(c_bool, c_void_p, c_uint64, c_void_p, c_size_t)

_E = POINTER(s.Error)
_P = c_void_p

# NAME: (result, arguments). A test counts the arguments in the headers.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "pfifo_chip_count": (c_size_t, []),
    "pfifo_chip_at": (_P, [c_size_t]),
    "pfifo_chip_by_name": (_P, [c_char_p]),
    "pfifo_chip_by_id": (_P, [c_uint32]),
    "pfifo_chip_info": (s.ChipInfo, [_P]),
    "pfifo_foreign_open": (_P, [c_char_p, _E]),
    "pfifo_foreign_open_memory": (_P, [c_char_p, c_size_t, c_char_p, _E]),
    "pfifo_stream_next": (c_int, [_P, POINTER(s.StreamRecord), _E]),
    "pfifo_stream_rewind": (None, [_P]),
    "pfifo_stream_chipset": (c_uint32, [_P]),
    "pfifo_stream_version": (c_uint32, [_P]),
    "pfifo_stream_name": (c_char_p, [_P]),
    "pfifo_stream_truncated": (c_bool, [_P]),
    "pfifo_stream_bytes": (c_uint64, [_P]),
    "pfifo_stream_close": (None, [_P]),
    "pfifo_decode_stream": (c_int, [_P, POINTER(s.DecodeOptions), WRITE, _P, _E]),
    "pfifo_decode_raw": (c_int, [c_char_p, c_size_t, POINTER(s.DecodeOptions), WRITE, _P, _E]),
    "pfifo_disasm": (c_int, [c_char_p, c_size_t, POINTER(s.DisasmOptions), DISASM, _P, _E]),
    "pfifo_disasm_kind_name": (c_char_p, [c_int]),
    "pfifo_assemble": (c_int, [_P, c_char_p, POINTER(c_uint32), c_size_t, POINTER(c_size_t), _E]),
    "pfifo_query_new": (_P, [c_char_p, _E]),
    "pfifo_query_free": (None, [_P]),
    "pfifo_query_event": (c_bool, [_P, POINTER(s.Event), _P]),
    "pfifo_gpu_new": (_P, [POINTER(s.Config), _E]),
    "pfifo_gpu_free": (None, [_P]),
    "pfifo_gpu_chip": (_P, [_P]),
    "pfifo_gpu_rd32": (c_uint32, [_P, c_uint32]),
    "pfifo_gpu_wr32": (None, [_P, c_uint32, c_uint32]),
    "pfifo_gpu_bar_read": (None, [_P, c_uint, c_uint64, _P, c_size_t]),
    "pfifo_gpu_bar_write": (None, [_P, c_uint, c_uint64, c_char_p, c_size_t]),
    "pfifo_gpu_bar_bytes": (c_uint64, [_P, c_uint]),
    "pfifo_gpu_vram_bytes": (c_uint64, [_P]),
    "pfifo_gpu_system_bytes": (c_uint64, [_P]),
    "pfifo_gpu_vram_fd": (c_int, [_P, _E]),
    "pfifo_gpu_system_fd": (c_int, [_P, _E]),
    "pfifo_gpu_run": (c_int, [_P, c_uint64]),
    "pfifo_gpu_pass_time": (c_uint64, [_P, c_uint64]),
    "pfifo_gpu_has_work": (c_bool, [_P]),
    "pfifo_gpu_stop_info": (POINTER(s.StopInfo), [_P]),
    "pfifo_gpu_irq": (c_bool, [_P]),
    "pfifo_gpu_method_value": (c_bool, [_P, c_uint32, c_uint32, c_uint32, POINTER(c_uint32)]),
    "pfifo_gpu_save": (c_int, [_P, WRITE, _P, _E]),
    "pfifo_gpu_load": (c_int, [_P, c_char_p, c_size_t, _E]),
    "pfifo_gpu_reset": (c_int, [_P, c_uint, _E]),
    "pfifo_gpu_observe": (c_int, [_P, c_char_p, OBSERVER, _P, _E]),
    "pfifo_gpu_unobserve": (None, [_P, OBSERVER, _P]),
    "pfifo_gpu_picture": (c_int, [_P, POINTER(s.Target), _P, _E]),
    "pfifo_gpu_registers": (_P, [_P]),
    "pfifo_event_count": (c_size_t, []),
    "pfifo_event_info": (POINTER(s.EventInfo), [c_size_t]),
    "pfifo_picture_bytes": (c_uint64, [_P, POINTER(s.Picture)]),
    "pfifo_picture_read": (c_int, [_P, POINTER(s.Picture), c_char_p, c_uint64, _P, _E]),
    "pfifo_texture_describe": (c_int, [_P, c_bool, POINTER(c_uint32), POINTER(s.TextureIs), _E]),
    "pfifo_texture_size": (c_bool, [_P, c_bool, POINTER(c_uint32), s.TextureImage, POINTER(c_uint32), POINTER(c_uint32)]),
    "pfifo_texture_read": (c_int, [_P, c_bool, POINTER(c_uint32), s.TextureImage, MEMORY, _P, _P, _E]),
    "pfifo_class_find": (POINTER(s.Class), [c_uint32]),
    "pfifo_method_find": (c_bool, [c_uint32, c_uint32, POINTER(s.MethodName)]),
    "pfifo_method_format": (c_size_t, [POINTER(s.MethodName), _P, c_size_t]),
    "pfifo_lint_rule_count": (c_size_t, []),
    "pfifo_lint_rule_at": (POINTER(s.LintRule), [c_size_t]),
    "pfifo_lint_stream": (c_int, [_P, POINTER(s.LintOptions), FINDING, _P, POINTER(s.LintResult), _E]),
    "pfifo_device_channel_vm": (_P, [_P, c_uint32]),
    "pfifo_vm_read": (c_bool, [_P, c_uint64, _P, c_size_t]),
    "pfifo_registers_new": (_P, [_P, _E]),
    "pfifo_registers_free": (None, [_P]),
    "pfifo_registers_at": (c_bool, [_P, c_size_t, POINTER(s.Register)]),
    "pfifo_registers_find": (c_int, [_P, c_char_p, POINTER(c_uint32), _E]),
    "pfifo_registers_name": (c_size_t, [_P, c_uint32, _P, c_size_t]),
    "pfifo_digest_new": (_P, [_E]),
    "pfifo_digest_free": (None, [_P]),
    "pfifo_digest_attach": (c_int, [_P, _P, _E]),
    "pfifo_digest_detach": (None, [_P]),
    "pfifo_digest_methods": (c_uint64, [_P]),
    "pfifo_digest_format": (c_size_t, [_P, c_char_p, _P, c_size_t]),
    "pfifo_buffer_bytes": (c_uint64, [_P]),
    "pfifo_buffer_read": (c_bool, [_P, c_uint64, _P, c_size_t]),
    "pfifo_replay_new": (_P, [_P, POINTER(s.ReplayConfig), _E]),
    "pfifo_replay_free": (None, [_P]),
    "pfifo_replay_set_watch": (None, [_P, POINTER(s.ReplayWatch)]),
    "pfifo_replay_gpu": (_P, [_P]),
    "pfifo_replay_device": (_P, [_P]),
    "pfifo_replay_buffer": (_P, [_P, c_uint32]),
    "pfifo_replay_result": (POINTER(s.ReplayResult), [_P]),
    "pfifo_replay_next": (c_int, [_P, POINTER(c_bool), _E]),
    "pfifo_replay_step": (c_int, [_P, c_uint64, POINTER(c_bool), _E]),
    "pfifo_replay_progress": (c_bool, [_P, c_uint32, POINTER(s.ReplayProgress)]),
    "pfifo_replay_handles": (POINTER(c_uint32), [_P, POINTER(c_size_t)]),
    "pfifo_replay_percent": (c_uint, [_P]),
}


def candidates() -> Iterator[str]:
    """Where libpfifo may be: what PFIFO_LIBRARY names and nothing else, or beside this module, or as the loader finds it."""
    named = os.environ.get("PFIFO_LIBRARY")
    if named:
        yield named
        return
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    # PREFIX/lib/python3/dist-packages/pfifo/, python/pfifo/ of the source tree with its build/, or build/python/pfifo/.
    for folder in list(pathlib.Path(__file__).resolve().parents)[1:6]:
        for path in (folder / "lib" / multiarch / SONAME, folder / "lib" / SONAME, folder / "lib64" / SONAME,
                     folder / SONAME, folder / "build" / SONAME):
            if path.exists():
                yield str(path)
    yield SONAME
    found = ctypes.util.find_library("pfifo")
    if found:
        yield found


def capture_of(name: str) -> str:
    """libpfifo-capture is next to libpfifo, and has the same version."""
    folder, file = os.path.split(name)
    return os.path.join(folder, file.replace("libpfifo", "libpfifo-capture", 1))


def load() -> ctypes.CDLL:
    """libpfifo-capture, and by it libpfifo: all functions that are used here."""
    tried: list[str] = []
    for name in candidates():
        try:
            ctypes.CDLL(name)  # first, as the loader may look for it elsewhere
            library = ctypes.CDLL(capture_of(name))
            for function, (result, arguments) in FUNCTIONS.items():
                getattr(library, function).restype = result
                getattr(library, function).argtypes = arguments
            return library
        except (OSError, AttributeError) as reason:
            tried.append(str(reason))
    raise LibraryError("libpfifo cannot be loaded, PFIFO_LIBRARY can name it: " + "; ".join(tried))


lib = load()
libc = ctypes.CDLL(None)  # whose free() is the library's
libc.free.argtypes = [c_void_p]
libc.free.restype = None


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function whose last argument is an error. A status that is not OK, NULL or -1 raises what the error says."""
    error = s.Error()
    result = function(*arguments, ctypes.byref(error))
    if error.status and (result is None or result == -1 or result == error.status):
        raise error_of(error.status, error.message.decode("utf-8", "replace"))
    if result is None and function.restype is c_void_p:  # type: ignore[attr-defined]
        raise PfifoError("failed for no reason that is known")
    return result


def number(value: Any, bits: int, what: str) -> int:
    """An integer of so many bits. ctypes would cut off what is too large."""
    result = operator.index(value)
    if not 0 <= result < 1 << bits:
        raise ValueError(f"{what}: {result:#x} is not an unsigned number of {bits} bits")
    return result


def text(value: Any, what: str) -> bytes:
    """A string for C, which ends at the first zero."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a str, not {type(value).__name__}")
    result = value.encode()
    if b"\0" in result:
        raise ValueError(f"{what} has a zero character in it")
    return result


def string(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8", "replace")


def content(value: Any) -> bytes:
    """A copy of anything that is a buffer of bytes."""
    if isinstance(value, (int, str)):
        raise TypeError(f"bytes are wanted, not {type(value).__name__}")
    return bytes(memoryview(value).cast("B") if not isinstance(value, bytes) else value)


def room(count: int) -> Any:
    """Memory for the library to write to."""
    if count > sys.maxsize:
        raise ValueError(f"{count} bytes are too many")
    return (ctypes.c_char * count)()


class Guard:
    """Functions that C calls. What they raise cannot pass through C: it is kept, and raised behind the call."""

    def __init__(self) -> None:
        self.raised: Optional[BaseException] = None

    def keep(self, reason: BaseException) -> None:
        if self.raised is None:
            self.raised = reason

    def function(self, function: Callable[..., Any]) -> Callable[..., bool]:
        """The function for C, whose user pointer comes first: True; False if it raises, so that C calls no more."""

        def guarded(_opaque: Any, *arguments: Any) -> bool:
            try:
                function(*arguments)
                return True
            except BaseException as reason:  # pylint: disable=broad-except
                self.keep(reason)
                return False

        return guarded

    def check(self) -> None:
        raised, self.raised = self.raised, None
        if raised is not None:
            raise raised


def collect(sink: Callable[[bytes], Any], guard: Guard) -> Any:
    """A callback that hands pieces of bytes on."""
    return WRITE(guard.function(lambda data, count: sink(ctypes.string_at(data, count) if count else b"")))


class Handle:
    """
    An object of the library. It is freed once; a call after that raises ClosedError. Calls from several threads wait for
    each other; one from within a callback of the same object raises BusyError, if the library does not allow it there.
    """

    _pointer: Optional[int] = None
    _busy = 0

    def __init__(self) -> None:
        self._lock = threading.RLock()

    @contextlib.contextmanager
    def _use(self, inside: bool = False) -> Iterator[int]:
        with self._lock:
            if self._pointer is None:
                raise ClosedError(f"this {type(self).__name__} is closed")
            if self._busy and not inside:
                raise BusyError(f"not from a callback of this {type(self).__name__}")
            self._busy += 1
            try:
                yield self._pointer
            finally:
                self._busy -= 1

    def _free(self, pointer: int) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """Free it. A second time does nothing."""
        if self._pointer is None:
            return
        with self._use() as pointer:
            self._pointer = None
            self._free(pointer)

    @property
    def closed(self) -> bool:
        """Has it been closed?"""
        return self._pointer is None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()
