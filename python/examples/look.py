#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""look.py CAPTURE [PICTURE.png]: what is in a capture, and what it draws."""
import collections
import sys

import pfifo


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def main() -> None:
    capture = pfifo.Capture(sys.argv[1])
    print(f"{capture.name}: {capture.chip.name}, {capture.chip.generation}")

    # Which methods are there most? Lines are objects; a query chooses some of them.
    methods = collections.Counter(line.name for line in capture.decode("event=method") if line.name)
    for name, count in methods.most_common(3):
        print(f"{count:6} {name}")
    for line in capture.decode("SET_COLOR_CLEAR_VALUE or CLEAR_COLOR_VALUE"):
        print(f"  {line.address:#x} {line.name} = {dict(line.fields)}")

    # Run it, and look at the GPU after each submission, and at each draw.
    pictures = []

    def drawn(event: pfifo.Event) -> None:
        if event.draw and event.draw.shown:
            pictures.append(replay.gpu.picture(event.draw.shown))

    with pfifo.Replay(capture) as replay:
        replay.gpu.observe("engine.draw", drawn)
        for submission in replay:
            faults = ", ".join(f"{fault.unit} {fault.error}" for fault in submission.faults) or "no faults"
            print(f"submission {submission.sequence}: {counted(submission.words, 'word')}, {submission.stop.name}, {faults}")
        print(f"{counted(replay.result.methods, 'method')}, {counted(len(pictures), 'draw')}")

    if pictures:
        last = pictures[-1]
        print(f"{last.width} x {last.height} pixels, in the middle {last.pixel(last.width // 2, last.height // 2)}")
        if len(sys.argv) > 2:
            with open(sys.argv[2], "wb") as file:
                file.write(last.png())


if __name__ == "__main__":
    main()
