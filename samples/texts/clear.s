# GF100: two clears of a colour target, as a macro.

macro clear R G B COMPONENTS
    SET_COLOR_CLEAR_VALUE(0) $R $G $B 1
    CLEAR_SURFACE $COMPONENTS
endmacro

    inc 0 SET_OBJECT FERMI_A
    clear 0.25 0.5 0.75 { R_ENABLE=TRUE MRT_SELECT=1 }
    clear 1 1 1 R_ENABLE|G_ENABLE|B_ENABLE
