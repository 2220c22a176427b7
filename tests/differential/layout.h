/* SPDX-License-Identifier: MIT */
/* Where the scene keeps its things, for the files that make it. */
#ifndef PFIFO_TESTS_LAYOUT_H
#define PFIFO_TESTS_LAYOUT_H

#define SEMAPHORES      0x0a000u /* in both memories */
#define PUSH_BASE       0x10000u /* of the pushbuffer, in either memory */
#define PUSH_BYTES      0x4000u
#define PUSH_OFFSET     0x2000u /* its GPU address */
#define HANDLES         12u
#define FIRST_SEMAPHORE 8u /* handles from here on name DMA objects */

#endif
