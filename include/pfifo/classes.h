/* SPDX-License-Identifier: MIT */
/*
 * Names of what NVIDIA's GPU objects understand: classes, methods, fields, values. NV1 to Blackwell.
 *
 *   class 0x9097 FERMI_A
 *     method 0x08c8  SET_COLOR_TARGET_WIDTH(3)  alias RT_HORIZ(3)
 *       field 27:0   V
 *
 * Everything here is constant data of the library: the functions may be called from any thread, allocate
 * nothing, and the pointers they give stay valid forever. A lookup is two binary searches.
 *
 * A method is looked up in a class. From NV4 on, methods below 0x100 belong to the puller, whatever is bound to the
 * subchannel: for them pass the channel's class (0x406e, 0x506f, 0x906f ...). On NV1 and NV3 that is method 0 only.
 *
 * Two parties named these methods: NVIDIA in its class headers and the authors of envytools' rnndb. For Fermi and
 * later `name` is NVIDIA's and `alias` is rnndb's, before it is the other way round. Names are found by either.
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_CLASSES_H
#define PFIFO_CLASSES_H

#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An object class. */
struct pfifo_class {
    uint32_t id;            /* 0x4097; nouveau's software classes are 32 bits wide: 0xfffffff9 */
    const char *name;       /* "NV40_3D", "FERMI_A" */
    const char *alias;      /* the other source's name, NULL if there is none */
    const char *family;     /* "host", "3d", "compute", "2d", "copy", "m2mf", "i2m", "video", "nv30-3d", "nv1-2d" ... */
    const char *first_chip; /* first chip that has it ("NV40", "GF100", "TU102"), NULL if not known */
    const char *last_chip;  /* last one, as far as the sources list chips; NULL if not known */
};

/* Number of classes in the tables. Ids 0x64, 0x65 and 0x66 were used twice, so there are more classes than ids. */
PFIFO_API size_t pfifo_class_count(void);

/* Class `index` (0 .. count-1) by ascending id, the older first where two share it; NULL beyond. */
PFIFO_API const struct pfifo_class *pfifo_class_at(size_t index);

/* Class by id, NULL if it is not known. Of two classes with one id this is the later one, which has all the methods. */
PFIFO_API const struct pfifo_class *pfifo_class_find(uint32_t id);

/*
 * Class by name or alias, case-insensitive, or by its id in hexadecimal ("9097", "0x9097"); NULL if it is not known.
 * "NV35_3D" names two classes: the lower id is returned.
 */
PFIFO_API const struct pfifo_class *pfifo_class_by_name(const char *text);

/* A method of a class, or one element of an array of methods. Fields marked (private) are the library's own. */
struct pfifo_method_name {
    const char *name;   /* without indices */
    const char *alias;  /* the other source's name of this element, NULL if it has none */
    const char *chips;  /* "NV40-", "GT215-MCP89": the source ties the method to these chips; NULL: to the class only */
    uint32_t offset;    /* byte offset of the method that was asked for */
    uint32_t first;     /* byte offset of the array's first element; equals `offset` where there is no array */
    uint32_t count[2];  /* elements per dimension, 1 where there is no such dimension. May be an upper bound */
    uint32_t stride[2]; /* bytes between elements, 0 where there is no such dimension */
    uint32_t indices;   /* how many indices the name takes: 0, 1 or 2 */
    uint32_t index[2];  /* which element */
    uint32_t alias_indices; /* how many the alias takes */
    uint32_t alias_index[2];
    uint32_t row, class_index; /* (private) */
};

/*
 * The method at byte offset `method` of class `class_id`. False (and `*out` all zero) if the class or the method is
 * not known. Where two arrays cover an offset, the one that starts nearest below it wins.
 *
 * A few methods exist only on some of the chips that have the class (`chips`). They are given for every chip: no
 * such method competes with another for an offset, so a name that is limited to chips beats no name.
 */
PFIFO_API bool pfifo_method_find(uint32_t class_id, uint32_t method, struct pfifo_method_name *out);

/* Number of methods of a class, an array counting once; 0 if the class is not known. */
PFIFO_API size_t pfifo_method_count(uint32_t class_id);

/* Method `index` (0 .. count-1) of a class by ascending offset, the first element of an array. False beyond. */
PFIFO_API bool pfifo_method_at(uint32_t class_id, size_t index, struct pfifo_method_name *out);

/*
 * The offset of a method given by name or alias, case-insensitive, with or without indices: "SET_OBJECT",
 * "SET_COLOR_TARGET_A(3)", "MODELVIEW_MATRIX(1,15)". An array without an index is its first element; indices may be
 * hexadecimal ("0x1f"). False if the class has no such method or element; `offset` may be NULL.
 */
PFIFO_API bool pfifo_method_by_name(uint32_t class_id, const char *text, uint32_t *offset);

/*
 * A structure of a class that is no method: "@GP_ENTRY0", "@DMA_INCR", "@TEXHEAD_BL", "@QMDV02_03", "@SPHV3T1". Only
 * its fields are of interest; their bits count from the start of the structure and may be beyond 31.
 */
PFIFO_API bool pfifo_structure_find(uint32_t class_id, const char *name, struct pfifo_method_name *out);

/*
 * These print into a caller's buffer as snprintf does: at most `size` bytes with the terminating zero, and the result
 * is the length that the whole text has. `buf` may be NULL if `size` is 0.
 */

/* Room for the name of any method with its indices and the terminating zero. */
#define PFIFO_METHOD_NAME_BYTES 80

/* "SET_COLOR_TARGET_A(3)", "MODELVIEW_MATRIX(1,15)". */
PFIFO_API size_t pfifo_method_format(const struct pfifo_method_name *method, char *buf, size_t size);

/* The same with the alias: "RT_ADDRESS_HIGH(3)". Empty if there is none. */
PFIFO_API size_t pfifo_method_format_alias(const struct pfifo_method_name *method, char *buf, size_t size);

/* Whose names methods are printed by. */
enum pfifo_names {
    PFIFO_NAMES_OWN,     /* `name`: NVIDIA's from Fermi on, and before that rnndb's */
    PFIFO_NAMES_NVIDIA,  /* of its class headers */
    PFIFO_NAMES_NOUVEAU, /* of rnndb, as Mesa's headers have them, without NVC0_3D_ and the like */
    PFIFO_NAMES_NXDK,    /* NVIDIA's with the class before them, as nxdk, xemu and RPCS3 have: NV097_SET_FLIP_READ */
};

/*
 * Like pfifo_method_format(), in these names: "SET_SURFACE_FORMAT", "RT_FORMAT", "NV4097_SET_SURFACE_FORMAT". Where the
 * source has none, the other one's; nxdk's then has no class before it.
 */
PFIFO_API size_t pfifo_method_format_as(const struct pfifo_method_name *method, enum pfifo_names names, char *buf,
                                        size_t size);

/* What a field holds. */
enum pfifo_field_type {
    PFIFO_FIELD_PLAIN, /* the sources do not say */
    PFIFO_FIELD_UINT,
    PFIFO_FIELD_INT,   /* two's complement */
    PFIFO_FIELD_FLOAT, /* IEEE, 32 or 16 bits by its width */
    PFIFO_FIELD_BOOL,
    PFIFO_FIELD_ENUM,
    PFIFO_FIELD_ADDRESS, /* part of an address or offset in memory */
    PFIFO_FIELD_OBJECT,  /* handle of another object */
};

/* A bit field of a method's data word, or of a structure. Start an iteration with a zeroed one. */
struct pfifo_field {
    const char *name; /* "V" is the whole word, or all of it that counts */
    enum pfifo_field_type type;
    uint32_t high, low; /* bits, inclusive */
    uint32_t shift;     /* the field holds the number shifted right by so many bits */
    uint32_t step[2];   /* structures: bits between the elements of a field that repeats, per dimension; or 0 */
    uint32_t next, row, class_index; /* (private) */
};

/*
 * The next field of a method or structure, by ascending low bit: false at the end.
 *
 *   struct pfifo_field field = {0};
 *   while (pfifo_field_next(&method, &field)) ...
 */
PFIFO_API bool pfifo_field_next(const struct pfifo_method_name *method, struct pfifo_field *field);

/* Field by name, case-insensitive. */
PFIFO_API bool pfifo_field_find(const struct pfifo_method_name *method, const char *name, struct pfifo_field *field);

/* The field's bits in a data word, moved to bit 0 (`shift` is not applied). 0 for a field that is not in bits 31:0. */
PFIFO_API uint32_t pfifo_field_get(const struct pfifo_field *field, uint32_t data);

/*
 * The value of a field in a data word: sign-extended for PFIFO_FIELD_INT, with `shift` applied. pfifo_field_float() is
 * for PFIFO_FIELD_FLOAT, of 32 or 16 bits.
 */
PFIFO_API int64_t pfifo_field_integer(const struct pfifo_field *field, uint32_t data);
PFIFO_API double pfifo_field_float(const struct pfifo_field *field, uint32_t data);

/* Name of a field's value, NULL if it has none. Where one number has two names, the older. */
PFIFO_API const char *pfifo_field_value_name(const struct pfifo_field *field, uint32_t value);

/* Value `index` (0 ...) of the field's named values; false beyond the last. */
PFIFO_API bool pfifo_field_value_at(const struct pfifo_field *field, size_t index, uint32_t *value, const char **name);

/* A field's value by name, case-insensitive. */
PFIFO_API bool pfifo_field_value_by_name(const struct pfifo_field *field, const char *name, uint32_t *value);

/* All in one: the name of `value` in field `field` of method `method`; NULL if any of them is not known. */
PFIFO_API const char *pfifo_value_name(uint32_t class_id, uint32_t method, const char *field, uint32_t value);

/*
 * A method's data word, field by field: "OPERATION=RELEASE RELEASE_SIZE=4BYTE UNIT=3", by ascending low bit. Named
 * values by name, floats as %g, int and uint in decimal, everything else in hexadecimal; the number that a `shift`
 * stands for, not the bits. The whole-word field V appears without its name, and only if it says more than the word
 * itself: a value's name ("OGL_LESS") or a float. Empty if there is nothing to say. Printed as snprintf prints (above).
 */
PFIFO_API size_t pfifo_method_describe(uint32_t class_id, uint32_t method, uint32_t data, char *buf, size_t size);

#ifdef __cplusplus
}
#endif

#endif
