/* SPDX-License-Identifier: MIT */
/* The variables of the environment that say what a preloaded library does. Those of settings.c; `pfifo run` sets them.
 */
#ifndef PFIFO_SRC_FACE_DRM_NAMES_H
#define PFIFO_SRC_FACE_DRM_NAMES_H

#define SETTING_CHIP       "PFIFO_CHIP"
#define SETTING_VRAM       "PFIFO_DRM_VRAM"
#define SETTING_BUDGET     "PFIFO_DRM_BUDGET"
#define SETTING_JOBS       "PFIFO_DRM_JOBS"
#define SETTING_NO_COMPILE "PFIFO_DRM_NO_COMPILE"
#define SETTING_VERSION    "PFIFO_DRM_VERSION"
#define SETTING_MODE       "PFIFO_DRM_MODE"
#define SETTING_REFRESH    "PFIFO_DRM_REFRESH"
#define SETTING_ATOMIC     "PFIFO_DRM_ATOMIC"
#define SETTING_WINDOW     "PFIFO_DRM_WINDOW"
#define SETTING_QUIET      "PFIFO_DRM_QUIET"
#define SETTING_SYNC       "PFIFO_DRM_SYNC"
#define SETTING_TRACE      "PFIFO_DRM_TRACE"
#define SETTING_WHERE      "PFIFO_DRM_WHERE"
#define SETTING_NAMES      "PFIFO_DRM_NAMES"
#define SETTING_STATS      "PFIFO_DRM_STATS"
#define SETTING_JSON       "PFIFO_DRM_JSON"
#define SETTING_REPORT     "PFIFO_DRM_REPORT"
#define SETTING_REQUIRE    "PFIFO_DRM_REQUIRE"
#define SETTING_OUTPUT     "PFIFO_DRM_OUTPUT"
#define SETTING_SCREENSHOT "PFIFO_DRM_SCREENSHOT"
#define SETTING_DRAWS      "PFIFO_DRM_DRAWS"
#define SETTING_FROM       "PFIFO_DRM_DRAWS_FROM"
#define SETTING_COUNT      "PFIFO_DRM_DRAWS_COUNT"

#define SETTING_RECORD "PFIFO_RECORD" /* of libpfifo-record.so */

/* Words that begin a line of the file of SETTING_REQUIRE; the name of the program follows. */
#define SESSION_OPENED    "opened"
#define SESSION_ELSEWHERE "elsewhere"

#define SETTING_MAX_PIXELS  8192u /* of a mode in each direction: the least that all chips have */
#define SETTING_MAX_REFRESH 1000u /* Hz */

#endif
