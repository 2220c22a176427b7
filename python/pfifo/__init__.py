# SPDX-License-Identifier: MIT
"""
pfifo: NVIDIA's command submission engine as software, from Python.

    import pfifo
    for line in pfifo.Capture("quad.nvcap.xz").decode("class=*_3D"):
        print(line.name, line.fields)
    print(pfifo.run("quad.nvcap.xz"))
    with pfifo.GPU("NV34") as gpu:
        print(hex(gpu.rd32("PMC.BOOT_0")))

On the shared libraries libpfifo and libpfifo-capture, by ctypes. Where they are looked for: the libpfifo that the
environment names with PFIFO_LIBRARY, beside this module's installation, and where the loader finds it. libpfifo-capture is
in the same folder.
"""
from .capture import Capture, Record
from .chip import Chip, Register, chip, chips, registers
from .decode import Line, assemble, decode_words
from .disasm import Item, disassemble
from .errors import (ArgumentError, BusyError, ClosedError, FaultError, FileError, FormatError, LibraryError, OutOfMemoryError,
                     PfifoError, TimeoutExceeded, UnsupportedError)
from .event import Draw, Event, Launch, Target, Texture, event_names
from .explain import explain
from .gpu import GPU, Machine, Observer, Stop, StopInfo
from .lint import Finding, Lint, Rule, lint, lint_rules
from .picture import Picture, read_picture
from .query import Query
from .replay import Fault, Progress, Replay, Result, Submission, Word, run

__all__ = [
    "ArgumentError", "BusyError", "Capture", "Chip", "ClosedError", "Draw", "Event", "Fault", "FaultError", "FileError",
    "Finding", "FormatError", "GPU", "Item", "Launch", "LibraryError", "Line", "Lint", "Machine", "Observer",
    "OutOfMemoryError", "PfifoError", "Picture", "Progress", "Query", "Record", "Register", "Replay", "Result", "Rule",
    "Stop", "StopInfo", "Submission", "Target", "Texture", "TimeoutExceeded", "UnsupportedError", "Word", "assemble",
    "chip", "chips", "decode_words", "disassemble", "event_names", "explain", "lint", "lint_rules", "read_picture",
    "registers", "run",
]
