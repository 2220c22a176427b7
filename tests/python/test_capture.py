# SPDX-License-Identifier: MIT
"""Captures, decoded lines, queries, the assembler."""
import dataclasses
import json
import lzma
import os
import pathlib
import unittest

import pfifo

SAMPLES = pathlib.Path(os.environ["PFIFO_SAMPLES"]) / "captures"
QUAD = SAMPLES / "nv117-quad.nvcap.xz"
CLEAR = SAMPLES / "nv40-clear.nvcap.xz"
FILL = SAMPLES.parent / "vulkan" / "nv117-fill.nvcap.zst"
SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "json.schema.json"


def expected():
    rows = (line.split("\t") for line in (SAMPLES / "expected.tsv").read_text().splitlines()[1:])
    return {row[0]: row[1:] for row in rows}


class Read(unittest.TestCase):
    def test_a_capture_names_itself_and_its_chip(self):
        with pfifo.Capture(QUAD) as capture:
            self.assertEqual((capture.name, capture.chip.name, capture.version), ("nv117-quad", "GM107", 1))
            self.assertFalse(capture.truncated)
            self.assertEqual(len(capture), len(lzma.open(QUAD).read()))

    def test_a_capture_in_memory_is_the_same(self):
        with pfifo.Capture(QUAD) as file, pfifo.Capture(lzma.open(QUAD).read(), "nv117-quad") as memory:
            self.assertEqual(list(file), list(memory))

    def test_files_of_other_programs_are_captures(self):
        with pfifo.Capture(SAMPLES.parent / "traces" / "rsx-frame.rrc.gz") as frame:
            self.assertEqual(frame.chip.name, "RSX")
            self.assertEqual([line.data for line in frame.decode("CLEAR_BUFFERS")], [0xf3])
        with pfifo.Capture(SAMPLES.parent / "logs" / "nv2a-frame.xemu") as log:
            self.assertEqual(log.chip.name, "NV2A")
            self.assertEqual([line.data for line in log.decode("CLEAR_BUFFERS")], [0xf3, 0xf0])

    def test_records_have_what_the_file_says(self):
        with pfifo.Capture(QUAD) as capture:
            records = list(capture.records())
            self.assertEqual(records, list(capture.records()))
        self.assertEqual(records[0].type, "TEXT")
        texts = {r.values["key"]: r.values["value"] for r in records if r.type == "TEXT"}
        self.assertEqual(int(texts["chipset"], 16), 0x117)
        submissions = [r.values["sequence"] for r in records if r.type == "SUBMIT"]
        self.assertEqual(submissions, list(range(1, 1 + int(expected()["nv117-quad"][0]))))
        words = sum(len(r.values["words"]) // 4 for r in records if r.type == "PUSH")
        self.assertEqual(words, int(expected()["nv117-quad"][1]))

    def test_captures_of_version_3_say_what_is_mapped_and_waited_for(self):
        with pfifo.Capture(FILL) as capture:
            self.assertEqual(capture.version, 3)
            records = list(capture.records())
            lines = [line for line in capture if line.event == "sync"]
        space = next(r.values for r in records if r.type == "VMINIT")
        self.assertEqual((space["space"], space["kept"], space["kept_bytes"]), (1, 1 << 39, 1 << 39))
        push = next(r.values for r in records if r.type == "PUSH")
        binds = [r.values for r in records if r.type == "BIND" and r.values["how"] == 0]
        self.assertTrue(any(b["handle"] == push["handle"] and b["address"] <= push["address"] < b["address"] + b["bytes"]
                            for b in binds))
        syncs = [r.values for r in records if r.type == "SYNC" and r.values["how"] < 2]
        self.assertEqual([(line.object, line.point) for line in lines], [(s["object"], s["point"]) for s in syncs])

    def test_who_reads_second_takes_the_capture_from_the_first(self):
        with pfifo.Capture(QUAD) as capture:
            first = capture.records()
            next(first)
            next(capture.records())
            with self.assertRaises(pfifo.BusyError):
                next(first)

    def test_a_malformed_capture_gives_what_is_good_and_then_raises(self):
        data = lzma.open(QUAD).read()[:-100]
        seen = []
        with pfifo.Capture(data, "cut") as capture, self.assertRaisesRegex(pfifo.FormatError, "cut"):
            for line in capture:
                seen.append(line)
        self.assertGreater(len(seen), 1000)


class Decode(unittest.TestCase):
    def test_lines_are_counted_as_the_samples_say(self):
        for name in ("nv40-quad", "nva3-quad", "nvc0-quad", "nv117-quad"):
            with pfifo.Capture(SAMPLES / f"{name}.nvcap.xz") as capture:
                lines = list(capture)
            wanted = expected()[name]
            self.assertEqual(sum(line.event == "submission" for line in lines), int(wanted[0]), name)
            self.assertEqual(sum(line.event == "method" for line in lines), int(wanted[2]), name)

    def test_a_line_has_names_and_fields(self):
        with pfifo.Capture(CLEAR) as capture:
            line = next(capture.decode("CLEAR_COLOR_VALUE"))
        self.assertEqual((line.event, line.object_class, line.class_name, line.method, line.name, line.subchannel),
                         ("method", 0x4097, "NV40_3D", 0x1D90, "CLEAR_COLOR_VALUE", 7))
        self.assertEqual(line.fields, {"B": 191, "G": 128, "R": 64, "A": 255})

    def test_a_line_has_the_keys_of_the_schema(self):
        keys = set(json.loads(SCHEMA.read_text())["$defs"]["decoded"]["properties"])
        self.assertEqual({"class" if f.name == "object_class" else f.name for f in dataclasses.fields(pfifo.Line)}, keys)

    def test_a_query_chooses_lines_and_can_be_used_again(self):
        with pfifo.Capture(QUAD) as capture, pfifo.Query("LAUNCH_DMA") as query:
            first = list(capture.decode(query))
            self.assertTrue(first and all(line.name == "LAUNCH_DMA" for line in first))
            self.assertEqual(first, list(capture.decode("LAUNCH_DMA")))
            self.assertEqual(first, list(capture.decode(query)))
            self.assertGreater(len(list(capture.decode(query, before=1, after=1))), len(first))

    def test_words_are_decoded_without_a_capture(self):
        words = pfifo.assemble("GM107", "inc 0 0 0xb097\nimm 0 0x1400 5")
        self.assertEqual(words, [0x20010000, 0xB097, 0x80050500])
        lines = list(pfifo.decode_words("GM107", words, base=0x1000))
        methods = [line for line in lines if line.event == "method"]
        self.assertEqual([(m.class_name, m.method, m.data) for m in methods],
                         [("MAXWELL_A", 0, 0xB097), ("MAXWELL_A", 0x1400, 5)])
        self.assertEqual(methods[0].address, 0x1004)
        encoded = b"".join(word.to_bytes(4, "little") for word in words)
        self.assertEqual(lines, list(pfifo.decode_words("GM107", encoded, base=0x1000)))

    def test_words_before_the_chip_are_taken_with_a_warning(self):
        for words, chip in (([0x80050500], "GM107"), (b"\0\5\5\x80", pfifo.chip("GM107")), ([0x80050500], 0x117)):
            with self.assertWarnsRegex(DeprecationWarning, "the chip before the words") as warned:
                lines = list(pfifo.decode_words(words, chip))
            self.assertEqual(warned.filename, __file__)
            self.assertEqual(lines, list(pfifo.decode_words(chip, words)))

    def test_bound_classes_name_methods(self):
        words = pfifo.assemble("GM107", "inc 3 0x1b0 0")
        line = list(pfifo.decode_words("GM107", words, bound={3: 0xB0B5}))[-1]
        self.assertEqual(line.object_class, 0xB0B5)

    def test_the_assembler_names_the_line_that_is_wrong(self):
        with self.assertRaisesRegex(pfifo.ArgumentError, "2"):
            pfifo.assemble("GM107", ["nop", "bogus"])


@unittest.skipUnless("PFIFO_TOOL" in os.environ, "the tool is not built")
class Explain(unittest.TestCase):
    def test_a_method_with_its_data(self):
        method, = pfifo.explain("FERMI_A.CLEAR_SURFACE=0x3c")
        self.assertEqual((method["is"], method["class"], method["offset"], method["data"]), ("method", 0x9097, 0x19D0, 0x3C))
        self.assertIn("R_ENABLE=TRUE", method["says"])

    def test_a_chip_makes_numbers_into_registers_and_words(self):
        found = {meaning["is"] for meaning in pfifo.explain("0x2100", chip="GM107")}
        self.assertIn("register", found)
        with self.assertRaisesRegex(pfifo.ArgumentError, "is not a class"):
            pfifo.explain("0x2100")

    def test_lines_of_a_log(self):
        line = "nouveau 0000:01:00.0: gr: DATA_ERROR 0000000c [INVALID_BITFIELD] ch 2 subc 0 class 9097 mthd 19d0 data 0000003c"
        self.assertEqual(pfifo.explain(line)[0]["is"], pfifo.explain(line + "\n" + line)[0]["is"])
        long = "\n".join([line] * 2000)  # longer than an argument may be
        self.assertTrue(pfifo.explain(long))

    def test_what_is_not_known(self):
        for thing in ("NOSUCH", "", "--help", "a\nb"):
            with self.assertRaises(pfifo.ArgumentError):
                pfifo.explain(thing)
        with self.assertRaises(pfifo.ArgumentError):
            pfifo.explain("FERMI_A", chip="NV99")

    def test_without_the_command_it_says_so(self):
        before = os.environ["PFIFO_TOOL"]
        os.environ["PFIFO_TOOL"] = "/nonexistent/pfifo"
        try:
            with self.assertRaisesRegex(pfifo.UnsupportedError, "/nonexistent/pfifo"):
                pfifo.explain("FERMI_A")
        finally:
            os.environ["PFIFO_TOOL"] = before


if __name__ == "__main__":
    unittest.main()
