/* SPDX-License-Identifier: MIT */
/* What of vertices is written to memory, how patches are divided, and which counters count. */
#include "engine/draw/decode_gf100.h"

#include "engine/sync/counters.h"

_Static_assert(GF100_3D_SET_STREAM_OUT_LAYOUT_SELECT__STRIDE == FEEDBACK_COMPONENTS,
               "a byte says where a component is from");

static void set_buffer(struct feedback_buffer *buffer, const struct draw_source *source, unsigned number) {
    uint32_t components = FIELD_OF(source, SET_STREAM_OUT_CONTROL_COMPONENT_COUNT, number, MAX);
    buffer->enabled = flag(source, GF100_3D_SET_STREAM_OUT_BUFFER_ENABLE(number));
    buffer->stream = FIELD_OF(source, SET_STREAM_OUT_CONTROL_STREAM, number, SELECT);
    buffer->components = (uint8_t)(components < FEEDBACK_COMPONENTS ? components : FEEDBACK_COMPONENTS);
    buffer->stride = value(source, GF100_3D_SET_STREAM_OUT_CONTROL_STRIDE(number));
    buffer->bytes = value(source, GF100_3D_SET_STREAM_OUT_BUFFER_SIZE(number));
    buffer->address = address(source, GF100_3D_SET_STREAM_OUT_BUFFER_ADDRESS_A(number));
    for (unsigned j = 0; j < FEEDBACK_COMPONENTS; j++)
        buffer->word[j] = (uint8_t)(value(source, GF100_3D_SET_STREAM_OUT_LAYOUT_SELECT(number, j / 4)) >> j % 4 * 8);
}

/* The words that buffers name, each once. */
static void list_words(struct feedback_state *feedback) {
    bool named[FEEDBACK_WORDS] = {false};
    for (unsigned b = 0; b < FEEDBACK_BUFFERS; b++)
        for (unsigned j = 0; feedback->buffer[b].enabled && j < feedback->buffer[b].components; j++)
            named[feedback->buffer[b].word[j]] = true;
    for (unsigned word = 0; word < FEEDBACK_SKIP; word++)
        if (named[word])
            feedback->used[feedback->words++] = (uint8_t)word;
}

void decode_gf100_feedback(struct draw_state *state, const struct draw_source *source) {
    struct feedback_state *feedback = &state->feedback;
    feedback->enabled = flag(source, GF100_3D_SET_STREAM_OUTPUT);
    for (unsigned i = 0; i < FEEDBACK_BUFFERS; i++)
        set_buffer(&feedback->buffer[i], source, i);
    if (feedback->enabled)
        list_words(feedback);
}

/* UNKNOWN: SPACING 3; it has no row of points, so nothing is drawn (tessellate.h). */
void decode_gf100_patches(struct draw_state *state, const struct draw_source *source) {
    struct draw_patches_state *patches = &state->patches;
    patches->mode.domain = (uint8_t)FIELD(source, SET_TESSELLATION_PARAMETERS, DOMAIN_TYPE);
    patches->mode.spacing = (uint8_t)FIELD(source, SET_TESSELLATION_PARAMETERS, SPACING);
    patches->mode.output = (uint8_t)FIELD(source, SET_TESSELLATION_PARAMETERS, OUTPUT_PRIMITIVES);
    patches->levels.outer[0] = real(source, GF100_3D_SET_TESSELLATION_LOD_U0_OR_DENSITY);
    patches->levels.outer[1] = real(source, GF100_3D_SET_TESSELLATION_LOD_V0_OR_DETAIL);
    patches->levels.outer[2] = real(source, GF100_3D_SET_TESSELLATION_LOD_U1_OR_W0);
    patches->levels.outer[3] = real(source, GF100_3D_SET_TESSELLATION_LOD_V1);
    patches->levels.inner[0] = real(source, GF100_3D_SET_TG_LOD_INTERIOR_U);
    patches->levels.inner[1] = real(source, GF100_3D_SET_TG_LOD_INTERIOR_V);
}

_Static_assert(COUNTERS <= 64, "counters are bits of draw_stages_state.counters");

#define ENABLES(name, counter, count)                                                                                  \
    { GF100_3D_SET_STATISTICS_COUNTER_##name##_ENABLE__MASK, (counter), (count) }

/* UNKNOWN: whether a stream that is not counted counts in the total of all (bit 14); chosen: the total is their sum. */
uint64_t decode_gf100_counters(const struct draw_source *source) {
    static const struct {
        uint32_t mask;
        uint8_t counter, count;
    } rows[] = {ENABLES(DA_VERTICES_GENERATED, COUNTER_VERTICES, 1),
                ENABLES(DA_PRIMITIVES_GENERATED, COUNTER_PRIMITIVES, 1),
                ENABLES(VS_INVOCATIONS, COUNTER_VERTEX_SHADER, 1),
                ENABLES(TI_INVOCATIONS, COUNTER_TESS_INIT_SHADER, 1),
                ENABLES(TS_INVOCATIONS, COUNTER_TESS_SHADER, 1),
                ENABLES(TS_PRIMITIVES_GENERATED, COUNTER_TESS_PRIMITIVES, 1),
                ENABLES(GS_INVOCATIONS, COUNTER_GEOMETRY_SHADER, 1),
                ENABLES(GS_PRIMITIVES_GENERATED, COUNTER_GEOMETRY_PRIMITIVES, 1),
                ENABLES(STREAMING_PRIMITIVES_SUCCEEDED, COUNTER_STREAM_SUCCEEDED, COUNTER_STREAMS),
                ENABLES(STREAMING_PRIMITIVES_NEEDED, COUNTER_STREAM_NEEDED, COUNTER_STREAMS),
                ENABLES(VTG_PRIMITIVES_OUT, COUNTER_STREAM_OUT, COUNTER_STREAMS),
                ENABLES(CLIPPER_INVOCATIONS, COUNTER_CLIPPER, 1),
                ENABLES(CLIPPER_PRIMITIVES_GENERATED, COUNTER_CLIPPER_PRIMITIVES, 1),
                ENABLES(PS_INVOCATIONS, COUNTER_PIXEL_SHADER, 1)};
    uint64_t counters = 0;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (value(source, GF100_3D_SET_STATISTICS_COUNTER) & rows[i].mask)
            counters |= ((UINT64_C(1) << rows[i].count) - 1) << rows[i].counter;
    return counters;
}
