# SPDX-License-Identifier: MIT
# Completion of pfifo for bash. Commands, options and chips are those that the tool itself names, so that nothing here has to
# follow when it gains one.

_pfifo_commands() {
    "$1" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' | uniq
}

# With the = of those that need a value.
_pfifo_options() {
    "$1" $2 --help 2>/dev/null | sed -n 's/^  *\(-[^-], \)\{0,1\}\(--[a-z][a-z-]*=\{0,1\}\).*/\2/p'
}

_pfifo_chips() {
    "$1" chips 2>/dev/null | sed '1d;s/ .*//'
}

_pfifo_events() {
    "$1" events 2>/dev/null | sed -n 's/^\([a-z_0-9]*\.[a-z_0-9]*\)\( .*\)\{0,1\}$/\1/p'
}

_pfifo_rules() {
    "$1" lint --list-rules 2>/dev/null | sed 's/ .*//'
}

_pfifo_formats() {
    "$1" image --format=help 2>/dev/null
}

_pfifo() {
    local tool=$1 word=$2 command='' option='' place=0 i
    local IFS=$' \t\n'

    # bash takes --chip=NV40 apart into three words.
    if [[ $word == = ]]; then
        word=''
        option=${COMP_WORDS[COMP_CWORD - 1]}
    elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    else
        case ${COMP_WORDS[COMP_CWORD - 1]} in # --chip NV40, without a =
        -c | --against | --by | --chip | --format | --irq | --layout | --protocol | --rule)
            option=${COMP_WORDS[COMP_CWORD - 1]}
            ;;
        esac
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --) # a program and its own arguments
            COMPREPLY=()
            ((i == COMP_CWORD - 1)) && COMPREPLY=($(compgen -c -- "$word"))
            return
            ;;
        -* | =) ;;
        *)
            [[ ${COMP_WORDS[i - 1]} == = || ${COMP_WORDS[i - 1]} == -c || ${COMP_WORDS[i - 1]} == --chip ]] && continue
            [[ $command ]] && ((place++))
            command=${command:-${COMP_WORDS[i]}}
            ;;
        esac
    done
    COMPREPLY=()
    case $option in
    -c | --chip | --against) COMPREPLY=($(compgen -W "$(_pfifo_chips "$tool")" -- "$word")) ;;
    --trace) COMPREPLY=($(compgen -W "$(_pfifo_events "$tool")" -- "$word")) ;;
    --color) COMPREPLY=($(compgen -W 'auto always never' -- "$word")) ;;
    --by) COMPREPLY=($(compgen -W 'method class form' -- "$word")) ;;
    --format) COMPREPLY=($(compgen -W "$(_pfifo_formats "$tool")" -- "$word")) ;;
    --irq) COMPREPLY=($(compgen -W 'qtest irqfd' -- "$word")) ;;
    --layout) COMPREPLY=($(compgen -W "pitch swizzled $(echo block:{1,2,4,8,16,32})" -- "$word")) ;;
    --protocol) COMPREPLY=($(compgen -W 'vfio-user mpqemu' -- "$word")) ;;
    --rule) COMPREPLY=($(compgen -W "$(_pfifo_rules "$tool")" -- "$word")) ;;
    ?*) ;; # files, as the shell completes them
    *)
        if [[ $word == -* ]]; then
            COMPREPLY=($(compgen -W "$(_pfifo_options "$tool" "$command")" -- "$word"))
            [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
        elif [[ ! $command ]] || [[ $command == help && $place == 0 ]]; then
            COMPREPLY=($(compgen -W "$(_pfifo_commands "$tool")" -- "$word"))
        elif [[ $command == info || $command == regs ]] && [[ $place == 0 ]]; then
            COMPREPLY=($(compgen -W "$(_pfifo_chips "$tool")" -- "$word"))
        fi
        ;;
    esac
}

complete -o default -F _pfifo pfifo
