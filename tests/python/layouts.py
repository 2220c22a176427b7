#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""layouts.py OUTPUT: the body of layouts.c, with a line for each structure, field and constant that python/pfifo declares."""
import importlib.util
import pathlib
import sys

CONSTANTS = [
    "PFIFO_OK", "PFIFO_ERROR_ARGUMENT", "PFIFO_ERROR_MEMORY", "PFIFO_ERROR_UNSUPPORTED", "PFIFO_ERROR_FORMAT",
    "PFIFO_ERROR_IO", "PFIFO_ERROR_FAULT", "PFIFO_ERROR_TIMEOUT", "PFIFO_STOP_IDLE", "PFIFO_STOP_BUDGET",
    "PFIFO_STOP_WAITING", "PFIFO_STOP_INTERRUPT", "PFIFO_STOP_FROZEN", "PFIFO_MEMORY_SHARED", "PFIFO_DECODE_JSON",
    "PFIFO_EVENT_TEXT", "PFIFO_EVENT_CHANNEL", "PFIFO_RESET_KEEP_MEMORY", "PFIFO_REPLAY_BUDGET", "PFIFO_STREAM_END",
    "PFIFO_STREAM_SYNC", "PFIFO_DECODE_SUBCHANNELS", "PFIFO_EVENT_MAX_FIELDS",
    "PFIFO_DRAW_TARGETS", "PFIFO_DRAW_TEXTURES", "PFIFO_REPLAY_FAULTS", "PFIFO_REPLAY_REFUSED",
]


def structures():
    """pfifo._structs alone: the rest of the module wants the library, which is not built yet."""
    path = pathlib.Path(__file__).resolve().parents[2] / "python" / "pfifo" / "_structs.py"
    spec = importlib.util.spec_from_file_location("structs", path)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


def fields(structure):
    """All names, those of a union in it too."""
    for name, kind, *_ in structure._fields_:
        if name in getattr(structure, "_anonymous_", ()):
            yield from (inner for inner, *_ in kind._fields_)
        else:
            yield name


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        for s in structures().ALL:
            out.write(f"S({s.C_NAME})\n")
            out.writelines(f"F({s.C_NAME}, {name})\n" for name in fields(s))
        out.writelines(f"C({name})\n" for name in CONSTANTS)
