# SPDX-License-Identifier: MIT
# boards.txt as rows of C: chip, few, name, ids.
BEGIN {
    print "#include \"face/tool/chips/boards.h\"\n"
    print "const struct board boards[] = {"
}
/^#/ || NF < 3 { next }
{
    few = sub(/^\?/, "", $1)
    chip = $1
    count = $2 == "-" ? 0 : split($2, id, ",")
    name = $0
    sub(/^\??[^ ]+ [^ ]+ /, "", name)
    for (i = 0; i == 0 || i < count; i++)
        printf "    {\"%s\", \"%s\", 0x%s, %s},\n", chip, name, count ? id[i + 1] : "0", few ? "true" : "false"
}
END { print "    {0},\n};" }
