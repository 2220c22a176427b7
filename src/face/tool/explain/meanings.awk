# SPDX-License-Identifier: MIT
# The tables of docs/events.md as rows of C: event, field, meaning.
BEGIN {
    print "#include \"face/tool/explain/explain.h\"\n"
    print "const struct explain_meaning explain_meanings[] = {"
}
/^\| *`[a-z_0-9]+\.[a-z_0-9]+` *\|/ || /^\| *\| *`/ {
    line = $0
    sub(/ *\| *$/, "", line)
    count = split(line, cell, / *\| */)
    text = cell[4]
    for (i = 5; i <= count; i++)
        text = text "|" cell[i]
    gsub(/`/, "", text)
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    name = cell[2]
    gsub(/`/, "", name)
    if (name != "")
        event = name
    # Several fields may share a line.
    fields = split(cell[3], field, /`, *`/)
    if (fields == 0)
        printf "    {\"%s\", \"\", \"%s\"},\n", event, text
    for (i = 1; i <= fields; i++) {
        gsub(/`/, "", field[i])
        printf "    {\"%s\", \"%s\", \"%s\"},\n", event, field[i], text
    }
}
END {
    print "    {0},\n};"
}
