# SPDX-License-Identifier: MIT
"""Hazards of captures: pfifo/lint.h."""
from __future__ import annotations

import contextlib
import ctypes
import dataclasses
from typing import Any, Optional, Union

from . import _structs as s
from ._native import FINDING, Guard, call, lib, number, room, string, text
from .capture import Capture
from .chip import ChipLike, pointer_of
from .gpu import Stop
from .replay import BUDGET, Word, word_of

METHOD_NAME_BYTES = 80


@dataclasses.dataclass(frozen=True)
class Rule:
    """What is looked for; `severity`: "error", it goes wrong here; "warning", it may."""

    name: str
    severity: str
    text: str
    needs_machine: bool  # it is left out for chips whose machine is not built: Volta and later


@dataclasses.dataclass(frozen=True)
class Finding:
    """Something that may go wrong on hardware, or waits forever. Equal ones are counted: all else is of the first."""

    rule: Rule
    text: str
    count: int
    submission: int
    channel: int
    word: Optional[Word]  # that it is about; None: nothing is known of it
    class_name: Optional[str]  # of its method
    name: Optional[str]


@dataclasses.dataclass(frozen=True)
class Lint:
    """What was found in a capture."""

    findings: tuple[Finding, ...]
    submissions: int  # that were looked at
    left_out: int  # findings that are not here: there were too many different ones
    faults: int  # of the replay, which are no findings: run() has them
    stop: Stop
    whole: bool  # it has seen the capture up to its end
    decoded: bool  # the chip's machine is not built: the words were decoded, for the rules that need none


def _rule(native: s.LintRule) -> Rule:
    return Rule(string(native.name) or "", string(native.severity) or "", string(native.text) or "",
                native.needs_machine)


def lint_rules() -> list[Rule]:
    """All that lint() can look for."""
    return [_rule(lib.pfifo_lint_rule_at(index).contents) for index in range(lib.pfifo_lint_rule_count())]


def _finding(native: s.LintFinding) -> Finding:
    oclass, method, name = lib.pfifo_class_find(native.name_class), s.MethodName(), room(METHOD_NAME_BYTES)
    if native.word.has_method and lib.pfifo_method_find(native.name_class, native.word.method, ctypes.byref(method)):
        lib.pfifo_method_format(ctypes.byref(method), name, len(name))
    return Finding(_rule(native.rule.contents), string(native.text) or "", native.count, native.submission, native.channel,
                   word_of(native.word), string(oclass.contents.name) if oclass else None, name.value.decode() or None)


def lint(capture: Union[Capture, Any], *, chip: Optional[ChipLike] = None, rules: str = "", budget: int = BUDGET) -> Lint:
    """
    Run a capture, or a file by its path, and say what in it may go wrong on hardware. `rules`: only these, globs with
    commas between them. ArgumentError: a glob that matches no rule.
    """
    options = s.LintOptions(size=ctypes.sizeof(s.LintOptions), chip=None if chip is None else pointer_of(chip),
                            rules=text(rules, "rules") or None, budget=number(budget, 64, "a budget"))
    result, findings, guard = s.LintResult(), list[Finding](), Guard()
    found = FINDING(guard.function(lambda native: findings.append(_finding(native.contents))))
    with contextlib.ExitStack() as stack:
        read = capture if isinstance(capture, Capture) else stack.enter_context(Capture(capture))
        stream = stack.enter_context(read._read(read._rewind()))
        call(lib.pfifo_lint_stream, stream, ctypes.byref(options), found, None, ctypes.byref(result))
    guard.check()
    return Lint(tuple(findings), result.submissions, result.left_out, result.faults, Stop(result.stop), result.whole,
                result.decoded)
