/* SPDX-License-Identifier: MIT */
/* Usual causes that lines of several drivers share. */
#ifndef PFIFO_TOOL_EXPLAIN_LOG_CAUSES_H
#define PFIFO_TOOL_EXPLAIN_LOG_CAUSES_H

#define FREED     "the buffer was freed or never mapped while work that uses it was queued"
#define NOT_THERE FREED "; or an address was computed wrongly"
#define WRONG_KIND                                                                                                     \
    "the format or layout of the surface is another than the kind that its pages were mapped with; or it is not "      \
    "mapped"
#define WRONG_DATA "the driver sent a value that this class does not take; often a method of a newer class, or garbage"
#define GONE_WRONG                                                                                                     \
    "the words that the channel fetches are not what was meant: a count is wrong, or the buffer was reused"
#define HANGS   "work of the channel does not end: an endless shader program, or a semaphore that nobody releases"
#define MANY    "a program opens channels and never closes them"
#define FOLLOWS "it follows from an error in a line before it"

#endif
