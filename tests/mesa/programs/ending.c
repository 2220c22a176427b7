/* SPDX-License-Identifier: MIT */
/*
 * ending: shows frames whose drawing takes long. A handler of SIGALRM, which comes while one is drawn, shuts OpenGL
 * down and ends the program, as games do it on SIGTERM. It comes before the frame is shown, or the program ends with 1.
 */
#include <GLES2/gl2.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include "drawing.h"
#include "output.h"

enum { DRAWS = 500, MILLISECONDS = 300 };

static struct screen screen = {.version = 20};

static void shut_down(int number) {
    (void)number;
    screen_close(&screen);
    exit(0); // NOLINT(bugprone-signal-handler,cert-sig30-c): as programs do it
}

static void draw(unsigned count) {
    for (unsigned i = 0; i < count; i++)
        drawing_rectangle(0, 0, (float)screen.width, (float)screen.height, 0);
}

int main(void) {
    const struct sigaction action = {.sa_handler = shut_down, .sa_flags = SA_RESTART};
    const struct itimerval soon = {.it_value = {.tv_usec = MILLISECONDS * 1000}};
    struct output output;
    output_open(&output, &screen);
    drawing_begin(drawing_vertex, DRAWING_ES2 "void main() { gl_FragColor = vec4(sin(gl_FragCoord.x)); }", screen.width,
                  screen.height);
    draw(1);
    output_show(&output, &screen);
    draw(1);
    output_flip(&output, &screen);
    sigaction(SIGALRM, &action, NULL);
    draw(DRAWS);
    setitimer(ITIMER_REAL, &soon, NULL);
    output_flip(&output, &screen);
    screen_fail("the frame was shown before the handler was called");
}
