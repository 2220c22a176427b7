# SPDX-License-Identifier: MIT
"""GPUs: chips, registers, memory, runs, events, states."""
import gc
import unittest

import pfifo


def pio(gpu):
    """NV4: the pusher is on, the puller off, and a method is in CACHE1."""
    gpu.wr32("PMC.ENABLE", 0xFFFFFFFF)
    gpu.wr32("CACHE1_PUSH0", 1)
    gpu.wr32("CACHE1_PUSH1", 0)
    gpu.wr32(0x800100, 7)


class Chips(unittest.TestCase):
    def test_the_table_of_chips(self):
        chips = pfifo.chips()
        self.assertEqual((chips[0].name, chips[-1].name), ("NV1", "GH100"))
        nv40 = pfifo.chip("nv40")
        self.assertEqual((nv40.id, nv40.generation, nv40.host_class, nv40.runs), (0x40, "Curie", 0x406E, True))
        self.assertEqual(nv40, pfifo.chip(0x40))
        self.assertIn(nv40, chips)
        with self.assertRaisesRegex(pfifo.ArgumentError, "NV99"):
            pfifo.chip("NV99")

    def test_registers_of_a_chip_that_cannot_be_run(self):
        self.assertIn("BOOT_0", {r.name for r in pfifo.registers("GH100")})
        with self.assertRaises(pfifo.UnsupportedError):
            pfifo.GPU("GH100")


class Registers(unittest.TestCase):
    def test_registers_are_read_and_written_by_name_and_offset(self):
        with pfifo.GPU("NV4") as gpu:
            self.assertEqual(gpu.rd32("PMC.BOOT_0"), gpu.chip.boot0)
            gpu.wr32("PMC.ENABLE", 0xFFFFFFFF)
            gpu.wr32("CACHE1_PUSH0", 1)
            self.assertEqual(gpu.rd32(0x3200), 1)
            self.assertEqual((gpu.offset("CACHE1_GET"), gpu.register_name(0x3270)), (0x3270, "CACHE1_GET"))
            self.assertIsNone(gpu.register_name(0xFFFFFC))
            register = next(r for r in gpu.registers() if r.name == "CACHE1_PUSH0")
            self.assertEqual((register.unit, register.offset, register.writable), ("PFIFO", 0x3200, 1))
            with self.assertRaises(pfifo.ArgumentError):
                gpu.rd32("NO_SUCH_REGISTER")

    def test_a_method_by_pio_stays_in_cache1(self):
        with pfifo.GPU("NV4") as gpu:
            pio(gpu)
            self.assertEqual(gpu.rd32("CACHE1_PUT"), 4)
            self.assertEqual(gpu.step(), pfifo.Stop.FROZEN)
            self.assertEqual(gpu.stop.reason, pfifo.Stop.FROZEN)


class Memory(unittest.TestCase):
    def test_views_are_the_memory_of_the_gpu(self):
        with pfifo.GPU("NV4") as gpu:
            gpu.vram[16:20] = b"abcd"
            self.assertEqual(gpu.bar_read(1, 16, 4), b"abcd")
            gpu.bar_write(1, 20, b"efgh")
            self.assertEqual(bytes(gpu.vram[16:24]), b"abcdefgh")
            self.assertEqual(len(gpu.vram), gpu.chip.vram_bytes)
            words = gpu.system[:4096].cast("I")
            words[1] = 0x12345678
            self.assertEqual(bytes(gpu.system[4:8]), bytes.fromhex("78563412"))

    def test_views_stay_when_the_gpu_goes(self):
        gpu = pfifo.GPU("NV40")
        vram, system = gpu.vram, gpu.system
        vram[0:4] = b"stay"
        gpu.close()
        del gpu
        gc.collect()
        self.assertEqual(bytes(vram[0:4]), b"stay")
        system[4096] = 1

    def test_sizes_are_those_that_were_asked_for(self):
        with pfifo.GPU("GM107", vram_bytes=64 << 20, system_bytes=32 << 20, bar1_bytes=16 << 20) as gpu:
            self.assertEqual((len(gpu.vram), len(gpu.system), gpu.bar_bytes(1)), (64 << 20, 32 << 20, 16 << 20))

    def test_a_tegra_has_only_system_memory(self):
        with pfifo.GPU("GM20B") as gpu:
            with self.assertRaisesRegex(pfifo.UnsupportedError, "GM20B"):
                _ = gpu.vram
            self.assertGreater(len(gpu.system), 0)


class Events(unittest.TestCase):
    def test_an_observer_gets_events_with_their_fields(self):
        seen = []
        with pfifo.GPU("NV4") as gpu, gpu.observe("*", seen.append) as observer:
            pio(gpu)
            self.assertTrue(seen)
            self.assertEqual([e.order for e in seen], list(range(len(seen))))
            self.assertTrue({e.name for e in seen} <= set(pfifo.event_names()))
            count = len(seen)
            observer.close()
            gpu.wr32(0x800104, 8)
            self.assertEqual(len(seen), count)

    def test_a_query_chooses_events(self):
        every, some = [], []
        with pfifo.GPU("NV4") as gpu:
            gpu.observe("*", every.append)
            gpu.observe("*", some.append, query="event=bus.*")
            pio(gpu)
            gpu.rd32(0xFFFFFC)
        self.assertEqual([e for e in every if e.name.startswith("bus.")], some)

    def test_what_an_observer_raises_comes_out_of_the_call(self):
        def fail(_):
            raise KeyError("mine")

        with pfifo.GPU("NV4") as gpu:
            gpu.observe("*", fail)
            with self.assertRaisesRegex(KeyError, "mine"):
                pio(gpu)
            self.assertEqual(gpu.chip.name, "NV4")

    def test_no_such_event(self):
        with pfifo.GPU("NV4") as gpu, self.assertRaisesRegex(pfifo.ArgumentError, "nothing"):
            gpu.observe("nothing.*", print)


class States(unittest.TestCase):
    def test_a_saved_state_goes_on(self):
        with pfifo.GPU("NV4") as gpu, pfifo.GPU("NV4") as other:
            pio(gpu)
            gpu.vram[0:4] = b"vram"
            state = gpu.save()
            other.load(state)
            self.assertEqual(other.save(), state)
            self.assertEqual((other.rd32("CACHE1_PUT"), bytes(other.vram[0:4])), (4, b"vram"))
            other.reset()
            self.assertEqual((other.rd32("CACHE1_PUT"), bytes(other.vram[0:4])), (0, bytes(4)))

    def test_a_reset_can_keep_memory(self):
        with pfifo.GPU("NV4") as gpu:
            gpu.vram[0:4] = b"vram"
            gpu.reset(keep_memory=True)
            self.assertEqual(bytes(gpu.vram[0:4]), b"vram")

    def test_a_damaged_state_is_refused(self):
        with pfifo.GPU("NV4") as gpu:
            state = bytearray(gpu.save())
            state[len(state) // 2] ^= 1
            with self.assertRaises(pfifo.FormatError):
                gpu.load(state)
            with self.assertRaises(pfifo.FormatError):
                gpu.load(b"")
        with pfifo.GPU("NV5") as other, self.assertRaises(pfifo.ArgumentError):
            with pfifo.GPU("NV4") as gpu:
                other.load(gpu.save())


if __name__ == "__main__":
    unittest.main()
