# SPDX-License-Identifier: MIT
"""Runs of captures, pictures, and the example."""
import io
import lzma
import os
import pathlib
import runpy
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from contextlib import redirect_stdout

import pfifo

SAMPLES = pathlib.Path(os.environ["PFIFO_SAMPLES"]) / "captures"
EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "python" / "examples" / "look.py"


def sample(name):
    return SAMPLES / f"{name}.nvcap.xz"


def expected(name):
    rows = (line.split("\t") for line in (SAMPLES / "expected.tsv").read_text().splitlines())
    return next(row[1:] for row in rows if row[0] == name)


class Run(unittest.TestCase):
    def test_a_run_executes_what_was_recorded(self):
        for name in ("nv40-clear", "nv40-quad", "nva3-quad", "nvc0-quad", "nve4-quad", "nv117-quad", "nv12b-quad"):
            result = pfifo.run(sample(name))
            self.assertEqual([str(result.submissions), str(result.words), str(result.methods), result.sha256], expected(name))
            self.assertEqual((result.faults, result.refused, result.stop), ((), (), pfifo.Stop.IDLE), name)

    def test_submissions_come_one_by_one(self):
        seen = []
        result = pfifo.run(sample("nv117-quad"), submission=seen.append)
        self.assertEqual([s.sequence for s in seen], [1, 2, 3, 4, 5])
        self.assertEqual(sum(s.words for s in seen), result.words)
        with pfifo.Replay(sample("nv117-quad")) as replay:
            self.assertEqual(next(iter(replay)), seen[0])
            self.assertEqual(replay.result.submissions, 1)
            self.assertEqual(list(replay), seen[1:])

    def test_a_fault_is_reported_with_its_submission(self):
        data = bytearray(lzma.open(sample("nv40-clear")).read())
        with pfifo.Capture(bytes(data)) as capture:
            push = next(r for r in capture.records() if r.type == "PUSH")
        # The words of a PUSH are the end of its record; those of the buffer's dump are the same and have to change, too.
        head = push.values["words"][:8]
        changed = bytes(data).replace(head, b"\x02\x00\x00\x80" + head[4:])
        with pfifo.Capture(changed) as capture:
            result = pfifo.run(capture)
        fault = result.faults[0]
        self.assertEqual((fault.submission, fault.unit, fault.count), (1, "DMA_PUSHER", 1))
        self.assertEqual((fault.word.word, fault.word.submission, fault.word.buffer), (0x80000002, 1, push.values["handle"]))
        self.assertEqual(fault.word.address, push.values["address"])

    def test_a_recording_of_a_switch_runs_as_the_tool_runs_it(self):
        for name, submissions, digest in (("fences", 16, "5ce43bc9080e2b5cf19b5950d23e5df0d152ff0e8230781b4a2d90efa870aae8"),
                                          ("square", 1, "a7c558bfe60c2dd166eff0167598a46f6b4b64c484f240de664c7e0f3636172b")):
            result = pfifo.run(SAMPLES.parent / "tegra" / f"{name}.nvcap.zst")
            self.assertEqual((result.submissions, result.sha256), (submissions, digest))
            self.assertEqual((result.faults, result.stop), ((), pfifo.Stop.IDLE))

    def test_equal_faults_are_counted_in_their_submission(self):
        with pfifo.Capture(sample("nvc0-clear")) as capture:
            pushes = [r for r in capture.records() if r.type == "PUSH"]
        # A method to an unbound subchannel, twice, instead of the last submission's words.
        words = pushes[-1].values["words"]
        bad = struct.pack("<4I", 0x2001E040, 1, 0x2001E040, 2)[: len(words)]
        data = lzma.open(sample("nvc0-clear")).read().replace(words, bad + words[len(bad) :])
        seen = []
        result = pfifo.run(pfifo.Capture(data), submission=seen.append)
        self.assertEqual([bool(s.faults) for s in seen], [False] * (len(seen) - 1) + [True])
        self.assertEqual(seen[-1].faults, result.faults)
        fault = result.faults[0]
        self.assertEqual((fault.unit, fault.error, fault.count), ("PBDMA", "DEVICE", 2))
        self.assertEqual((fault.word.word, fault.word.subchannel, fault.word.method, fault.word.data), (1, 7, 0x100, 1))

    def test_a_buffer_holds_what_was_drawn(self):
        with pfifo.Capture(sample("nv117-quad")) as capture:
            buffers = [r.values for r in capture.records() if r.type == "BONEW"]
        contents = []

        def drawn(event):
            address = event.draw.shown.address
            made = next(b for b in buffers if b["address"] <= address < b["address"] + b["bytes"])
            contents.append((replay.buffer(made["handle"])[address - made["address"] :], made))

        with pfifo.Replay(sample("nv117-quad")) as replay:
            replay.gpu.observe("engine.draw", drawn)
            next(iter(replay))
            with self.assertRaises(pfifo.ArgumentError):
                replay.buffer(9999)
            list(replay)
            self.assertEqual(replay.percent, 100)
        (data, made), = contents
        self.assertEqual(len(data), made["bytes"])
        self.assertEqual(data[:4], bytes([0xBF, 0x80, 0x40, 0xFF]))  # cleared to, as BGRA

    def test_steps_come_to_what_the_run_in_one_does(self):
        whole = pfifo.run(sample("nv40-clear"))
        methods, places = [], []
        with pfifo.Replay(sample("nv40-clear")) as replay:
            replay.gpu.observe("puller.method", lambda e: methods.append(e))
            self.assertFalse(replay.running)
            self.assertTrue(replay.step())
            self.assertTrue(replay.running)
            self.assertEqual((methods, replay.result.submissions), ([], 1))
            while not methods:
                replay.step()
            for _ in range(20):
                place = replay.progress(methods[-1].channel)
                places.append(place)
                replay.step()
            self.assertIsNone(replay.progress(99))
            self.assertEqual(places[0].last.method, methods[0].values["method"])
            self.assertTrue(all(p.next is None or p.next.word is not None for p in places))
            seen = list(replay)
            self.assertEqual([s.sequence for s in seen], list(range(1, whole.submissions + 1)))
            self.assertEqual(replay.result, whole)
            with self.assertRaises(ValueError):
                replay.step(-1)

    def test_handles_are_those_of_buffers_that_are_there(self):
        with pfifo.Replay(sample("nv40-clear")) as replay:
            next(iter(replay))
            handles = replay.buffers()
            self.assertEqual(handles, sorted(set(handles)))
            self.assertTrue(handles and all(replay.buffer(handle) is not None for handle in handles))

    def test_who_replays_second_takes_the_capture_from_the_first(self):
        with pfifo.Capture(sample("nv117-quad")) as capture, pfifo.Replay(capture) as first:
            next(iter(first))
            self.assertEqual(pfifo.run(capture).submissions, 5)
            with self.assertRaises(pfifo.BusyError):
                next(iter(first))

    def test_a_budget_ends_a_run(self):
        self.assertEqual(pfifo.run(sample("nv117-quad"), budget=1).stop, pfifo.Stop.BUDGET)

    def test_another_chip_of_the_family(self):
        self.assertEqual(pfifo.run(sample("nvc0-clear"), chip="GF110").submissions, int(expected("nvc0-clear")[0]))


class Pictures(unittest.TestCase):
    def draw(self, name):
        pictures = []
        with pfifo.Replay(sample(name)) as replay:
            replay.gpu.observe("engine.draw", lambda e: pictures.append((e.draw, replay.gpu.picture(e.draw.shown))))
            list(replay)
        return pictures

    def test_a_picture_is_what_was_drawn(self):
        draw, picture = self.draw("nv117-quad")[0]
        self.assertEqual((picture.width, picture.height, len(picture.data)), (64, 64, 64 * 64 * 4))
        self.assertEqual(picture.pixel(0, 0)[:3], (0x40, 0x80, 0xBF))  # cleared to
        self.assertEqual(picture.rows[0, 0, 1], 0x80)
        self.assertEqual(picture.rows.shape, (64, 64, 4))
        # A texture of 4 x 4 texels on the quad in the middle: red grows by 0x40 with each.
        self.assertEqual([picture.pixel(x, 17)[0] for x in (17, 25, 33, 41)], [0x20, 0x60, 0xA0, 0xE0])
        self.assertEqual((draw.clear, draw.object_class, draw.vertices), (False, 0xB097, 4))
        self.assertEqual((draw.first, draw.instance), (0, 0))
        texture = draw.textures[0]
        self.assertEqual((texture.header, texture.shape, texture.format, texture.width, texture.height),
                         (0, "2D", "A8B8G8R8", 4, 4))

    def test_a_png_holds_the_pixels(self):
        picture = pfifo.Picture(2, 1, bytes(range(8)))
        png = picture.png()
        self.assertEqual(struct.unpack(">II", png[16:24]), (2, 1))
        at = png.index(b"IDAT")
        size = struct.unpack(">I", png[at - 4 : at])[0]
        self.assertEqual(zlib.decompress(png[at + 4 : at + 4 + size]), b"\0" + bytes(range(8)))
        with self.assertRaises(IndexError):
            picture.pixel(2, 0)

    def test_a_surface_of_bytes(self):
        picture = pfifo.read_picture("GM20B", bytes([3, 2, 1, 4]) * 2, 2, 1, format=0xCF)
        self.assertEqual([picture.pixel(x, 0) for x in (0, 1)], [(1, 2, 3, 4)] * 2)
        blocks = pfifo.read_picture("GM20B", bytes(range(256)) * 2, 16, 8, block_height=0, pitch=64)
        self.assertEqual(blocks.pixel(0, 0), (0, 1, 2, 3))
        with self.assertRaises(pfifo.ArgumentError):
            pfifo.read_picture("NV40", bytes(64), 4, 4, block_height=0)


class Textures(unittest.TestCase):
    def test_a_texture_by_its_header_is_what_the_draw_read(self):
        seen = []
        with pfifo.Replay(sample("nv117-quad")) as replay:
            gpu = replay.gpu
            gpu.observe("engine.draw", lambda event: seen.append(
                [gpu.picture("tic:0"), gpu.picture("tic:0x0", channel=event.channel), event.draw.textures[0]]))
            list(replay)
            first, again, texture = seen[0]
            self.assertEqual((first.width, first.height), (texture.width, texture.height))
            self.assertEqual(first, again)
            self.assertGreater(len({first.pixel(x, y) for x in range(4) for y in range(4)}), 8)
            with self.assertRaisesRegex(pfifo.ArgumentError, "no 3D object"):
                gpu.picture("tic:0")  # its channel is closed

    def test_what_there_is_no_texture_of(self):
        refused = []

        def look(event):
            for name, more in (("tic:0", {"level": 9}), ("tic:0", {"layer": 1}), ("tic:99999", {}), ("tic:0", {"channel": 77}),
                               ("tic:", {}), ("tic:-1", {}), ("tic:9999999999", {}), ("target", {}),
                               (event.draw.shown, {"level": 1})):
                with self.assertRaises(pfifo.ArgumentError):
                    event_gpu.picture(name, **more)
                refused.append(name)
            with self.assertRaises(ValueError):
                event_gpu.picture("tic:0", level=-1)

        with pfifo.Replay(sample("nv117-quad")) as replay:
            event_gpu = replay.gpu
            event_gpu.observe("engine.draw", look)
            list(replay)
        self.assertEqual(len(refused), 9)
        with pfifo.GPU("GM107") as gpu, self.assertRaises(pfifo.UnsupportedError):
            gpu.picture("tic:0")
        with pfifo.Replay(sample("nv40-quad")) as replay, self.assertRaises((pfifo.UnsupportedError, pfifo.ArgumentError)):
            replay.gpu.picture("tic:0")


@unittest.skipUnless("PFIFO_TOOL" in os.environ, "the tool is not built")
class Lint(unittest.TestCase):
    # A method that the class does not have, twice.
    TEXT = "inc 0 SET_OBJECT 0xb097\ninc 0 0x3ff8 1\ninc 0 0x3ff8 2"

    @staticmethod
    def assembled(chip, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            source, path = os.path.join(folder, "words.s"), os.path.join(folder, "words.nvcap")
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            subprocess.run([os.environ["PFIFO_TOOL"], "asm", f"--chip={chip}", *options, "-o", path, source], check=True)
            with open(path, "rb") as file:
                return pfifo.Capture(file.read(), "words")

    def capture(self):
        return self.assembled("GM107", self.TEXT), pfifo.assemble("GM107", self.TEXT)

    def test_a_clean_capture_has_no_findings(self):
        lint = pfifo.lint(sample("nv117-quad"))
        self.assertEqual((lint.findings, lint.faults, lint.whole), ((), 0, True))
        self.assertEqual(lint.submissions, len(list(pfifo.Replay(sample("nv117-quad")))))

    def test_a_finding_names_its_word(self):
        capture, words = self.capture()
        with capture:
            for again in range(2):
                finding, = pfifo.lint(capture, rules="unknown-*").findings
        self.assertEqual((finding.rule.name, finding.count, finding.submission), ("unknown-method", 2, 1))
        self.assertEqual((finding.word.method, finding.word.data, finding.class_name), (0x3FF8, 1, "MAXWELL_A"))
        self.assertEqual(finding.word.offset, 4 * words.index(1))
        self.assertIn(finding.rule, pfifo.lint_rules())

    def test_the_state_that_a_method_needs_is_of_its_word(self):
        text = "bind 2 NV3_M2MF\ninc 2 OBJECT 0xbeef0039\ninc 2 OFFSET_IN 0x101000 0x101800 16 16 16 1 0x101 0"
        with self.assembled("NV34", text, "--object=0xbeef0039=0039") as capture:
            findings = pfifo.lint(capture).findings
            faults = pfifo.run(capture).faults
        self.assertEqual([(f.text[:14], f.word.missing_method, f.word.missing_why, f.word.missing_count) for f in findings],
                         [("STATE_INVALID:", state, "no DMA object", 1) for state in (0x180, 0x184, 0x188)])
        self.assertEqual([(f.word.missing_method, f.word.missing_count) for f in faults], [(0x180, 3)])

    def test_rules_are_chosen_by_globs(self):
        capture, _ = self.capture()
        with capture:
            self.assertEqual(pfifo.lint(capture, rules="object-not-bound").findings, ())
            with self.assertRaises(pfifo.ArgumentError):
                pfifo.lint(capture, rules="no-such-rule")
            with self.assertRaises(ValueError):
                pfifo.lint(capture, budget=-1)
            with self.assertRaises(TypeError):
                pfifo.lint(capture, rules=None)
        with self.assertRaises(pfifo.ClosedError):
            pfifo.lint(capture)


class Example(unittest.TestCase):
    def test_the_example_runs(self):
        out, argv = io.StringIO(), sys.argv
        try:
            sys.argv = [str(EXAMPLE), str(sample("nv117-quad"))]
            with redirect_stdout(out):
                runpy.run_path(str(EXAMPLE), run_name="__main__")
        finally:
            sys.argv = argv
        self.assertIn("GM107", out.getvalue())
        self.assertIn("64 x 64", out.getvalue())


if __name__ == "__main__":
    unittest.main()
