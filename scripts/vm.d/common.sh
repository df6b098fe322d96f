# shellcheck shell=bash disable=SC2034 # used by the files that source it
# What all parts of scripts/vm share: the cache folder and messages.

vm_cache="${MARQUEE_CACHE:-$HOME/.cache/marquee}/vm"

# A failure of the machine, not of the command in it.
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
