# SPDX-License-Identifier: MIT
"""Do the declarations for ctypes agree with the headers?"""
import ctypes
import os
import pathlib
import re
import subprocess
import unittest

import layouts
import pfifo
from pfifo import _native, _structs, decode, event, gpu, replay

TOP = pathlib.Path(__file__).resolve().parents[2]


def headers():
    """All of them, without comments."""
    text = "\n".join(path.read_text() for path in sorted((TOP / "include/pfifo").glob("*.h")))
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


class Layout(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.compiled, cls.constant = {}, {}
        for line in subprocess.check_output([os.environ["PFIFO_LAYOUTS"]], text=True).splitlines():
            first, second, *rest = line.split()
            if first == "=":
                cls.constant[second] = int(rest[0])
            else:
                cls.compiled[first, second] = (int(rest[0]), int(rest[1]))

    def test_structures_have_the_sizes_and_offsets_of_the_compiler(self):
        for s in _structs.ALL:
            self.assertEqual(self.compiled[s.C_NAME, "-"], (0, ctypes.sizeof(s)), s.C_NAME)
            for name in layouts.fields(s):
                field = getattr(s, name)
                self.assertEqual(self.compiled[s.C_NAME, name], (field.offset, field.size), f"{s.C_NAME}.{name}")

    def test_structures_have_every_field_of_the_headers(self):
        text = headers()
        for s in _structs.ALL:
            body = re.search(r"\nstruct %s \{\n(.*?)\n\};" % s.C_NAME, text, re.S).group(1)
            names = set()
            for declaration in body.replace("union {", "").replace("};", ";").split(";"):
                for part in declaration.split(",") if "(" not in declaration else [declaration]:
                    found = re.search(r"\(\*(\w+)\)|(\w+)(?:\[\w+\])?\s*$", part)
                    if found and found.group(0) != "}":
                        names.add(found.group(1) or found.group(2))
            self.assertEqual(names, set(layouts.fields(s)), s.C_NAME)

    def test_functions_take_as_many_arguments_as_in_the_headers(self):
        text = headers()
        for name, (_, arguments) in _native.FUNCTIONS.items():
            found = re.search(r"\b%s\(([^;]*)\);" % name, text)
            self.assertTrue(found, name)
            wanted = 0 if found.group(1) == "void" else found.group(1).count(",") + 1
            self.assertEqual(wanted, len(arguments), name)

    def test_every_file_of_the_module_is_installed(self):
        folder = TOP / "python/pfifo"
        listed = set(re.findall(r"^    '([\w.]+)',$", (folder / "meson.build").read_text(), re.M))
        self.assertEqual(listed | {"meson.build"}, {path.name for path in folder.iterdir() if path.is_file()})

    def test_constants_are_those_of_the_headers(self):
        c = self.constant
        kinds = {pfifo.ArgumentError: "ARGUMENT", pfifo.OutOfMemoryError: "MEMORY", pfifo.UnsupportedError: "UNSUPPORTED",
                 pfifo.FormatError: "FORMAT", pfifo.FileError: "IO", pfifo.FaultError: "FAULT",
                 pfifo.TimeoutExceeded: "TIMEOUT"}
        self.assertEqual({kind.status: c["PFIFO_ERROR_" + name] for kind, name in kinds.items()},
                         {kind.status: kind.status for kind in kinds})
        self.assertEqual({stop.name: c["PFIFO_STOP_" + stop.name] for stop in pfifo.Stop},
                         {stop.name: stop.value for stop in pfifo.Stop})
        self.assertEqual((c["PFIFO_MEMORY_SHARED"], c["PFIFO_RESET_KEEP_MEMORY"]), (gpu.SHARED, gpu.KEEP_MEMORY))
        self.assertEqual((c["PFIFO_EVENT_TEXT"], c["PFIFO_EVENT_CHANNEL"]), (event.TEXT, event.CHANNEL))
        self.assertEqual((c["PFIFO_DECODE_JSON"], c["PFIFO_REPLAY_BUDGET"]), (decode.JSON, replay.BUDGET))
        self.assertEqual((c["PFIFO_STREAM_END"], c["PFIFO_STREAM_SYNC"]), (0, len(_structs.RECORDS)))


if __name__ == "__main__":
    unittest.main()
