# SPDX-License-Identifier: MIT
"""Errors as exceptions: one for each kind that enum pfifo_status has. str() of one is the library's message."""
from __future__ import annotations


class PfifoError(Exception):
    """Something failed; the message says what, and where."""

    status = 0


class LibraryError(PfifoError, ImportError):
    """The shared library is not there, or is too old."""


class ClosedError(PfifoError, ValueError):
    """What is asked has been closed."""


class BusyError(PfifoError, RuntimeError):
    """A callback calls what it is called by."""


class ArgumentError(PfifoError, ValueError):
    """The call itself is wrong: out of range, unknown name."""

    status = 1


class OutOfMemoryError(PfifoError, MemoryError):
    """The host has no memory left, or the GPU has none."""

    status = 2


class UnsupportedError(PfifoError, NotImplementedError):
    """The chip, mode or feature is known but not built."""

    status = 3


class FormatError(PfifoError, ValueError):
    """A file or stream is malformed; the message has the offset."""

    status = 4


class FileError(PfifoError, OSError):
    """Reading or writing a file failed."""

    status = 5


class FaultError(PfifoError):
    """The GPU faulted while it did what was asked."""

    status = 6


class TimeoutExceeded(PfifoError, TimeoutError):
    """A wait did not come true within its bound."""

    status = 7


KINDS = {kind.status: kind for kind in (ArgumentError, OutOfMemoryError, UnsupportedError, FormatError, FileError,
                                        FaultError, TimeoutExceeded)}


def error_of(status: int, message: str) -> PfifoError:
    """The exception of a status."""
    return KINDS.get(status, PfifoError)(message)
