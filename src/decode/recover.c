/* SPDX-License-Identifier: MIT */
/* How the walk through a segment goes on after words that are not commands. */
#include "decode/walk.h"

static struct resync resync_of(struct walk *walk) {
    return (struct resync){walk->decoder, walk->channel, &walk->window, &walk->search};
}

/* The bad word may be followed by data: go on where headers follow each other again. */
static void resynchronise(struct walk *walk) {
    const struct resync resync = resync_of(walk);
    size_t from = walk->window.at;

    walk->window.at = resync_find(&resync, from);
    walk_emit_skipped(walk, from, walk->window.at - from, false, "skipped to find the next command");
    walk->data_at = walk->window.at;
}

/*
 * Look for commands in the data of the last command, nearest first, such that all words up to `end` are commands as
 * well. If there are any, the count of the last command was too large. Gives the end of the window if there are none.
 */
static size_t find_swallowed(struct walk *walk, size_t end) {
    const struct resync resync = resync_of(walk);

    for (size_t at = end; at-- > walk->data_at && walk->search;)
        if (resync_read(&resync, at, end, false) == READS_WELL)
            return at;
    return walk->window.words;
}

/* The bad word, or end of the segment, is at `end`. True: commands that were taken for data are read again. */
bool walk_go_back(struct walk *walk, size_t end) {
    size_t at = walk->decoder->literal ? walk->window.words : find_swallowed(walk, end);

    if (at == walk->window.words)
        return false;
    walk_emit_skipped(walk, at, end - at, true, "read again as commands: the count before is too large");
    walk->channel->command = (struct decode_command){0};
    walk->window.at = walk->data_at = at;
    return true;
}

void walk_take_bad_word(struct walk *walk, uint32_t word, const char *text) {
    walk_emit_error(walk, walk->window.at - 1, word, text);
    if (walk->decoder->stopped)
        return;
    if (!walk_go_back(walk, walk->window.at - 1))
        resynchronise(walk);
}

/* Does another command follow this one, by form and count? */
static bool ends_well(struct walk *walk, const struct grammar_word *word) {
    const struct resync resync = resync_of(walk);

    return word->count <= walk->window.words - walk->window.at &&
           resync_read(&resync, walk->window.at + word->count, 0, true) != READS_NOT;
}

/* Do the following words make more sense as commands than as the word says? */
bool walk_follows_better(struct walk *walk) {
    const struct resync resync = resync_of(walk);

    return resync_is_near(&resync, walk->window.at);
}

bool walk_looks_like_data(struct walk *walk, const struct grammar_word *word) {
    walk->channel->doubtful = !walk->decoder->literal && resync_is_foreign(walk->decoder, walk->channel, word);
    return walk->channel->doubtful && !ends_well(walk, word) && walk_follows_better(walk);
}

/*
 * With an IB a command may continue in the next segment. Drivers use that, but rarely across submissions: if commands
 * follow there, the count was too large.
 */
void walk_check_pending(struct walk *walk) {
    struct decode_channel *channel = walk->channel;
    const struct resync resync = resync_of(walk);
    bool unlikely = channel->begins || channel->doubtful;

    channel->begins = false;
    if (walk->decoder->literal || !channel->command.count || !unlikely ||
        resync_read(&resync, 0, 0, false) != READS_WELL)
        return;
    walk_emit_error(walk, 0, decode_load_word(&walk->window, 0),
                    "would be data of the command before, but commands begin here: its count is wrong");
    channel->command = (struct decode_command){0};
}
