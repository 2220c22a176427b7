# SPDX-License-Identifier: MIT
# The files of the page as C: a row of name and text for each.
function base(path) { sub(/.*\//, "", path); return path }
BEGIN {
    print "#include \"face/tool/report/report.h\"\n"
    print "const struct report_page report_pages[] = {"
}
FNR == 1 { printf "%s    {\"%s\",\n", NR == 1 ? "" : "    },\n", base(FILENAME) }
{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\"")
    printf "     \"%s\\n\"\n", $0
}
END { print "    },\n    {NULL, NULL},\n};" }
