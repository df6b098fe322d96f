# shellcheck shell=bash
# Repeats a command that can fail temporarily. Sourced by scripts/setup, scripts/test and the scripts of the test machine and the images.

# again TRIES SECONDS TELL COMMAND...: runs COMMAND until it succeeds, at most TRIES times, with a pause of SECONDS. An archive that is being updated is
# complete again a little later, and another program may hold apt's locks for a while. TELL is given a sentence about each failure but the last.
# The last failure is the exit status of `again`. `set -e` does not apply inside COMMAND, as in every command before `&&` or `||`: a function that
# is passed as COMMAND joins its steps by `&&`, or judges the result at its end.
again() {
    local tries="$1" seconds="$2" tell="$3" try
    shift 3
    for ((try = 2; try <= tries; try++)); do
        "$@" && return
        "$tell" "that failed (see above); try $try of $tries follows in $seconds s"
        sleep "$seconds"
    done
    "$@"
}
