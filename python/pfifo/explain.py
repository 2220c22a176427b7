# SPDX-License-Identifier: MIT
"""What names and numbers are, in words: the command pfifo explain."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from typing import Any, Iterator, Optional

from ._native import lib, text
from .chip import ChipLike, chip as described
from .errors import ArgumentError, UnsupportedError


def tools() -> Iterator[str]:
    """Where the command may be: what PFIFO_TOOL names and nothing else, or with the library, or on the PATH."""
    named = os.environ.get("PFIFO_TOOL")
    if named:
        yield named
        return
    folders = [pathlib.Path(os.path.abspath(lib._name)).parent] if os.path.dirname(lib._name) else []
    # build/pfifo beside build/libpfifo.so, or PREFIX/bin/pfifo with PREFIX/lib/ or PREFIX/lib/ARCHITECTURE/.
    for folder in folders:
        for path in (folder / "pfifo", folder.parent / "bin" / "pfifo", folder.parent.parent / "bin" / "pfifo"):
            if path.is_file():
                yield str(path)
    found = shutil.which("pfifo")
    if found:
        yield found


def explain(thing: str, *, chip: Optional[ChipLike] = None) -> list[dict[str, Any]]:
    """
    Each meaning of what `pfifo explain --json` takes, as it gives it: a class, a method with data, a field, a register with
    a value, an error, an event, a log of the kernel or its file. `chip`: only what it has; then numbers are registers and
    words of pushbuffers, too. ArgumentError: it is not known; the message may say what was meant. UnsupportedError: the
    command is not installed.
    """
    given = text(thing, "a thing")  # an argument ends at a zero
    words = ["explain", "--json"] + ([] if chip is None else ["--chip=" + described(chip).name])
    tool = next(tools(), None)
    if tool is None:
        raise UnsupportedError("explain() needs the command pfifo, which is not there; PFIFO_TOOL can name it")
    lines = "\n" in thing  # a log may be longer than an argument
    try:
        done = subprocess.run([tool, *words, "--", "-" if lines else thing], input=given if lines else b"",
                              capture_output=True, check=False)
    except OSError as reason:
        raise UnsupportedError(f"{tool}: {reason.strerror}") from reason
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().removeprefix("pfifo: ")
        raise ArgumentError(said or f"{tool} ended with status {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]
