# shellcheck shell=bash disable=SC2034 # used by the files that source it
# What every part of scripts/vm shares: where the cache is and how to speak.

vm_cache="${MARQUEE_CACHE:-$HOME/.cache/marquee}/vm"

# The machine itself failed, not the command in it.
vm_fail() {
    echo "scripts/vm: $*" >&2
    exit 125
}

vm_require() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || vm_fail "the test machine needs '$tool', which is not installed; run scripts/setup."
    done
}
