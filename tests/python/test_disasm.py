# SPDX-License-Identifier: MIT
"""Compiled programs, and the script that makes the samples."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import pfifo

CUBINS = pathlib.Path(os.environ["PFIFO_SAMPLES"]) / "cubins"
EXIT = 0xE30000000007000F


class Disassemble(unittest.TestCase):
    def test_a_cubin_says_what_its_kernel_does(self):
        items = list(pfifo.disassemble(CUBINS / "vadd.cubin"))
        kernel = next(item for item in items if item.kind == "function")
        self.assertEqual((kernel.name, kernel.registers, kernel.is_kernel, kernel.chip.name), ("vadd", 6, True, "GM204"))
        self.assertEqual((kernel.parameters_at, kernel.parameters_bytes), (0x140, 0x10))
        texts = {item.address: item.text for item in items if item.kind == "instruction"}
        self.assertEqual((texts[0x50], texts[0x90]), ("@P0 EXIT", "FADD R3, R2, R4"))
        constants = [item.data for item in items if item.kind == "constants"]
        self.assertEqual((len(constants[0]), constants[1]), (0x150, bytes.fromhex("0000803fdb0f4940")))

    def test_bytes_are_the_same_as_their_file(self):
        path = CUBINS / "vadd.fatbin"
        self.assertEqual(list(pfifo.disassemble(str(path))), list(pfifo.disassemble(path.read_bytes())))

    def test_words_are_listed_for_a_chip(self):
        items = list(pfifo.disassemble(EXIT.to_bytes(8, "little"), "GM107", base=8, raw=True))
        self.assertEqual([item.kind for item in items], ["program", "function", "instruction"])
        self.assertEqual((items[2].address, items[2].word, items[2].text), (8, EXIT, "EXIT"))
        with self.assertRaisesRegex(pfifo.ArgumentError, "--chip"):
            list(pfifo.disassemble(b"0xe30000000007000f\n"))

    def test_what_is_wrong_comes_after_what_was_found(self):
        damaged = bytearray((CUBINS / "vadd.cubin").read_bytes())
        damaged[48] = 75
        with self.assertRaisesRegex(pfifo.UnsupportedError, "0x30: it is for sm_75"):
            list(pfifo.disassemble(damaged))
        found = []
        with self.assertRaises(pfifo.FormatError):
            for item in pfifo.disassemble((CUBINS / "vadd.fatbin").read_bytes()[:-8]):
                found.append(item.kind)
        with self.assertRaises(ValueError):
            list(pfifo.disassemble(b"", "GM107", base=-1))

    def test_the_script_makes_the_samples(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([CUBINS / "make", folder], check=True)
            for name in ("vadd.cubin", "vadd.fatbin"):
                self.assertEqual((pathlib.Path(folder) / name).read_bytes(), (CUBINS / name).read_bytes(), name)


if __name__ == "__main__":
    unittest.main()
