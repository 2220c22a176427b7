# SPDX-License-Identifier: MIT
# Completion of pfifo for fish. As pfifo.bash: the tool names its commands, options, chips and events.

function __pfifo_tool
    set -l words (commandline -opc)
    command $words[1] $argv 2>/dev/null
end

# The command, if the cursor is behind it.
function __pfifo_command
    for word in (commandline -opc)[2..]
        string match -q -- '-*' $word
        or begin
            echo $word
            return
        end
    end
    return 1
end

function __pfifo_commands
    __pfifo_tool --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' | uniq
end

function __pfifo_options
    __pfifo_tool (__pfifo_command) --help | sed -n 's/^  *\(-[^-], \)\{0,1\}\(--[a-z][a-z-]*=\{0,1\}\).*/\2/p'
end

function __pfifo_chips
    __pfifo_tool chips | sed '1d;s/ .*//'
end

function __pfifo_events
    __pfifo_tool events | sed -n 's/^\([a-z_0-9]*\.[a-z_0-9]*\)\( .*\)\{0,1\}$/\1/p'
end

function __pfifo_rules
    __pfifo_tool lint --list-rules | sed 's/ .*//'
end

function __pfifo_formats
    __pfifo_tool image --format=help
end

# Is the word behind this option, without a =?
function __pfifo_behind
    set -l words (commandline -opc)
    contains -- "$words[-1]" $argv
end

function __pfifo_takes_chip
    set -l words (commandline -opc)
    __pfifo_behind -c --chip --against
    or begin
        contains -- (__pfifo_command) info regs
        and test "$words[-1]" = (__pfifo_command)
    end
end

complete -c pfifo -n 'not __pfifo_command' -f -a '(__pfifo_commands)'
complete -c pfifo -n 'contains -- (__pfifo_command) help' -f -a '(__pfifo_commands)'
complete -c pfifo -n '__pfifo_takes_chip' -f -a '(__pfifo_chips)'
complete -c pfifo -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__pfifo_options)'
complete -c pfifo -n 'string match -q -- "--chip=*" (commandline -ct)' -f -a '(__pfifo_chips | sed "s/^/--chip=/")'
complete -c pfifo -n 'string match -q -- "--against=*" (commandline -ct)' -f -a '(__pfifo_chips | sed "s/^/--against=/")'
complete -c pfifo -n 'string match -q -- "--rule=*" (commandline -ct)' -f -a '(__pfifo_rules | sed "s/^/--rule=/")'
complete -c pfifo -n 'string match -q -- "--format=*" (commandline -ct)' -f -a '(__pfifo_formats | sed "s/^/--format=/")'
complete -c pfifo -n '__pfifo_behind --rule' -f -a '(__pfifo_rules)'
complete -c pfifo -n '__pfifo_behind --format' -f -a '(__pfifo_formats)'
complete -c pfifo -n 'string match -q -- "--trace=*" (commandline -ct)' -f -a '(__pfifo_events | sed "s/^/--trace=/")'
for values in 'color auto always never' 'by method class form' 'irq qtest irqfd' 'protocol vfio-user mpqemu' \
        'layout pitch swizzled block:1 block:2 block:4 block:8 block:16 block:32'
    set -l words (string split ' ' -- $values)
    set -l given --$words[1]=$words[2..]
    complete -c pfifo -n "string match -q -- '--$words[1]=*' (commandline -ct)" -f -a "$given"
    test $words[1] = color
    or complete -c pfifo -n "__pfifo_behind --$words[1]" -f -a "$words[2..]"
end
