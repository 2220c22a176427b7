/* SPDX-License-Identifier: MIT */
/*
 * The rows of method_list.h. A class is in all rows that name it.
 *
 * UNKNOWN: RSX, and classes of Curie on the chips of the other variant; chosen: both have the methods of 4097. NV45 and
 * its 3597; chosen: as NV40.
 *
 * UNKNOWN: transform constants of Curie (0x1f00 to 0x1f7c) between BEGIN and END: hwtest has them refused, and games of
 * the PlayStation 3 send them there, as RPCS3 found (Emu/RSX, transform_constant_update_barrier). Chosen: they are
 * taken. Methods that hwtest has not tried, such as CLEAR_BUFFERS and fences; chosen: they are taken, too.
 */
#include "classes/method_list_rows.h"

#define HAS(chips, classes, methods)                                                                                   \
    { chips, classes, methods, METHOD_EXISTS }
#define MISSING(chips, classes, methods)                                                                               \
    { chips, classes, methods, METHOD_MISSING_HW }
#define DRIVER(chips, classes, methods)                                                                                \
    { chips, classes, methods, METHOD_BY_DRIVER }
/* Between BEGIN and END. */
#define REFUSED(chips, classes, methods)                                                                               \
    { chips, classes, methods, METHOD_REFUSED_INSIDE }
#define IGNORED(chips, classes, methods)                                                                               \
    { chips, classes, methods, METHOD_IGNORED_INSIDE }

/* What all classes of a generation have. */
#define CELSIUS                                                                                                        \
    "100-110 140 180-198 200-254 260-2b4 2c0-3f8 400-5bc 600-698 6a0-6b4 6c4-6cc 6e8-724 800-870 880-8f0 900-970 "     \
    "980-9f0 a00-a70 a80-af0 b00-b70 b80-bf0 c00-c08 c10-c38 c40-c44 c50-c98 ca0-cc0 cc8-ce4 cec-d3c dfc-ffc "         \
    "10fc-11fc 13fc-15fc 17fc-1ffc"
#define RANKINE                                                                                                        \
    "100-110 120-130 140 180-1b0 200-25c 2b8-37c 390-3a8 3b0-8d8 8e4-914 920-934 940-954 960-974 980-994 9a0-9b4 "     \
    "9c0-9d4 9e0-9f4 a00-a18 a20-a44 a4c-b3c b80-c20 c40-c60 c80-ca0 cc0-ce0 d00-d20 d40-d60 d80-da0 dc0-de0 "         \
    "e00-1230 1240-1270 1280-12b0 12c0-12f0 1300-1330 1340-1370 1380-13b0 13c0-13f0 1400-1414 1420-142c 143c-145c "    \
    "1478-1508 1510-1518 1520-1528 1530-1538 1540-1548 1550-1558 1560-1568 1570-1578 1580-1588 1590-1598 15a0-15a8 "   \
    "15b0-15b8 15c0-15c8 15d0-15d8 15e0-15e8 15f0-15f8 1600-165c 1680-16bc 16d0-171c 1740-177c 17a0-17a8 17b0-17b8 "   \
    "17c0 17c8-17d8 17e0-17e8 1800 1808-1d3c 1d60 1d68-1dcc 1e20-1e34 1e40-1ea0 1ec0-1ee8 1efc-1fbc"

/* What 3D classes do not take between BEGIN and END. */
#define KELVIN_REFUSED                                                                                                 \
    "260-27c 288-294 2a0 2a8 328 394-398 3bc 9cc-9dc 9f8 a60-aec b00-bfc 147c-14fc 16d0-1714 17c8-17cc 17d4-17f8 "     \
    "181c-1824 1b00-1b14 1b1c-1b24 1b40-1b54 1b5c-1b94 1b9c-1bd4 1bdc-1bfc 1d78-1d84 1d8c-1d90 1d98-1d9c "             \
    "1e20-1e24 1e40-1e60 1e70-1e78 1e80-1e8c 1e94-1ea4"
#define KELVIN_IGNORED                                                                                                 \
    "29c 2a4 300-318 320-324 32c-390 39c-3a4 3b8 3c0-3fc 420-42c 43c-7bc 840-93c 9c0-9c8 a20-a5c af0-afc "             \
    "1024-1070 10a4-10f0 1124-1170 11a4-11f0 1224-1270 12a4-12f0 1324-1370 13a4-13f0 17bc-17c4 1e6c"
#define RANKINE_REFUSED                                                                                                \
    "238-23c 370 394-398 3b0 8c8 8e4-914 920-934 940-954 960-974 980-994 9a0-9b4 9c0-9d4 9e0-9f4 a08-a0c a20-a2c "     \
    "a40 b00-b3c b80-bfc 1420-1424 143c-1450 147c-14fc 16d0-1714 17c8-17d8 17e0-17e8 1840-187c 1a00-1bfc "             \
    "1d00-1d3c 1d60 1d78-1d80 1d8c-1d90 1dac-1dcc 1e80-1e8c 1e94-1ea0 1ee8 1efc-1fbc"
#define RANKINE_IGNORED                                                                                                \
    "240-25c 300-36c 374-37c 3b8-8bc 8cc-8d8 a30-a3c a50-a7c e00-ffc 1024-103c 1064-107c 10a4-10bc 10e4-10fc "         \
    "1124-113c 1164-117c 11a4-11bc 11e4-1230 1240-1270 1280-12b0 12c0-12f0 1300-1330 1340-1370 1380-13b0 "             \
    "13c0-13f0 1428-142c 1458 1478 1828-183c 1ec0-1ee4"

/* clang-format off */
const struct method_list_text method_list_texts[] = {
    /* Types that do not exist. UNKNOWN: those of NV1; chosen: as on NV3, where all were tried. */
    HAS("NV1:NV4", "ff00-ff1f", ""),

    /* NV1: by the class that names the type. */
    HAS("NV1", "0012 0014", "104 300"),
    HAS("NV1", "0016 0017", "104 304"),
    HAS("NV1", "0018", "104 308 310-31c"),
    HAS("NV1", "0019", "104 300-304"),
    HAS("NV1", "001a", "104 304 400-57c"),
    HAS("NV1", "001b 001c", "104 304 400-67c"),
    HAS("NV1", "001d", "104 304 310-318 320-334 400-5fc"),
    HAS("NV1", "001e", "104 304 400-47c"),
    HAS("NV1", "001f", "104 300-308"),
    HAS("NV1", "0020", "40-7c 104 308-314"),
    HAS("NV1", "0021", "104 304-30c 400-1ffc"),
    HAS("NV1", "0022", "104 308-318 400-47c"),
    HAS("NV1", "0023", "104 304 310-31c 350-35c 400-47c"),
    HAS("NV1", "0024", "104 304 310-330 350-370 400-47c"),
    HAS("NV1", "0025", "104 308-314"),
    HAS("NV1", "0034", "104 304 310-31c 350-35c 380-384 400-47c"),
    HAS("NV1", "0035", "104 304 310-330 350-370 380-390 400-47c"),

    /* NV3. */
    HAS("NV3:NV4", "0012 0043", "104 300"),
    HAS("NV3:NV4", "0016 0017", "104 304"),
    HAS("NV3:NV4", "0018", "104 308 310-31c"),
    HAS("NV3:NV4", "0019", "104 300-304"),
    HAS("NV3:NV4", "001a", "104 304 400-57c"),
    HAS("NV3:NV4", "001b 001c", "104 304 400-67c"),
    HAS("NV3:NV4", "001d", "104 304 310-318 320-334 400-5fc"),
    HAS("NV3:NV4", "001e", "104 304 400-47c"),
    HAS("NV3:NV4", "001f", "104 300-308"),
    HAS("NV3:NV4", "0021", "104 304-30c 400-1ffc"),
    HAS("NV3:NV4", "0022", "104 308-318 400-47c"),
    HAS("NV3:NV4", "0025", "104 308-314"),
    HAS("NV3:NV4", "0036", "104 304-318 400-1ffc"),
    HAS("NV3:NV4", "0037", "104 308-31c 400-414"),
    HAS("NV3:NV4", "0039", "104 30c-328"),
    HAS("NV3:NV4", "0047", "104 304-308 7fc-ffc"),
    HAS("NV3:NV4", "0048", "104 304-318 1000-1ffc"),
    HAS("NV3:NV4", "004b", "104 3fc-5fc 7f4-9fc bec-dfc fe8-11fc 13e4-15fc"),
    HAS("NV3:NV4", "0058", "104 300 308-30c"),

    /*
     * NV4 .. NV1F: all numbers of classes, of which most are in other rows, too. UNKNOWN: 0067 0079 0082 0085 0087 of
     * NV10 to NV1F, which DEBUG_3 bit 16 puts in the place of 0063 007b 0062 0056 0089; left out.
     */
    HAS("NV4:NV10", "0-ff", ""),
    HAS("NV10:NV20", "0-66 68-78 7a-81 83-84 86 88-ff", ""),

    /* NV4: operations. */
    HAS("NV4", "0010 0011 0013 0015 0067", "100-104 180"),
    MISSING("NV4", "0010 0015", "200-204"),
    MISSING("NV4", "0011 0013 0067", "200-208"),

    /* NV4: what its driver does: what NV5 has more. */
    DRIVER("NV4", "001c 001d 001e 0036", "184-194 2fc"),
    DRIVER("NV4", "001f 005f 0061", "184-19c 2fc"),
    DRIVER("NV4", "0021 005c 005d 005e 0076", "184-198 2fc"),
    DRIVER("NV4", "0037", "188-194 304"),
    DRIVER("NV4", "0077", "188-198 304"),
    DRIVER("NV4", "0048", "188-190"),
    DRIVER("NV4", "004a", "188-198 2fc"),
    DRIVER("NV4", "004b", "184-190 2fc"),
    DRIVER("NV4", "0053", "2f8-2fc"),
    DRIVER("NV4", "0060", "188-1a0 3e4"),

    /* Context objects and surfaces. */
    HAS("NV4:G80", "0012 0043 0072", "100-104 180 300"),
    HAS("NV10:G80",
        "0012 0017 0018 0019 001f 0037 0038 0039 0042 0043 0044 004a 0052 0057 0058 0059 005a 005b 005c 005d "
        "005f 0060 0061 0072 0076 0077",
        "140"),
    MISSING("NV4:NV20",
        "0012 0017 0018 0019 001c 001d 0021 0036 0037 0043 0044 004a 004b 0057 005c 005d 0060 0061 0064 0065 "
        "0066 0072 0076 0077",
        "200"),
    HAS("NV4:G80", "0017 0019 0057", "100-104 180 300-304"),
    HAS("NV4:G80", "0018", "100-104 180 300-308 310-31c"),
    HAS("NV4:G80", "0042", "100-104 180-188 300-30c"),
    HAS("NV20:G80", "0042 0062", "200"),
    MISSING("NV4:NV20", "0042 0052", "200-2fc"),
    HAS("NV4:G80", "0044", "100-104 180 300-31c 400-43c 500-57c 600-67c 700-7fc"),
    HAS("NV4:G80", "0052", "100-104 180-184 300-304"),
    HAS("NV4:G80", "0058 0059 005a 005b", "100-104 180-184 300 308-30c"),
    HAS("NV10:G80", "0062", "100-108 140 180-188 300-30c"),
    MISSING("NV10:NV20", "0062", "200-2fc"),
    HAS("NV15:G80", "009e", "100-104 140 180-184 300-304"),
    MISSING("NV15:NV20", "009e", "200-2fc"),
    HAS("NV30:NV40", "0362", "100-108 140 180-188 200 300-30c"),
    HAS("NV30:NV40", "039e", "100-104 140 180-184 300-304"),
    HAS("NV40:G80", "3062", "100-108 140 180-188 200 300-30c"),
    HAS("NV40:G80", "309e", "100-104 140 180-184 300-304"),

    /* Solids, text, blits, images. */
    HAS("NV4:NV40", "001c", "100-104 180 300-304 400-67c"),
    HAS("NV5:NV40", "001c 001d 001e 0036", "184-194 2fc"),
    HAS("NV10:NV40", "001c 001d 001e 0021 0036 004b 005e", "140"),
    HAS("NV4:NV10", "001c 001d 001e 001f 0021 0036 0037 0048 004a 004b 005c 005d 005e 005f 0060 0061 0076 0077", "10c"),
    HAS("NV4:NV40", "001d", "100-104 180 300-304 310-318 320-334 400-5fc"),
    HAS("NV4:NV40", "001e 005e", "100-104 180 300-304 400-47c"),
    MISSING("NV4:NV40", "001e 005e", "200"),
    HAS("NV4:G80", "001f 005f", "100-104 180 300-308"),
    HAS("NV5:G80", "001f 005f 0061", "184-19c 2fc"),
    MISSING("NV4:NV20", "001f 0058 0059 005a 005b 005f", "200-204"),
    HAS("NV4:NV40", "0021", "100-104 180 300-30c 400-47c"),
    HAS("NV5:NV40", "0021 005e", "184-198 2fc"),
    HAS("NV4:NV40", "0036", "100-104 180 300-318 400-1ffc"),
    HAS("NV4:G80", "0037 0077", "100-104 180-184 300 308-31c 400-40c"),
    HAS("NV5:G80", "0037", "188-194 304"),
    HAS("NV4:G80", "004a", "100-104 180-184 300-304 3fc-4fc 5f4-6fc 7ec-9fc be4-dfc ff0-13fc 17f0-1ffc"),
    HAS("NV5:G80", "004a", "188-198 2fc"),
    HAS("NV4:NV40", "004b", "100-104 180 300-304 3fc-5fc 7f4-9fc bec-dfc fe8-11fc 13e4-15fc"),
    HAS("NV5:NV40", "004b", "184-190 2fc"),
    HAS("NV4:G80", "005c", "100-104 180 300-304 400-67c"),
    HAS("NV5:G80", "005c 005d 0076", "184-198 2fc"),
    HAS("NV4:G80", "005d", "100-104 180 300-304 310-318 320-334 400-5fc"),
    HAS("NV4:G80", "0060", "100-104 180-184 3e8-1ffc"),
    HAS("NV5:G80", "0060", "188-1a0 3e4"),
    HAS("NV4:G80", "0061", "100-104 180 300-30c 400-1ffc"),
    HAS("NV10:G80", "0063", "100-104 140 180-198 2fc-31c 400-40c"),
    MISSING("NV10:NV20", "0063 0089 008a", "200"),
    HAS("NV4:G80", "0064 0065 0066", "100-104 180"),
    HAS("NV5:G80", "0064", "184-1a0 3e4-1ffc"),
    HAS("NV10:G80", "0064", "140 3e0"),
    HAS("NV5", "0064 0065 0066", "10c"),
    MISSING("NV4", "0064 0065", "204"),
    HAS("NV5:G80", "0065", "184-19c 2fc-30c 400-1ffc"),
    HAS("NV10:G80", "0065 0066", "140 2f8"),
    HAS("NV5:G80", "0066", "184-198 2fc-318 400-1ffc"),
    MISSING("NV4", "0066", "204-208"),
    HAS("NV4:G80", "0076", "100-104 180 300-318 400-1ffc"),
    HAS("NV5:G80", "0077", "188-198 304"),
    HAS("NV10:G80", "007b", "100-108 140 180-184 2fc-310 400-1ffc"),
    HAS("NV10:G80", "0089", "100-108 140 180-198 2fc-31c 400-40c"),
    HAS("NV10:G80", "008a", "100-108 140 180-19c 2f8-30c 400-1ffc"),
    HAS("NV15:G80", "009f", "100-10c 120-134 140 180-19c 2fc-308"),
    MISSING("NV15:NV20", "009f", "200-204"),
    HAS("NV30:NV40", "035c", "100-104 140 180-198 2fc-304 400-67c"),
    HAS("NV30:NV40", "0364", "100-104 140 180-1a0 3e0-1ffc"),
    HAS("NV30:NV40", "0366", "100-104 140 180-198 2f8-318 400-1ffc"),
    HAS("NV30:NV40", "037b", "100-108 140 180-184 2fc-310 400-1ffc"),
    HAS("NV30:NV40", "0389", "100-108 140 180-198 2fc-31c 400-40c"),
    HAS("NV30:NV40", "038a", "100-108 140 180-19c 2f8-30c 400-1ffc"),
    HAS("NV40:G80", "305c", "100-104 140 180-198 2fc-304 400-67c"),
    HAS("NV40:G80", "3064", "100-104 140 180-1a0 3e0-1ffc"),
    HAS("NV40:G80", "3066", "100-104 140 180-198 2f8-318 400-1ffc"),
    HAS("NV40:G80", "307b", "100-108 140 180-184 2fc-310 400-1ffc"),
    HAS("NV40:G80", "3089", "100-108 140 180-198 2fc-31c 400-40c"),
    HAS("NV40:G80", "308a", "100-108 140 180-19c 2f8-30c 400-1ffc"),

    /* Memory to memory, subpictures. */
    HAS("NV4:G80", "0038", "100-104 180-18c 300-33c"),
    HAS("NV4:G80", "0039", "100-104 180-188 30c-328"),
    HAS("NV10:G80", "0088", "100-108 140 180-18c 300-33c"),

    /* 3D before Celsius. */
    HAS("NV4:NV15", "0048", "100-104 180-184 304-318 1000-1ffc"),
    HAS("NV5:NV15", "0048", "188-190"),
    HAS("NV10", "0048", "140"),
    MISSING("NV4:NV15", "0048", "200-20c"),
    HAS("NV4:NV20", "0053", "100-104 180-188 300-310"),
    HAS("NV5:NV20", "0053", "2f8-2fc"),
    HAS("NV10:NV20", "0053 0054 0055", "140"),
    HAS("NV4:NV20", "0054", "100-104 180-18c 300-318 400-6fc"),
    HAS("NV4:NV20", "0055", "100-104 180-18c 308-324 32c-348 400-5fc"),
    HAS("NV10:NV20", "0093", "100-104 140 180-188 2f8-310"),
    HAS("NV10:NV20", "0094", "100-104 140 180-18c 300-318 400-6fc"),
    HAS("NV10:NV20", "0095", "100-104 140 180-18c 308-324 32c-348 400-5fc"),

    /* Celsius. */
    HAS("NV10:NV30", "0056", CELSIUS),
    HAS("NV20:NV30", "0056", "1628-1630"),
    HAS("NV15:NV30", "0096", CELSIUS " 114 120-130 d40-d44"),
    HAS("NV17:NV20", "0098", CELSIUS " 114 120-130 d40-d44"),
    HAS("NV17:NV20", "0099", CELSIUS " 114 120-130 1ac-1b0 258-25c 2b8-2bc 3fc d40-d44 d54-d84"),

    /* Kelvin. */
    HAS("NV20:NV34", "0097",
        "100-110 120-130 140 180-188 190-1a8 200-214 260-27c 288-2a8 2b4 2c0-3fc 420-42c 43c-7bc 840-93c 9c0-9fc "
        "a10-a18 a20-c20 c40-c60 c80-ca0 cc0-ce0 d00-d20 d40-d60 d80-da0 dc0-de0 1000-1070 1080-10f0 1100-1170 "
        "1180-11f0 1200-1270 1280-12f0 1300-1370 1380-13f0 147c-1508 1510-1538 1540-1544 1550-1598 15a0-15c0 "
        "15c8-15e8 15f0-1610 1620-1634 1698-16a4 16b0-1800 1808 1810 1818-1828 1880-1b14 1b1c-1b24 1b40-1b54 "
        "1b5c-1b94 1b9c-1bd4 1bdc-1bfc 1d64-1d84 1d8c-1d9c 1de0-1df8 1e00-1e60 1e68-1e78 1e80-1ea4"),
    HAS("NV25:NV40", "0597",
        "100-110 120-130 140 180-188 190-1b0 200-214 224-234 260-27c 288-2a8 2b4 2c0-318 320-3fc 420-42c 43c-7bc "
        "840-93c 9c0-9fc a0c-c20 c40-c60 c80-ca0 cc0-ce0 d00-d20 d40-d60 d80-da0 dc0-de0 1000-1070 1080-10f0 "
        "1100-1170 1180-11f0 1200-1270 1280-12f0 1300-1370 1380-13f0 1478-1508 1510-1538 1540-1544 1550-1598 "
        "15a0-15c0 15c8-15e8 15f0-1610 1620-1634 1698-16a4 16b0-1800 1808 1810 1818-1828 1880-1b14 1b1c-1b24 "
        "1b40-1b54 1b5c-1b94 1b9c-1bd4 1bdc-1bfc 1d64-1da8 1dbc-1dcc 1de0-1df8 1e00-1e60 1e6c-1ea4"),

    /* Rankine. */
    HAS("NV30:NV40", "0397", RANKINE " 1d64"),
    HAS("NV34", "0697", RANKINE " 1d64"),
    HAS("NV35 NV36", "0497", RANKINE " 380-388 1d64"),
    HAS("NV40:NV41", "3597", RANKINE " 380-388"),

    /* Curie. */
    HAS("NV40:G80", "4097 4497",
        "100-110 120-130 140 180-1b8 200-22c 234-23c 260-28c 2b8-38c 394-398 3b0 3b8-3bc 8c0-8c4 8cc-8d8 8e0-8e4 "
        "900-97c a00-a04 a0c a1c-a3c a60-b64 b80-bfc 1428-1438 1450-1454 145c 1478-1508 1510-1518 1520-1528 "
        "1530-1538 1540-1548 1550-1558 1560-1568 1570-1578 1580-1588 1590-1598 15a0-15a8 15b0-15b8 15c0-15c8 "
        "15d0-15d8 15e0-15e8 15f0-15f8 1680-16bc 1710-171c 1738-177c 17c8-17cc 1800-1d3c 1d60-1d64 1d6c-1dcc "
        "1e40-1e7c 1e94-1eac 1ee0-1f7c 1fc0-1ff8"),

    /* Between BEGIN and END. */
    REFUSED("NV20:NV34", "0097", KELVIN_REFUSED),
    IGNORED("NV20:NV34", "0097", KELVIN_IGNORED " 31c 1e68"),
    REFUSED("NV25:NV40", "0597", KELVIN_REFUSED " a0c a1c 1478 1d88 1da4-1da8 1dbc-1dcc 1e7c"),
    IGNORED("NV25:NV40", "0597", KELVIN_IGNORED),
    REFUSED("NV30:NV40", "0397", RANKINE_REFUSED),
    IGNORED("NV30:NV40", "0397", RANKINE_IGNORED),
    REFUSED("NV34", "0697", RANKINE_REFUSED),
    IGNORED("NV34", "0697", RANKINE_IGNORED),
    REFUSED("NV35 NV36", "0497", RANKINE_REFUSED " 380-388"),
    IGNORED("NV35 NV36", "0497", RANKINE_IGNORED),
    REFUSED("NV40:NV41", "3597", RANKINE_REFUSED " 380-388"),
    IGNORED("NV40:NV41", "3597", RANKINE_IGNORED),
    REFUSED("NV40:G80", "4097 4497",
        "238-23c 36c 380-388 394-398 3b0 8e4 900-97c a0c a20-a2c b00-b3c b80-bfc 1450 147c-14fc 1710-1714 17c8-17cc "
        "1840-187c 1a00-1bfc 1d00-1d3c 1d60 1d78-1d80 1d8c-1d90 1dac-1dcc 1e94 1ee8 1fc4-1fd4 1ff4"),
    IGNORED("NV40:G80", "4097 4497",
        "300-368 374-37c 3b8-3bc 8cc-8d8 a30-a3c a60-a7c 1428-142c 1478 1828-183c 1ee0-1ee4"),
};
/* clang-format on */

const size_t method_list_text_count = sizeof method_list_texts / sizeof method_list_texts[0];
