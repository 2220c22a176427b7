/* SPDX-License-Identifier: MIT */
/* Viewports, raster, vertices, textures' pools. */
#include "engine/draw/state_gf100.h"

#include <string.h>

/* Whose instruction set is modelled: later classes draw nothing, and say so. */
static const struct front_class classes[] = {
    {0x9097, 0x9297, &isa_gf100, .inline_vertices = true, .cube_faces = true},
    {0xa097, 0xa097, &isa_gf100k, .inline_vertices = true, .handles = true, .mask_before_z = true},
    {0xa197, 0xa297, &isa_gk110, .inline_vertices = true, .handles = true, .mask_before_z = true},
    {0xb097, 0xb097, &isa_gm107, .handles = true, .mask_before_z = true, .maxwell_choice = true},
    {0xb197, 0xc197, &isa_gm107, .handles = true, .mask_before_z = true, .sample_places = true, .swizzles = true,
     .maxwell_headers = true},
};

const struct front_class *front_class_of(uint32_t object_class) {
    for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (object_class >= classes[i].first && object_class <= classes[i].last)
            return &classes[i];
    return NULL;
}

static uint32_t value(const struct front_source *source, uint32_t method) {
    return source->value[method >> 2];
}

static uint64_t address(const struct front_source *source, uint32_t method) {
    return (uint64_t)(value(source, method) & 0xff) << 32 | value(source, method + 4);
}

static bool flag(const struct front_source *source, uint32_t method) {
    return value(source, method) & 1;
}

/* ---- viewports ---- */

static struct draw_box box_of_bounds(uint32_t horizontal, uint32_t vertical) {
    return (struct draw_box){(int32_t)(horizontal & 0xffff), (int32_t)(vertical & 0xffff), (int32_t)(horizontal >> 16),
                             (int32_t)(vertical >> 16)};
}

static struct draw_box box_of_size(uint32_t horizontal, uint32_t vertical) {
    struct draw_box box = box_of_bounds(horizontal, vertical);
    box.x1 += box.x0;
    box.y1 += box.y0;
    return box;
}

static void box_and(struct draw_box *box, struct draw_box other) {
    box->x0 = box->x0 > other.x0 ? box->x0 : other.x0;
    box->y0 = box->y0 > other.y0 ? box->y0 : other.y0;
    box->x1 = box->x1 < other.x1 ? box->x1 : other.x1;
    box->y1 = box->y1 < other.y1 ? box->y1 : other.y1;
}

/* Signed numbers of 16 bits. */
static int32_t window_offset(const struct front_source *source, uint32_t method) {
    return (int16_t)(uint16_t)value(source, method);
}

/* What moves with the origin of the window, as positions do. */
static struct draw_box in_window(const struct front_source *source, struct draw_box box) {
    int32_t x = window_offset(source, 0xdf8), y = window_offset(source, 0xdfc);
    if (flag(source, 0x13ac))
        return (struct draw_box){box.x0 + x, y - box.y1, box.x1 + x, y - box.y0};
    return (struct draw_box){box.x0 + x, box.y0 + y, box.x1 + x, box.y1 + y};
}

/* UNKNOWN: whether the viewport's rectangle follows the origin of the window; chosen: as scissors do. */
static void set_viewport(struct front_state *state, const struct front_source *source, unsigned number) {
    struct draw_viewport *viewport = &state->draw.viewport[number];
    uint32_t transform = 0xa00 + number * 32, clip = 0xc00 + number * 16, scissor = 0xe00 + number * 16;
    for (unsigned i = 0; i < 3; i++) {
        viewport->scale[i] = front_float(source, transform + i * 4);
        viewport->translate[i] = front_float(source, transform + 12 + i * 4);
    }
    bool whole = flag(source, 0x193c);
    viewport->near = whole ? 0.0f : front_float(source, clip + 8);
    viewport->far = whole ? 1.0f : front_float(source, clip + 12);
    viewport->scissor = box_of_size(value(source, 0xff4), value(source, 0xff8));
    box_and(&viewport->scissor, in_window(source, box_of_size(value(source, clip), value(source, clip + 4))));
    if (flag(source, scissor))
        box_and(&viewport->scissor,
                in_window(source, box_of_bounds(value(source, scissor + 4), value(source, scissor + 8))));
    uint32_t swizzle = source->of->swizzles ? value(source, transform + 0x18) : 0;
    swizzle = swizzle ? swizzle : 0x6420;
    for (unsigned i = 0; i < 4; i++)
        state->swizzle[number][i] = swizzle >> i * 4 & 7;
    state->swizzled = state->swizzled || swizzle != 0x6420;
}

static void set_windows(struct front_state *state, const struct front_source *source) {
    uint32_t type = value(source, 0x1950);
    state->draw.window_mode = flag(source, 0x194c) ? (uint8_t)(type < 2 ? type + 1 : 3) : 0;
    for (unsigned i = 0; i < DRAW_WINDOWS; i++)
        state->draw.window[i] = box_of_bounds(value(source, 0xd00 + i * 8), value(source, 0xd04 + i * 8));
}

static void set_clip(struct front_state *state, const struct front_source *source) {
    struct clip *clip = &state->clip;
    uint32_t control = value(source, 0x193c), kinds = value(source, 0x1940);
    clip->viewport = state->draw.viewport;
    clip->transform = flag(source, 0x192c);
    clip->zero_to_w = flag(source, 0xd7c);
    clip->mode = control >> 11 & 7;
    clip->wide_xy = !(control >> 7 & 1);
    clip->wide_z = (control >> 1 & 3) == 1 || ((control >> 1 & 3) == 0 && clip->wide_xy);
    clip->wide_points = !(control >> 10 & 1);
    for (unsigned i = 0; i < 8; i++) {
        bool cull = kinds >> i * 4 & 1;
        if (value(source, 0x1510) >> i & 1)
            *(cull ? &clip->culls : &clip->distances) |= (uint8_t)(1u << i);
    }
    clip->lower_left = flag(source, 0x13ac);
    clip->offset_x = (float)window_offset(source, 0xdf8);
    clip->offset_y = (float)window_offset(source, 0xdfc);
}

/* ---- raster ---- */

static uint8_t polygon_mode(uint32_t code) {
    return code == 0x1b00 ? DRAW_VERTICES : code == 0x1b01 ? DRAW_OUTLINE : DRAW_FILL;
}

/* Widths differ for aliased lines if 0x20c says so. */
static void set_lines(struct draw_rasterizer *raster, const struct front_source *source) {
    bool rectangle = raster->multisample && !flag(source, 0x1418);
    raster->line_smooth = flag(source, 0x1570);
    raster->line_rectangle = rectangle && !raster->line_smooth;
    bool aliased = !raster->line_smooth && !rectangle;
    raster->line_width = front_float(source, aliased && flag(source, 0x20c) ? 0x13b4 : 0x13b0);
    raster->line_stipple = flag(source, 0x166c);
    raster->line_factor = (uint16_t)((value(source, 0x1680) & 0xff) + 1);
    raster->line_pattern = (uint16_t)(value(source, 0x1680) >> 8);
}

static void set_points(struct draw_rasterizer *raster, const struct front_source *source) {
    uint32_t control = value(source, 0x1604);
    raster->point_sprite = flag(source, 0x1520);
    raster->point_smooth = flag(source, 0x1658);
    raster->point_d3d = flag(source, 0x165c);
    raster->point_size_varies = flag(source, 0x1910);
    raster->point_size = front_float(source, 0x1518);
    raster->sprite_r = control & 3;
    raster->sprite_lower_left = !(control >> 2 & 1);
    raster->sprite_vectors = control >> 3 & 0x3ff;
}

static void set_polygons(struct draw_rasterizer *raster, const struct front_source *source) {
    uint32_t face = value(source, 0x1920);
    bool culls = flag(source, 0x1918);
    raster->cull_front = culls && (face == 0x404 || face == 0x408);
    raster->cull_back = culls && (face == 0x405 || face == 0x408);
    raster->front_is_cw = value(source, 0x191c) == 0x900;
    raster->flip = value(source, 0x13ac) >> 4 & 1;
    raster->polygon[0] = polygon_mode(value(source, 0xdac));
    raster->polygon[1] = polygon_mode(value(source, 0xdb0));
    raster->polygon_smooth = flag(source, 0xdb4);
    raster->polygon_stipple = flag(source, 0x168c);
    memcpy(raster->stipple, &source->value[0x1700 >> 2], sizeof raster->stipple);
    raster->offset_point = flag(source, 0xdc0);
    raster->offset_line = flag(source, 0xdc4);
    raster->offset_fill = flag(source, 0xdc8);
    raster->offset_factor = front_float(source, 0x156c);
    raster->offset_units = front_float(source, 0x15bc);
    raster->offset_clamp = front_float(source, 0x187c);
    raster->offset_by_exponent = flag(source, 0x1110);
    raster->two_sided = flag(source, 0x1688);
}

static void set_raster(struct front_state *state, const struct front_source *source) {
    struct draw_rasterizer *raster = &state->draw.raster;
    raster->discard = !flag(source, 0x37c);
    raster->multisample = flag(source, 0x1534);
    raster->depth_at_samples = !flag(source, 0xfb0);
    raster->integer_centers = flag(source, 0x1924);
    raster->fill_box = source->of->sample_places && (value(source, 0x113c) & 3) == 2;
    /* Modes that cut the volume's z clamp what remains; the others leave it to the pixels. */
    raster->clip_z = !(value(source, 0x193c) >> 3 & 1) || !(value(source, 0x193c) >> 4 & 1);
    set_lines(raster, source);
    set_points(raster, source);
    set_polygons(raster, source);
}

/* ---- vertices ---- */

static void set_streams(struct front_state *state, const struct front_source *source) {
    struct vertex_streams *streams = &state->streams;
    streams->base = address(source, 0x15f4);
    streams->substitute = address(source, 0xf84);
    streams->address_mask = 0xffffffffff;
    for (unsigned i = 0; i < VERTEX_STREAMS; i++) {
        uint32_t at = 0x1c00 + i * 16;
        streams->stream[i] = (struct vertex_stream){.stride = value(source, at) & 0xfff,
                                                    .enabled = value(source, at) >> 12 & 1,
                                                    .start = address(source, at + 4),
                                                    .divisor = value(source, at + 12),
                                                    .per_instance = flag(source, 0x1880 + i * 4),
                                                    .limit = address(source, 0x1f00 + i * 8)};
        vertex_attribute(&state->attribute[i], value(source, 0x1160 + i * 4));
    }
}

#define ONE_FLOAT 0x3f800000u

/* ATTRIBUTE_DEFAULT. UNKNOWN: which bits are those of D3D 9's colours; chosen: none. */
static void set_defaults(struct front_state *state, const struct front_source *source) {
    uint32_t control = value(source, 0x1610);
    for (unsigned word = 0; word < DRAW_ATTRIBUTES; word++) {
        bool one = false;
        if (word % 4 == 3)
            one = word < 0xa0 ? control >> 2 & 1 : word >= 0xc0 && word < 0xe8 ? control >> 3 & 1 : false;
        if (word == 0xa3 || word == 0xab || word == WORD_POSITION + 3)
            one = true;
        if (word == 0xa7 || word == 0xaf)
            one = control >> 1 & 1;
        if (word >= 0xa0 && word < 0xa3)
            one = control & 1;
        state->defaults[word] = one ? ONE_FLOAT : 0;
    }
}

static void set_programs(struct front_state *state, const struct front_source *source) {
    state->code = address(source, 0x1608);
    for (unsigned i = 0; i < STAGES; i++) {
        uint32_t at = 0x2000 + i * 64;
        state->stage[i] = (struct front_stage){
            .enabled = flag(source, at), .start = value(source, at + 4), .group = value(source, at + 16) & 7};
    }
}

static void set_textures(struct front_state *state, const struct front_source *source) {
    state->texture_bank = value(source, 0x2608) & 31;
    state->linked_samplers = flag(source, 0x1234);
    state->cube_faces = value(source, 0x1664) >> 1 & 3;
    state->samplers = address(source, 0x155c);
    state->most_sampler = value(source, 0x1564);
    state->headers = address(source, 0x1574);
    state->most_header = value(source, 0x157c);
    state->maxwell_headers = source->of->maxwell_headers || (source->of->maxwell_choice && flag(source, 0xf10));
}

void front_state_decode(struct front_state *state, const struct front_source *source) {
    memset(state, 0, sizeof *state);
    for (unsigned i = 0; i < DRAW_VIEWPORTS; i++)
        set_viewport(state, source, i);
    set_windows(state, source);
    set_clip(state, source);
    set_raster(state, source);
    front_state_pixels(state, source);
    set_streams(state, source);
    set_defaults(state, source);
    set_programs(state, source);
    set_textures(state, source);
    state->layer = value(source, 0x15cc) & 0xffff;
    state->shader_layer = value(source, 0x15cc) >> 16 & 1;
    state->layer_plus_viewport = source->of->sample_places && flag(source, 0x11f0);
    state->clamp_colors = flag(source, 0x2600);
    state->provoking_last = flag(source, 0x1684);
    state->draw.program.flat_colors = value(source, 0x12d4) == 1 || value(source, 0x12d4) == 0x1d00;
}

/* ---- program headers ---- */

bool front_state_writes(const struct front_state *state, unsigned word) {
    const struct front_stage *stage = &state->stage[STAGE_VERTEX];
    unsigned bit = 400 + word;
    return word >= 0x10 && bit / 32 < HEADER_WORDS && stage->known && (stage->header[bit / 32] >> bit % 32 & 1);
}

static void add_input(struct front_state *state, unsigned word, unsigned mode) {
    struct draw_program *program = &state->draw.program;
    struct clip *clip = &state->clip;
    if (!mode || program->input_count == DRAW_ATTRIBUTES)
        return;
    program->inputs[program->input_count++] = (struct draw_input){(uint8_t)word, (uint8_t)mode};
    clip->word[clip->word_count++] = (uint8_t)word;
    clip->linear[word] = mode == DRAW_LINEAR;
}

/* Bits of the header from `first` on: `bits` for each word of the attribute space from `word` on. */
static void add_inputs(struct front_state *state, unsigned first, unsigned bits, unsigned word, unsigned count) {
    const uint32_t *header = state->stage[STAGE_FRAGMENT].header;
    for (unsigned i = 0; i < count; i++) {
        unsigned bit = first + i * bits, code = header[bit / 32] >> bit % 32 & (bits == 2 ? 3 : 1);
        add_input(state, word + i, bits == 2 ? code : code ? DRAW_PERSPECTIVE : DRAW_UNUSED);
    }
}

/* They take the place of the front colours, and vary as these do. */
static void add_back_colors(struct front_state *state) {
    struct clip *clip = &state->clip;
    for (unsigned i = 0; state->draw.raster.two_sided && i < 8; i++) {
        clip->word[clip->word_count++] = (uint8_t)(WORD_BACK + i);
        clip->linear[WORD_BACK + i] = clip->linear[WORD_COLORS + i];
    }
}

static void set_fragment(struct front_state *state, const struct front_source *source) {
    struct draw_program *program = &state->draw.program;
    const uint32_t *header = state->stage[STAGE_FRAGMENT].header;
    uint32_t passes = value(source, 0x754) & 15;
    program->present = true;
    program->input_count = 0;
    state->clip.word_count = 0;
    add_inputs(state, 192, 2, 0x20, 128); /* generic */
    add_inputs(state, 448, 2, WORD_COLORS, 8);
    add_inputs(state, 464, 1, 0xb0, 8);  /* clip distances */
    add_inputs(state, 474, 1, 0xba, 1);  /* fog */
    add_inputs(state, 480, 2, 0xc0, 40); /* fixed texture coordinates */
    add_back_colors(state);
    program->outputs = header[18];
    /* 0x300: [0] the program's mask is used, [1] only with multisampling. */
    uint32_t usage = value(source, 0x300);
    program->sample_mask = (header[19] & 1) && (usage & 1) && (!(usage >> 1 & 1) || state->draw.raster.multisample);
    program->depth = header[19] >> 1 & 1;
    program->separate = (header[0] >> 14 & 1) && flag(source, 0xfac);
    program->kills = header[0] >> 15 & 1;
    program->effects = header[0] >> 16 & 1;
    program->early = flag(source, 0x210);
    program->passes = (uint8_t)(passes ? passes : 1);
    program->centroid_of_pass = value(source, 0x754) >> 4 & 1;
}

void front_state_header(struct front_state *state, const struct front_source *source, unsigned stage,
                        const uint32_t header[HEADER_WORDS]) {
    memcpy(state->stage[stage].header, header, HEADER_WORDS * sizeof header[0]);
    state->stage[stage].known = true;
    if (stage == STAGE_FRAGMENT)
        set_fragment(state, source);
}
