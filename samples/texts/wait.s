# GF100: waits for a 5 that is in a buffer, and writes a 6 after it. For a capture: -o FILE.nvcap

buffer value 4096
    data 5
result:
    data 0
endbuffer

macro semaphore WHERE NUMBER WHAT
    inc 0 .SEMAPHOREA @$WHERE.high @$WHERE $NUMBER { OPERATION=$WHAT RELEASE_SIZE=4BYTE }
endmacro

    semaphore value 5 ACQUIRE
    semaphore result 6 RELEASE
