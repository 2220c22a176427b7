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

function __pfifo_takes_chip
    set -l words (commandline -opc)
    test "$words[-1]" = -c
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
complete -c pfifo -n 'string match -q -- "--trace=*" (commandline -ct)' -f -a '(__pfifo_events | sed "s/^/--trace=/")'
complete -c pfifo -n 'string match -q -- "--color=*" (commandline -ct)' -f -a '--color={auto,always,never}'
complete -c pfifo -n 'string match -q -- "--by=*" (commandline -ct)' -f -a '--by={method,class,form}'
