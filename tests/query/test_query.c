/* SPDX-License-Identifier: MIT */
/* What queries match: lines of the decoder and events of a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include <pfifo/query.h>

static struct pfifo_query *compile(const char *text) {
    struct pfifo_error error = {0};
    struct pfifo_query *query = pfifo_query_new(text, &error);

    if (!query)
        fail_msg("%s: %s", text, error.message);
    return query;
}

static bool line_matches(const char *text, const struct pfifo_decode_event *event) {
    struct pfifo_query *query = compile(text);
    bool once = pfifo_query_decoded(query, event);

    /* What it has learned about the method changes nothing. */
    assert_int_equal(once, pfifo_query_decoded(query, event));
    pfifo_query_free(query);
    return once;
}

#define expect_match(text, event)    assert_true(line_matches(text, event))
#define expect_no_match(text, event) assert_false(line_matches(text, event))

static struct pfifo_decode_event method_line(uint32_t class_id, uint16_t method, uint32_t data) {
    return (struct pfifo_decode_event){.kind = PFIFO_DECODE_METHOD,
                                       .channel = 1,
                                       .sequence = 4,
                                       .address = 0x100004000,
                                       .word = data,
                                       .data = data,
                                       .bound_class = class_id,
                                       .name_class = method < 0x100 ? 0x906f : class_id,
                                       .method = method,
                                       .subchannel = 3,
                                       .form = "increasing"};
}

static const struct pfifo_decode_event header = {.kind = PFIFO_DECODE_HEADER,
                                                 .address = 0x100003ffc,
                                                 .word = 0x20010674,
                                                 .count = 1,
                                                 .bound_class = 0x9097,
                                                 .name_class = 0x9097,
                                                 .method = 0x19d0,
                                                 .form = "increasing"};

static void a_method_is_found_by_its_name_in_either_tongue_and_case(void **state) {
    struct pfifo_decode_event clear = method_line(0x9097, 0x19d0, 0x3c);
    (void)state;
    expect_match("CLEAR_SURFACE", &clear);
    expect_match("clear_surface", &clear);
    expect_match("CLEAR_BUFFERS", &clear);
    expect_match("CLEAR_S?RF*", &clear);
    expect_no_match("SET_OBJECT", &clear);
}

static void a_name_with_an_index_is_one_element_and_without_all_of_them(void **state) {
    struct pfifo_decode_event width = method_line(0x9097, 0x0808 + 0x40, 640);
    (void)state;
    expect_match("SET_COLOR_TARGET_WIDTH", &width);
    expect_match("SET_COLOR_TARGET_WIDTH(1)", &width);
    expect_match("SET_COLOR_TARGET_WIDTH(*)", &width);
    expect_no_match("SET_COLOR_TARGET_WIDTH(0)", &width);
    expect_match("SET_COLOR_TARGET_WIDTH(1)=640", &width);
}

static void a_class_is_named_by_name_alias_number_or_glob(void **state) {
    struct pfifo_decode_event clear = method_line(0x9097, 0x19d0, 0x3c);
    (void)state;
    expect_match("FERMI_A.CLEAR_SURFACE", &clear);
    expect_match("9097.*", &clear);
    expect_match("class=FERMI_A", &clear);
    expect_match("class=0x9097", &clear);
    expect_match("class=0x9000..0x90ff", &clear);
    expect_match("class=KEPLER_A,FERMI_*", &clear);
    expect_no_match("KEPLER_A.CLEAR_SURFACE", &clear);
    expect_no_match("class=KEPLER_A", &clear);
}

static void a_host_method_belongs_to_the_channel_and_to_what_is_bound(void **state) {
    struct pfifo_decode_event semaphore = method_line(0x9097, 0x10, 1);
    (void)state;
    expect_match("SEMAPHOREA", &semaphore);
    expect_match("906f.SEMAPHOREA", &semaphore);
    expect_match("class=9097 SEMAPHOREA", &semaphore);
    expect_match("class=FERMI_A SEMAPHOREA", &semaphore);
    expect_no_match("class!=FERMI_A", &semaphore);
}

static void a_bare_number_is_a_method(void **state) {
    struct pfifo_decode_event clear = method_line(0x9097, 0x19d0, 0x3c);
    (void)state;
    expect_match("0x19d0", &clear);
    expect_match("6608", &clear);
    expect_match("0x1900..0x19ff", &clear);
    expect_match("0x100,0x19d0", &clear);
    expect_match("..0x19d0", &clear);
    expect_match("0x19d0..", &clear);
    expect_match("method=0x19d0", &clear);
    expect_match("method=CLEAR_*", &clear);
    expect_match("method=0x100,CLEAR_*", &clear);
    expect_no_match("method!=CLEAR_*", &clear);
    expect_no_match("0x19d4..", &clear);
}

static void a_field_is_compared_by_name_number_and_range(void **state) {
    struct pfifo_decode_event copy = method_line(0x90b5, 0x300, 0x182 | 1 << 7);
    (void)state;
    expect_match("LAUNCH_DMA.SRC_MEMORY_LAYOUT=PITCH", &copy);
    expect_match("LAUNCH_DMA.SRC_MEMORY_LAYOUT=pitch", &copy);
    expect_match("LAUNCH_DMA.SRC_MEMORY_LAYOUT=1", &copy);
    expect_match("LAUNCH_DMA.SRC_MEMORY_LAYOUT=BLOCKLINEAR,PITCH", &copy);
    expect_no_match("LAUNCH_DMA.SRC_MEMORY_LAYOUT=BLOCKLINEAR", &copy);
    expect_match("LAUNCH_DMA.SRC_MEMORY_LAYOUT!=BLOCKLINEAR", &copy);
    expect_match("LAUNCH_DMA.DATA_TRANSFER_TYPE>=1", &copy);
    expect_no_match("LAUNCH_DMA.DATA_TRANSFER_TYPE>2", &copy);
    expect_match("90b5.LAUNCH_DMA.*_MEMORY_LAYOUT=PITCH", &copy);
    expect_no_match("a0b5.LAUNCH_DMA.*_MEMORY_LAYOUT=PITCH", &copy);
}

static void a_float_is_compared_as_a_float(void **state) {
    struct pfifo_decode_event depth = method_line(0x9097, 0x0d90, 0x3dcccccd); /* 0.1f */
    (void)state;
    expect_match("SET_Z_CLEAR_VALUE=0.1", &depth);
    expect_match("SET_Z_CLEAR_VALUE=0..0.5", &depth);
    expect_match("SET_Z_CLEAR_VALUE<1e-0", &depth);
    expect_no_match("SET_Z_CLEAR_VALUE<0.1", &depth);
    expect_no_match("SET_Z_CLEAR_VALUE=-0.1", &depth);
}

static void a_number_with_a_point_is_compared_with_floats_only(void **state) {
    struct pfifo_decode_event depth = method_line(0x9097, 0x0d90, 0x3f000000); /* 0.5f */
    struct pfifo_decode_event minus = method_line(0x9097, 0x0d90, 0xbf000000); /* -0.5f */
    struct pfifo_decode_event mask = method_line(0x9097, 0x19d0, 1);
    (void)state;
    expect_match("SET_Z_CLEAR_VALUE=0.5", &depth);
    expect_match("SET_Z_CLEAR_VALUE<0.6", &depth);
    expect_no_match("SET_Z_CLEAR_VALUE>=0.6", &depth);
    expect_no_match("SET_Z_CLEAR_VALUE>6e-1", &depth);
    expect_match("SET_Z_CLEAR_VALUE>=0.5", &depth);
    expect_no_match("SET_Z_CLEAR_VALUE=0.6..", &depth);
    expect_no_match("SET_Z_CLEAR_VALUE=0.6..1e30", &depth);
    expect_match("SET_Z_CLEAR_VALUE=0.4..0.6", &depth);
    expect_match("SET_Z_CLEAR_VALUE=..0.6", &depth);
    expect_match("SET_Z_CLEAR_VALUE=0.1,0.5", &depth);
    expect_no_match("SET_Z_CLEAR_VALUE=0.1,0.6", &depth);
    expect_no_match("SET_Z_CLEAR_VALUE!=0.5", &depth);
    expect_match("SET_Z_CLEAR_VALUE!=0.6", &depth);
    expect_match("SET_Z_CLEAR_VALUE.V>=0.4", &depth);
    expect_match("SET_Z_CLEAR_VALUE<0.0", &minus);
    expect_no_match("SET_Z_CLEAR_VALUE>=0.0", &minus);
    expect_no_match("CLEAR_SURFACE>=0.5", &mask);
    expect_no_match("CLEAR_SURFACE.Z_ENABLE=1.0", &mask);
    expect_no_match("CLEAR_SURFACE.Z_ENABLE!=0.5", &mask);
    /* Without one, the word is compared, too. */
    expect_match("SET_Z_CLEAR_VALUE=0x3f000000", &depth);
    expect_match("SET_Z_CLEAR_VALUE=0x3e000000..0x3fffffff", &depth);
    expect_no_match("SET_Z_CLEAR_VALUE!=0x3f000000", &depth);
    expect_match("SET_Z_CLEAR_VALUE!=0x3e000000", &depth);
}

static void each_key_has_its_value(void **state) {
    struct pfifo_decode_event line = method_line(0x9097, 0x19d0, 0x3c);
    (void)state;
    expect_match("channel=1 submission=4 subchannel=3 data=0x3c word=60 address=0x100004000", &line);
    expect_match("chan=1 submit=3..5 subc=0..3 addr>0x100000000", &line);
    expect_no_match("channel=0", &line);
    expect_no_match("submission=5..", &line);
    expect_match("event=method form=incr*", &line);
    expect_match("kind=method", &line);
    expect_no_match("form=immediate", &line);
    /* It has none of these. */
    expect_no_match("target=0", &line);
    expect_no_match("count=0", &line);
    expect_no_match("text=*", &line);
    expect_no_match("text!=x", &line);
    expect_match("not text=*", &line);
}

static void and_or_not_and_parentheses_bind_as_in_other_languages(void **state) {
    struct pfifo_decode_event line = method_line(0x9097, 0x19d0, 0x3c);
    (void)state;
    expect_match("channel=0 or channel=1 and data=0x3c", &line);
    expect_no_match("(channel=1 or channel=0) and data=0", &line);
    expect_match("channel=1 or channel=0 data=0", &line);
    expect_match("not channel=0 and not (data=1 or data=2)", &line);
    expect_match("!channel=0 & !(data=1 | data=2)", &line);
    expect_match("not(data=1)&&!data=2", &line);
    expect_match("not not channel=1", &line);
    expect_match("", &line);
    expect_match("  ", &line);
}

static void a_header_announces_methods_and_is_none(void **state) {
    (void)state;
    expect_no_match("CLEAR_SURFACE", &header);
    expect_no_match("class=FERMI_A", &header);
    expect_no_match("not class=KEPLER_A", &header);
    expect_match("event=header CLEAR_SURFACE", &header);
    expect_match("form=increasing class=FERMI_A subc=0", &header);
    expect_match("address=0x100003ffc", &header);
    expect_match("count=1", &header);
    expect_match("word=0x20010674", &header);
}

static void what_is_about_methods_matches_nothing_else(void **state) {
    const struct pfifo_decode_event error = {.kind = PFIFO_DECODE_ERROR, .address = 4, .text = "bad word"};
    const struct pfifo_decode_event jump = {.kind = PFIFO_DECODE_JUMP, .target = 0x2000, .form = "call"};
    (void)state;
    expect_no_match("not class=FERMI_A", &error);
    expect_match("not class=FERMI_A or event=error", &error);
    expect_match("text=*word", &error);
    expect_match("reason=\"bad word\"", &error);
    expect_match("event=jump target=0x2000", &jump);
    expect_no_match("target=0x2004", &jump);
}

/* ---- events ---- */

static struct pfifo_event event_of(const char *name) {
    size_t id = pfifo_event_find(name);

    assert_true(id != SIZE_MAX);
    return (struct pfifo_event){.id = (unsigned)id, .time = 640, .channel = 2};
}

static void set_field(struct pfifo_event *event, const char *field, uint64_t value) {
    const struct pfifo_event_info *info = pfifo_event_info(event->id);

    for (unsigned i = 0; i < info->fields; i++) {
        if (strcmp(info->field[i], field) == 0) {
            event->value[i] = value;
            return;
        }
    }
    fail_msg("%s has no field %s", info->name, field);
}

static bool event_matches(const char *text, const struct pfifo_event *event, const struct pfifo_query_place *place) {
    struct pfifo_query *query = compile(text);
    bool matches = pfifo_query_event(query, event, place);

    pfifo_query_free(query);
    return matches;
}

static void the_same_query_asks_events_of_a_run(void **state) {
    struct pfifo_event event = event_of("puller.method");
    const struct pfifo_query_place place = {.host_class = 0x906f, .submitted = true, .submission = 7};
    (void)state;
    set_field(&event, "subchannel", 1);
    set_field(&event, "class", 0x9097);
    set_field(&event, "method", 0x19d0);
    set_field(&event, "data", 0x3c);
    assert_true(event_matches("CLEAR_SURFACE.R_ENABLE=TRUE", &event, &place));
    assert_true(event_matches("event=puller.* class=FERMI_A subc=1 data=0x3c channel=2", &event, &place));
    assert_true(event_matches("time=600..700", &event, NULL));
    assert_true(event_matches("submission=7", &event, &place));
    assert_false(event_matches("submission=7", &event, NULL));
    assert_false(event_matches("CLEAR_SURFACE.R_ENABLE=FALSE", &event, &place));
    set_field(&event, "method", 0x10);
    assert_true(event_matches("906f.SEMAPHOREA", &event, &place));
}

static void an_event_is_asked_for_its_own_fields(void **state) {
    struct pfifo_event fault = event_of("memory.fault"), bind = event_of("puller.bind");
    (void)state;
    set_field(&fault, "write", 1);
    set_field(&fault, "address", 0x1234);
    fault.text = "PTE";
    set_field(&bind, "engine", 2);
    assert_true(event_matches("write=1 reason=PTE address=0x1234", &fault, NULL));
    assert_true(event_matches("write", &fault, NULL));
    assert_false(event_matches("write=0", &fault, NULL));
    assert_false(event_matches("write", &bind, NULL));
    assert_true(event_matches("engine=2", &bind, NULL));
    assert_false(event_matches("not event=puller.*", &bind, NULL));
}

static void an_event_without_a_channel_is_in_none(void **state) {
    struct pfifo_event event = event_of("bus.line");
    (void)state;
    event.channel = UINT32_MAX;
    assert_false(event_matches("channel=0..", &event, NULL));
    assert_false(event_matches("channel", &event, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_method_is_found_by_its_name_in_either_tongue_and_case),
        cmocka_unit_test(a_name_with_an_index_is_one_element_and_without_all_of_them),
        cmocka_unit_test(a_class_is_named_by_name_alias_number_or_glob),
        cmocka_unit_test(a_host_method_belongs_to_the_channel_and_to_what_is_bound),
        cmocka_unit_test(a_bare_number_is_a_method),
        cmocka_unit_test(a_field_is_compared_by_name_number_and_range),
        cmocka_unit_test(a_float_is_compared_as_a_float),
        cmocka_unit_test(a_number_with_a_point_is_compared_with_floats_only),
        cmocka_unit_test(each_key_has_its_value),
        cmocka_unit_test(and_or_not_and_parentheses_bind_as_in_other_languages),
        cmocka_unit_test(a_header_announces_methods_and_is_none),
        cmocka_unit_test(what_is_about_methods_matches_nothing_else),
        cmocka_unit_test(the_same_query_asks_events_of_a_run),
        cmocka_unit_test(an_event_is_asked_for_its_own_fields),
        cmocka_unit_test(an_event_without_a_channel_is_in_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
