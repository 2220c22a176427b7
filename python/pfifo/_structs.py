# SPDX-License-Identifier: MIT
"""The structures of the headers in include/pfifo/, as ctypes declares them. tests/python compares them with the C compiler's."""
from __future__ import annotations

import ctypes
from ctypes import (
    POINTER, c_bool, c_char, c_char_p, c_float, c_int, c_size_t, c_uint, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p,
)
from typing import Any


class Error(ctypes.Structure):
    C_NAME = "pfifo_error"
    _fields_ = [("status", c_int), ("message", c_char * 240)]


class ChipInfo(ctypes.Structure):
    C_NAME = "pfifo_chip_info"
    _fields_ = [
        ("name", c_char_p), ("generation", c_char_p), ("id", c_uint32), ("boot0", c_uint32), ("channels", c_uint32),
        ("cache_entries", c_uint32), ("pbdmas", c_uint32), ("host_class", c_uint32), ("vram_bytes", c_uint64),
        ("runs", c_bool), ("draws", c_bool), ("bar1_bytes", c_uint64),
    ]


class Memory(ctypes.Structure):
    C_NAME = "pfifo_memory"
    _fields_ = [("form", c_int), ("fd", c_int), ("data", c_void_p)]


class Config(ctypes.Structure):
    """Callbacks are never set from here, so that they are plain pointers."""

    C_NAME = "pfifo_config"
    _fields_ = [
        ("size", c_size_t), ("chip", c_void_p), ("vram_bytes", c_uint64), ("system_bytes", c_uint64),
        ("system_map", c_void_p), ("clock", c_void_p), ("irq", c_void_p), ("work", c_void_p), ("opaque", c_void_p),
        ("materialise_cache", c_bool), ("bar1_bytes", c_uint64), ("vram", Memory), ("system", Memory),
        ("side_by_side", c_void_p), ("no_compile", c_uint64),
    ]


class StopInfo(ctypes.Structure):
    C_NAME = "pfifo_stop_info"
    _fields_ = [
        ("reason", c_int), ("used", c_uint64), ("channel", c_uint32), ("in_memory", c_bool), ("is_syncpoint", c_bool),
        ("address", c_uint64), ("expected", c_uint32), ("found", c_uint32),
    ]


class EventInfo(ctypes.Structure):
    C_NAME = "pfifo_event_info"
    _fields_ = [("name", c_char_p), ("fields", c_uint), ("field", POINTER(c_char_p)), ("format", POINTER(c_int))]


class Target(ctypes.Structure):
    C_NAME = "pfifo_target"
    _fields_ = [
        ("format", c_char_p), ("layout", c_char_p), ("address", c_uint64), ("width", c_uint32), ("height", c_uint32),
        ("samples", c_uint32), ("layers", c_uint32), ("place", c_uint64 * 24),
    ]


class DrawTexture(ctypes.Structure):
    C_NAME = "pfifo_draw_texture"
    _fields_ = [
        ("header", c_uint32), ("shape", c_char_p), ("format", c_char_p), ("address", c_uint64), ("width", c_uint32),
        ("height", c_uint32), ("depth", c_uint32), ("layers", c_uint32),
    ]


class DrawWork(ctypes.Structure):
    C_NAME = "pfifo_draw_work"
    _fields_ = [
        ("vertex_warps", c_uint64), ("vertex_instructions", c_uint64), ("control_warps", c_uint64),
        ("control_instructions", c_uint64), ("evaluation_warps", c_uint64), ("evaluation_instructions", c_uint64),
        ("geometry_warps", c_uint64), ("geometry_instructions", c_uint64), ("fragment_warps", c_uint64),
        ("fragment_instructions", c_uint64), ("texture_reads", c_uint64), ("quads", c_uint64),
    ]


class Draw(ctypes.Structure):
    C_NAME = "pfifo_draw"
    _fields_ = [
        ("clear", c_bool), ("object_class", c_uint32), ("method", c_uint32), ("topology", c_char_p),
        ("first", c_uint32), ("instance", c_uint32), ("count", c_uint64), ("vertices", c_uint64),
        ("primitives", c_uint64), ("generated", c_uint64), ("fragments", c_uint64), ("samples", c_uint64),
        ("work", DrawWork),
        ("vertex_program", c_uint64), ("fragment_program", c_uint64), ("control_program", c_uint64),
        ("evaluation_program", c_uint64), ("geometry_program", c_uint64), ("viewport", c_float * 4), ("near", c_float),
        ("far", c_float), ("depth", c_char * 48), ("blend", c_char * 80), ("textures", c_uint32),
        ("texture", DrawTexture * 16), ("target", Target * 9),
    ]


class LaunchConstants(ctypes.Structure):
    C_NAME = "pfifo_launch_constants"
    _fields_ = [("address", c_uint64), ("bytes", c_uint32)]


class LaunchWork(ctypes.Structure):
    C_NAME = "pfifo_launch_work"
    _fields_ = [("blocks", c_uint64), ("warps", c_uint64), ("instructions", c_uint64)]


class Launch(ctypes.Structure):
    C_NAME = "pfifo_launch"
    _fields_ = [
        ("form", c_char_p), ("executed", c_bool), ("object_class", c_uint32), ("method", c_uint32),
        ("program", c_uint64), ("code", c_uint64), ("qmd", c_uint64), ("blocks", c_uint32 * 3),
        ("threads", c_uint32 * 3), ("shared", c_uint32), ("local", c_uint32), ("registers", c_uint32),
        ("constants", LaunchConstants * 18), ("work", LaunchWork),
    ]


class Event(ctypes.Structure):
    C_NAME = "pfifo_event"
    _fields_ = [
        ("id", c_uint), ("order", c_uint64), ("time", c_uint64), ("channel", c_uint32), ("value", c_uint64 * 12),
        ("text", c_char_p), ("draw", POINTER(Draw)), ("word", c_int), ("launch", POINTER(Launch)),
        ("detail", c_char_p),
    ]


class Picture(ctypes.Structure):
    C_NAME = "pfifo_picture"
    _fields_ = [
        ("width", c_uint32), ("height", c_uint32), ("format", c_uint32), ("pitch", c_uint32), ("is_block", c_bool),
        ("is_swizzled", c_bool), ("block_height", c_uint32),
    ]


class TextureIs(ctypes.Structure):
    C_NAME = "pfifo_texture"
    _fields_ = [
        ("format", c_char_p), ("layout", c_char_p), ("shape", c_char_p), ("address", c_uint64), ("width", c_uint32),
        ("height", c_uint32), ("depth", c_uint32), ("layers", c_uint32), ("levels", c_uint32), ("block_height", c_uint32),
        ("samples", c_uint32),
    ]


class TextureImage(ctypes.Structure):
    C_NAME = "pfifo_texture_image"
    _fields_ = [("level", c_uint32), ("layer", c_uint32)]


class Class(ctypes.Structure):
    C_NAME = "pfifo_class"
    _fields_ = [
        ("id", c_uint32), ("name", c_char_p), ("alias", c_char_p), ("family", c_char_p), ("first_chip", c_char_p),
        ("last_chip", c_char_p),
    ]


class MethodName(ctypes.Structure):
    C_NAME = "pfifo_method_name"
    _fields_ = [
        ("name", c_char_p), ("alias", c_char_p), ("chips", c_char_p), ("offset", c_uint32), ("first", c_uint32),
        ("count", c_uint32 * 2), ("stride", c_uint32 * 2), ("indices", c_uint32), ("index", c_uint32 * 2),
        ("alias_indices", c_uint32), ("alias_index", c_uint32 * 2), ("row", c_uint32), ("class_index", c_uint32),
    ]


class Register(ctypes.Structure):
    C_NAME = "pfifo_register"
    _fields_ = [
        ("unit", c_char_p), ("name", c_char_p), ("offset", c_uint32), ("count", c_uint32), ("stride", c_uint32),
        ("readable", c_uint32), ("writable", c_uint32), ("reset", c_uint32), ("computed", c_bool),
        ("write_acts", c_bool), ("read_acts", c_bool), ("is_time", c_bool), ("fields", c_char_p),
    ]


class DecodePacket(ctypes.Structure):
    C_NAME = "pfifo_push_packet"
    _fields_ = [
        ("count", c_uint32), ("method", c_uint16), ("subchannel", c_uint8), ("long_count", c_bool), ("form", c_char_p),
    ]


class DecodeOptions(ctypes.Structure):
    C_NAME = "pfifo_decode_options"
    _fields_ = [
        ("size", c_size_t), ("chip", c_void_p), ("format", c_int), ("subdevices", c_uint32), ("old_forms", c_bool),
        ("bound", c_uint32 * 8), ("file", c_char_p), ("errors", POINTER(c_uint64)), ("name", c_char_p),
        ("base", c_uint64), ("ib", c_bool), ("ring", c_uint64), ("entries", c_uint32), ("objects", c_void_p),
        ("object_count", c_size_t), ("query", c_void_p), ("before", c_uint), ("after", c_uint),
        ("matches", POINTER(c_uint64)), ("match_max", c_uint64), ("event", c_void_p), ("event_opaque", c_void_p),
        ("part", c_bool), ("packet", DecodePacket), ("handle_class", c_void_p), ("handle_opaque", c_void_p),
        ("names", c_int),
    ]


class DisasmEvent(ctypes.Structure):
    C_NAME = "pfifo_disasm_event"
    _fields_ = [
        ("kind", c_int), ("name", c_char_p), ("text", c_char_p), ("chip", c_void_p), ("sm", c_uint), ("index", c_uint),
        ("bank", c_uint), ("address", c_uint64), ("offset", c_uint64), ("size", c_uint64), ("word", c_uint64),
        ("data", c_void_p), ("registers", c_uint), ("barriers", c_uint), ("shared_bytes", c_uint64),
        ("local_bytes", c_uint64), ("parameters_at", c_uint32), ("parameters_bytes", c_uint32), ("is_kernel", c_bool),
        ("has_sections", c_bool),
    ]


class DisasmOptions(ctypes.Structure):
    C_NAME = "pfifo_disasm_options"
    _fields_ = [("size", c_size_t), ("chip", c_void_p), ("name", c_char_p), ("base", c_uint64), ("raw", c_bool)]


class DeviceFault(ctypes.Structure):
    C_NAME = "pfifo_device_fault"
    _fields_ = [
        ("channel", c_uint32), ("unit", c_char_p), ("error", c_char_p), ("address", c_uint64),
        ("subchannel", c_uint32), ("method", c_uint32), ("data", c_uint32), ("has_method", c_bool),
        ("interrupt", c_uint32), ("object_class", c_uint32),
    ]


SUBMISSION = ctypes.CFUNCTYPE(None, c_void_p, c_uint32)


class ReplayConfig(ctypes.Structure):
    """Callbacks are never set from here."""

    C_NAME = "pfifo_replay_config"
    _fields_ = [
        ("size", c_size_t), ("chip", c_void_p), ("materialise_cache", c_bool), ("locate", c_bool), ("budget", c_uint64),
        ("side_by_side", c_void_p), ("buffer_gone", c_void_p), ("opaque", c_void_p), ("vram", Memory),
        ("system", Memory), ("vram_bytes", c_uint64), ("system_bytes", c_uint64), ("no_compile", c_uint64),
    ]


class ReplayWord(ctypes.Structure):
    C_NAME = "pfifo_replay_word"
    _fields_ = [
        ("has_address", c_bool), ("has_word", c_bool), ("has_method", c_bool), ("in_push", c_bool), ("address", c_uint64),
        ("word", c_uint32), ("submission", c_uint32), ("buffer", c_uint32), ("offset", c_uint64),
        ("subchannel", c_uint32), ("oclass", c_uint32), ("method", c_uint32), ("data", c_uint32),
        ("missing_count", c_uint32), ("missing_method", c_uint32), ("missing_why", c_char_p),
    ]


class ReplayFault(ctypes.Structure):
    C_NAME = "pfifo_replay_fault"
    _fields_ = [("count", c_uint64), ("submission", c_uint32), ("first", DeviceFault), ("word", ReplayWord)]


class ReplayRefused(ctypes.Structure):
    C_NAME = "pfifo_replay_refused"
    _fields_ = [("handle", c_uint32), ("oclass", c_uint32), ("message", c_char * 120)]


class ReplayResult(ctypes.Structure):
    C_NAME = "pfifo_replay_result"
    _fields_ = [
        ("submissions", c_uint64), ("sequence", c_uint32), ("words", c_uint64), ("changed", c_uint64),
        ("refused", c_uint64), ("refusal", ReplayRefused * 16), ("faults", c_uint64), ("fault_kinds", c_size_t),
        ("fault", ReplayFault * 64), ("stop", c_int), ("stop_info", StopInfo), ("stop_submission", c_uint32),
        ("interrupted", c_bool), ("budget", c_uint64), ("stop_message", c_char * 240), ("runs", c_uint64),
        ("running", c_bool), ("time", c_uint64), ("channel", c_uint32),
    ]


class ReplayProgress(ctypes.Structure):
    C_NAME = "pfifo_replay_progress"
    _fields_ = [
        ("last", ReplayWord), ("last_index", c_uint32), ("next", ReplayWord), ("packet", c_uint64), ("header", c_uint64),
        ("form", c_char_p), ("index", c_uint32), ("bound", c_uint32 * 8),
    ]


class ReplayWatch(ctypes.Structure):
    C_NAME = "pfifo_replay_watch"
    _fields_ = [
        ("submission", SUBMISSION), ("closes", c_void_p), ("presents", c_void_p), ("enough", c_void_p),
        ("opaque", c_void_p),
    ]


class LintRule(ctypes.Structure):
    C_NAME = "pfifo_lint_rule"
    _fields_ = [("name", c_char_p), ("severity", c_char_p), ("text", c_char_p), ("needs_machine", c_bool)]


class LintFinding(ctypes.Structure):
    C_NAME = "pfifo_lint_finding"
    _fields_ = [
        ("rule", POINTER(LintRule)), ("count", c_uint64), ("submission", c_uint32), ("channel", c_uint32),
        ("name_class", c_uint32), ("word", ReplayWord), ("text", c_char_p),
    ]


class LintOptions(ctypes.Structure):
    """Callbacks are never set from here."""

    C_NAME = "pfifo_lint_options"
    _fields_ = [
        ("size", c_size_t), ("chip", c_void_p), ("rules", c_char_p), ("budget", c_uint64), ("enough", c_void_p),
        ("opaque", c_void_p),
    ]


class LintResult(ctypes.Structure):
    C_NAME = "pfifo_lint_result"
    _fields_ = [
        ("submissions", c_uint64), ("findings", c_uint64), ("left_out", c_uint64), ("faults", c_uint64), ("stop", c_int),
        ("whole", c_bool), ("decoded", c_bool),
    ]


def _words(*names: str) -> Any:
    return [(name, c_uint32) for name in names]


class StreamText(ctypes.Structure):
    C_NAME = "pfifo_stream_text"
    _fields_ = [("key", c_void_p), ("key_bytes", c_size_t), ("value", c_void_p), ("value_bytes", c_size_t)]


class StreamChan(ctypes.Structure):
    C_NAME = "pfifo_stream_chan"
    _fields_ = _words("channel", "fb_ctxdma", "tt_ctxdma", "pushbuf_domains", "notifier_bo")


class StreamObj(ctypes.Structure):
    C_NAME = "pfifo_stream_obj"
    _fields_ = _words("channel", "handle", "oclass")


class StreamNtfy(ctypes.Structure):
    C_NAME = "pfifo_stream_ntfy"
    _fields_ = _words("channel", "handle", "bytes", "offset")


class StreamBonew(ctypes.Structure):
    C_NAME = "pfifo_stream_bonew"
    _fields_ = [
        ("handle", c_uint32), ("domain", c_uint32), ("bytes", c_uint64), ("address", c_uint64),
        ("tile_mode", c_uint32), ("tile_flags", c_uint32),
    ]


class StreamBodel(ctypes.Structure):
    C_NAME = "pfifo_stream_bodel"
    _fields_ = _words("handle")


class StreamSubmit(ctypes.Structure):
    C_NAME = "pfifo_stream_submit"
    _fields_ = _words("sequence", "channel", "buffers", "relocs", "pushes", "suffix0", "suffix1")


class StreamBoref(ctypes.Structure):
    C_NAME = "pfifo_stream_boref"
    _fields_ = [
        ("handle", c_uint32), ("valid_domains", c_uint32), ("read_domains", c_uint32), ("write_domains", c_uint32),
        ("address", c_uint64), ("bytes", c_uint64), ("presumed_valid", c_uint32), ("presumed_domain", c_uint32),
        ("presumed_offset", c_uint64),
    ]


class StreamBodata(ctypes.Structure):
    C_NAME = "pfifo_stream_bodata"
    _fields_ = [("handle", c_uint64), ("offset", c_uint64), ("data", c_void_p), ("bytes", c_size_t)]


class StreamPush(ctypes.Structure):
    C_NAME = "pfifo_stream_push"
    _fields_ = [
        ("handle", c_uint64), ("offset", c_uint64), ("length", c_uint64), ("address", c_uint64), ("words", c_void_p),
        ("word_count", c_uint32), ("no_prefetch", c_bool),
    ]


class StreamSubend(ctypes.Structure):
    C_NAME = "pfifo_stream_subend"
    _fields_ = _words("sequence")


class StreamPrep(ctypes.Structure):
    C_NAME = "pfifo_stream_prep"
    _fields_ = _words("handle", "flags")


class StreamReloc(ctypes.Structure):
    C_NAME = "pfifo_stream_reloc"
    _fields_ = _words("reloc_bo_index", "reloc_bo_offset", "bo_index", "flags", "data", "vor", "tor")


class StreamChanfree(ctypes.Structure):
    C_NAME = "pfifo_stream_chanfree"
    _fields_ = _words("channel")


class StreamSpace(ctypes.Structure):
    C_NAME = "pfifo_stream_space"
    _fields_ = [("space", c_uint32), ("big_page_bytes", c_uint32), ("first", c_uint64), ("bytes", c_uint64)]


class StreamSpacedel(ctypes.Structure):
    C_NAME = "pfifo_stream_spacedel"
    _fields_ = _words("space")


class StreamSparse(ctypes.Structure):
    C_NAME = "pfifo_stream_sparse"
    _fields_ = [("space", c_uint32), ("sparse", c_uint32), ("address", c_uint64), ("bytes", c_uint64)]


class StreamMap(ctypes.Structure):
    C_NAME = "pfifo_stream_map"
    _fields_ = [
        ("space", c_uint32), ("handle", c_uint32), ("address", c_uint64), ("bytes", c_uint64), ("offset", c_uint64),
        ("page_bytes", c_uint32), ("kind", c_uint32), ("flags", c_uint32),
    ]


class StreamUnmap(ctypes.Structure):
    C_NAME = "pfifo_stream_unmap"
    _fields_ = [("space", c_uint32), ("address", c_uint64), ("bytes", c_uint64)]


class StreamChanin(ctypes.Structure):
    C_NAME = "pfifo_stream_chanin"
    _fields_ = _words("channel", "space", "entries", "flags")


class StreamWait(ctypes.Structure):
    C_NAME = "pfifo_stream_wait"
    _fields_ = _words("syncpoint", "threshold")


class StreamFence(ctypes.Structure):
    C_NAME = "pfifo_stream_fence"
    _fields_ = _words("syncpoint", "value")


class StreamSyncpt(ctypes.Structure):
    C_NAME = "pfifo_stream_syncpt"
    _fields_ = _words("syncpoint", "set", "value")


class StreamWrite(ctypes.Structure):
    C_NAME = "pfifo_stream_write"
    _fields_ = [("handle", c_uint32), ("offset", c_uint64), ("data", c_void_p), ("bytes", c_size_t)]


class StreamRun(ctypes.Structure):
    C_NAME = "pfifo_stream_run"
    _fields_ = [("units", c_uint64)]


class StreamVminit(ctypes.Structure):
    C_NAME = "pfifo_stream_vminit"
    _fields_ = [("space", c_uint32), ("kept", c_uint64), ("kept_bytes", c_uint64)]


class StreamBind(ctypes.Structure):
    C_NAME = "pfifo_stream_bind"
    _fields_ = [
        ("space", c_uint32), ("how", c_uint32), ("handle", c_uint32), ("kind", c_uint32), ("address", c_uint64),
        ("bytes", c_uint64), ("offset", c_uint64),
    ]


class StreamSync(ctypes.Structure):
    C_NAME = "pfifo_stream_sync"
    _fields_ = [("object", c_uint32), ("how", c_uint32), ("point", c_uint64)]


# By the number of the type in the file; the union of a record has a member of each.
RECORDS: list[tuple[str, type[ctypes.Structure]]] = [
    ("text", StreamText), ("chan", StreamChan), ("obj", StreamObj), ("ntfy", StreamNtfy), ("bonew", StreamBonew),
    ("bodel", StreamBodel), ("submit", StreamSubmit), ("boref", StreamBoref), ("bodata", StreamBodata),
    ("push", StreamPush), ("subend", StreamSubend), ("prep", StreamPrep), ("reloc", StreamReloc),
    ("chanfree", StreamChanfree), ("space", StreamSpace), ("spacedel", StreamSpacedel), ("sparse", StreamSparse),
    ("map", StreamMap), ("unmap", StreamUnmap), ("chanin", StreamChanin), ("wait", StreamWait), ("fence", StreamFence),
    ("syncpt", StreamSyncpt), ("write", StreamWrite), ("run", StreamRun), ("vminit", StreamVminit), ("bind", StreamBind),
    ("sync", StreamSync),
]


class _RecordUnion(ctypes.Union):
    _fields_ = RECORDS


class StreamRecord(ctypes.Structure):
    C_NAME = "pfifo_stream_record"
    _anonymous_ = ("record",)
    _fields_ = [
        ("type", c_int), ("number", c_uint32), ("offset", c_uint64), ("payload", c_void_p), ("payload_bytes", c_uint32),
        ("record", _RecordUnion),
    ]


ALL: list[Any] = [
    Error, ChipInfo, Memory, Config, StopInfo, EventInfo, Target, DrawTexture, DrawWork, Draw, LaunchConstants, LaunchWork,
    Launch, Event, Picture, TextureIs, TextureImage, Class, MethodName, Register, LintRule, LintFinding, LintOptions,
    LintResult,
    DecodePacket, DecodeOptions, DisasmEvent, DisasmOptions, DeviceFault, ReplayConfig, ReplayWord, ReplayFault, ReplayRefused,
    ReplayResult,
    ReplayProgress, ReplayWatch, StreamRecord,
] + [structure for _, structure in RECORDS]
