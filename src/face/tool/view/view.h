/* SPDX-License-Identifier: MIT */
/*
 * How a listing is shown: in colours, and by a pager.
 *
 *   stdout --> painter (paint.h) --> pager --> terminal
 *
 * Both stand between only if they are wanted; otherwise standard output is as it was.
 */
#ifndef PFIFO_TOOL_VIEW_VIEW_H
#define PFIFO_TOOL_VIEW_VIEW_H

#include "face/tool/tool.h"
#include "face/tool/view/paint.h"

struct view_options {
    enum { VIEW_AUTO, VIEW_ALWAYS, VIEW_NEVER } color;
    bool no_pager;
};

/* --color, and with --no-pager. The input: struct view_options. */
extern const struct argp view_color_argp;
extern const struct argp view_listing_argp;

/* Without memory for it, the listing is plain. */
void view_begin(const struct view_options *options, const struct paint_rule *rules, bool pager);

/* What one command of many prints, by a pager, if standard output is a terminal. The pager ends when all fits. */
void view_page_begin(void);
void view_page_end(void);

/*
 * All has been printed: wait until the user has seen it. What to exit with: `status`, unless the pager could not run.
 * That the user has not read to the end is no failure.
 */
enum tool_status view_end(enum tool_status status);

#endif
