# SPDX-License-Identifier: MIT
"""Wrong use raises, and never crashes."""
import contextlib
import gc
import lzma
import os
import pathlib
import random
import subprocess
import sys
import threading
import unittest

import pfifo

SAMPLES = pathlib.Path(os.environ["PFIFO_SAMPLES"]) / "captures"
QUAD = SAMPLES / "nv117-quad.nvcap.xz"


class Closed(unittest.TestCase):
    def test_a_closed_gpu_raises_whatever_is_asked(self):
        gpu = pfifo.GPU("NV4")
        observer = gpu.observe("*", print)
        state = gpu.save()
        gpu.close()
        gpu.close()
        observer.close()
        self.assertTrue(gpu.closed)
        for ask in (lambda: gpu.rd32(0), lambda: gpu.wr32(0, 0), gpu.run, gpu.step, gpu.save, lambda: gpu.load(state),
                    gpu.reset, gpu.registers, lambda: gpu.vram, lambda: gpu.system, lambda: gpu.irq, lambda: gpu.stop,
                    lambda: gpu.chip, lambda: gpu.has_work, lambda: gpu.bar_read(0, 0, 4), lambda: gpu.bar_write(0, 0, b"1"),
                    lambda: gpu.observe("*", print), lambda: gpu.pass_time(1), lambda: gpu.method_value(0, 0, 0),
                    lambda: gpu.offset("PMC.INTR"), lambda: gpu.register_name(0), lambda: gpu.bar_bytes(0)):
            with self.assertRaises(pfifo.ClosedError):
                ask()
        self.assertIn("closed", repr(gpu))

    def test_a_closed_capture_raises(self):
        capture = pfifo.Capture(QUAD)
        lines, records = capture.decode(), capture.records()
        next(records)
        capture.close()
        for ask in (lambda: next(lines), lambda: next(records), lambda: capture.name, lambda: len(capture),
                    lambda: list(capture), lambda: capture.chip, lambda: pfifo.run(capture)):
            with self.assertRaises(pfifo.ClosedError):
                ask()

    def test_a_closed_query_raises(self):
        query = pfifo.Query("LAUNCH_DMA")
        query.close()
        with pfifo.Capture(QUAD) as capture, self.assertRaises(pfifo.ClosedError):
            list(capture.decode(query))

    def test_the_gpu_of_a_replay_ends_with_it(self):
        replay = pfifo.Replay(QUAD)
        targets = []
        replay.gpu.observe("engine.draw", lambda e: targets.append(e.draw.shown))
        list(replay)
        gpu, system = replay.gpu, replay.gpu.system
        gpu.close()
        gpu.rd32(0)
        replay.close()
        system[0] = 1
        for ask in (lambda: gpu.rd32(0), lambda: gpu.picture(targets[0]), lambda: replay.result, gpu.run):
            with self.assertRaises(pfifo.ClosedError):
                ask()
        self.assertEqual(list(replay), [])

    def test_a_capture_that_goes_during_a_replay(self):
        capture = pfifo.Capture(QUAD)
        with pfifo.Replay(capture) as replay:
            next(iter(replay))
            capture.close()
            with self.assertRaises(pfifo.ClosedError):
                list(replay)

    def test_what_nobody_has_any_more_is_freed_in_any_order(self):
        for _ in range(20):
            replay = pfifo.Replay(QUAD)
            replay.gpu.observe("*", lambda e: None)
            next(iter(replay))
            gpu = replay.gpu
            del replay
            gc.collect()
            gpu.rd32(0)
            del gpu
            gc.collect()

    def test_the_interpreter_ends_with_all_open(self):
        code = ("import pfifo; g = pfifo.GPU('NV4'); g.observe('*', print); v = g.vram\n"
                f"c = pfifo.Capture({str(QUAD)!r}); r = pfifo.Replay(c); i = iter(r); next(i); d = c.decode(); next(d)")
        done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", code], capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))


class Wrong(unittest.TestCase):
    def test_wrong_types_raise(self):
        with pfifo.GPU("NV4") as gpu, pfifo.Capture(QUAD) as capture:
            for ask in (lambda: pfifo.GPU(None), lambda: pfifo.GPU(4.0), lambda: pfifo.chip([]), lambda: gpu.rd32(1.5),
                        lambda: gpu.rd32(None), lambda: gpu.wr32(0, "x"), lambda: gpu.load(None), lambda: gpu.load(7),
                        lambda: gpu.load("x"), lambda: gpu.observe(None, print), lambda: gpu.observe("*", None),
                        lambda: gpu.picture(None), lambda: gpu.picture(b"x"), lambda: gpu.bar_write(0, 0, None),
                        lambda: gpu.bar_read(0, 0, None), lambda: gpu.run("x"), lambda: pfifo.Query(None),
                        lambda: pfifo.Query(b"x"), lambda: list(capture.decode(7)), lambda: pfifo.Capture(None),
                        lambda: pfifo.Capture(7), lambda: pfifo.explain(7), lambda: pfifo.lint(7), lambda: pfifo.explain(None),
                        lambda: list(pfifo.decode_words("NV40", 7)),
                        lambda: list(pfifo.decode_words("NV40", "x")), lambda: list(pfifo.decode_words("NV40", [None])),
                        lambda: pfifo.assemble("NV40", 7), lambda: pfifo.assemble("NV40", [7]), lambda: pfifo.run(None),
                        lambda: pfifo.read_picture("NV40", None, 1, 1), lambda: pfifo.registers(None)):
                with self.assertRaises(TypeError):
                    ask()

    def test_numbers_out_of_range_raise(self):
        with pfifo.GPU("NV4") as gpu:
            for ask in (lambda: gpu.rd32(1 << 32), lambda: gpu.rd32(-1), lambda: gpu.wr32(0, 1 << 32),
                        lambda: gpu.bar_read(0, 0, -1), lambda: gpu.bar_read(0, -1, 1), lambda: gpu.bar_read(1 << 32, 0, 1),
                        lambda: gpu.run(-1), lambda: gpu.run(1 << 64), lambda: pfifo.GPU("NV4", vram_bytes=-1),
                        lambda: pfifo.GPU("NV4", vram_bytes=5), lambda: pfifo.chip(-1), lambda: pfifo.chip(1 << 40),
                        lambda: list(pfifo.decode_words("NV40", [1 << 32])),
                        lambda: list(pfifo.decode_words("NV40", [], bound={8: 1})),
                        lambda: pfifo.read_picture("NV40", b"", 1 << 31, 1 << 31)):
                with self.assertRaises(ValueError):
                    ask()
            self.assertEqual(gpu.bar_read(9, 1 << 60, 4), bytes(4))
            self.assertEqual(gpu.bar_read(1, (1 << 64) - 1, 8), bytes(8))

    def test_strings_with_zeros_raise(self):
        for ask in (lambda: pfifo.chip("NV4\0"), lambda: pfifo.Query("a\0b"), lambda: pfifo.Capture("a\0b"),
                    lambda: pfifo.assemble("NV40", "nop\0")):
            with self.assertRaises(ValueError):
                ask()

    def test_errors_say_what_is_wrong(self):
        with self.assertRaisesRegex(pfifo.FileError, "no-such-file"):
            pfifo.Capture("/no-such-file")
        with self.assertRaisesRegex(pfifo.FormatError, "rubbish"):
            pfifo.Capture(b"rubbish that is no capture", "rubbish")
        with self.assertRaisesRegex(pfifo.ArgumentError, "NO_SUCH_METHOD"):
            pfifo.Query("NO_SUCH_METHOD")
        self.assertTrue(issubclass(pfifo.FormatError, pfifo.PfifoError))

    def test_a_target_of_another_gpu_is_refused(self):
        targets = []
        with pfifo.Replay(QUAD) as replay, pfifo.GPU("GM107") as other:
            replay.gpu.observe("engine.draw", lambda e: targets.append(e.draw.shown))
            list(replay)
            with self.assertRaises(pfifo.ArgumentError):
                other.picture(targets[0])
            replay.gpu.reset()
            with self.assertRaises(pfifo.PfifoError):
                replay.gpu.picture(targets[0])


class Damaged(unittest.TestCase):
    def test_damaged_captures_raise_or_run(self):
        numbers = random.Random(1)
        for name in ("nv40-clear", "nva3-quad", "nv117-quad"):
            good = lzma.open(SAMPLES / f"{name}.nvcap.xz").read()
            for _ in range(20):
                bad = bytearray(good)
                for _ in range(numbers.randrange(1, 30)):
                    bad[numbers.randrange(8, len(bad))] = numbers.randrange(256)
                with contextlib.suppress(pfifo.PfifoError), pfifo.Capture(bytes(bad), name) as capture:
                    with contextlib.suppress(pfifo.PfifoError):
                        list(capture)
                    pfifo.run(capture, budget=10000)


class Callbacks(unittest.TestCase):
    def test_an_observer_cannot_change_the_gpu(self):
        with pfifo.GPU("NV4") as gpu:
            refused = []

            def meddle(_):
                for ask in (gpu.run, gpu.close, gpu.save, gpu.reset, lambda: gpu.wr32(0, 0), observer.close,
                            lambda: gpu.observe("*", print)):
                    try:
                        ask()
                    except pfifo.BusyError:
                        refused.append(ask)

            observer = gpu.observe("bus.*", meddle)
            gpu.rd32(0xFFFFFC)
            self.assertEqual(len(refused) % 7, 0)
            self.assertGreater(len(refused), 0)
            self.assertFalse(gpu.closed)

    def test_an_observer_cannot_end_its_replay(self):
        with pfifo.Replay(QUAD) as replay:
            replay.gpu.observe("engine.draw", lambda e: replay.close())
            with self.assertRaises(pfifo.BusyError):
                list(replay)
            self.assertFalse(replay.closed)

    def test_threads_wait_for_each_other(self):
        with pfifo.GPU("NV4") as gpu:
            failed = []

            def work(number):
                try:
                    for value in range(300):
                        gpu.vram[number] = value & 0xFF
                        gpu.wr32("CACHE1_PUSH0", value & 1)
                        gpu.run(100)
                except Exception as reason:  # pylint: disable=broad-except
                    failed.append(reason)

            threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(failed, [])


class Library(unittest.TestCase):
    def test_a_library_that_is_not_there_is_an_import_error_with_its_name(self):
        env = dict(os.environ, PFIFO_LIBRARY="/nowhere/libpfifo.so")
        code = "try:\n import pfifo\nexcept ImportError as e:\n print(e)"
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        self.assertIn("/nowhere/libpfifo.so", done.stdout)


if __name__ == "__main__":
    unittest.main()
