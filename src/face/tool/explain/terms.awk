# SPDX-License-Identifier: MIT
# The terms of docs/glossary.md as rows of C: name, all names, meaning, sources. What is our own is not the field's.
# Sources of a section stand behind its terms.
function flush_term(    i, count, one, names) {
    if (term == "")
        return
    gsub(/[`*]/, "", text)
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    names = term
    gsub(/ \(/, ", ", names)
    gsub(/\)/, "", names)
    count = split(names, one, /, /)
    for (i = 1; i <= count; i++)
        row[rows++] = sprintf("    {\"%s\", \"%s\", \"%s\"", one[i], names, text)
    term = ""
}
function flush_section(    i) {
    flush_term()
    for (i = 0; i < rows; i++)
        printf "%s, \"%s\"},\n", row[i], sources
    rows = 0
}
BEGIN {
    print "#include \"face/tool/explain/explain.h\"\n"
    print "const struct explain_term explain_terms[] = {"
}
/^## / {
    flush_section()
    own = /^## Our own/
    next
}
own { next }
/^\*\*/ {
    flush_term()
    end = index(substr($0, 3), "**")
    term = substr($0, 3, end - 1)
    text = substr($0, end + 4)
    sub(/^: /, "", text)
    sub(/^ /, "", text)
    next
}
/^Sources: / {
    flush_term()
    sources = substr($0, 10)
    next
}
/^$/ {
    flush_term()
    next
}
term != "" { text = text " " $0 }
END {
    flush_section()
    print "    {0},\n};"
}
