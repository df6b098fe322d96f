# shellcheck shell=bash disable=SC2034,SC2154 # used by the files that source it; scripts/vm sets vm_support
# Shared by all parts of scripts/vm: the cache folder and messages.

vm_cache="${MARQUEE_CACHE:-$HOME/.cache/marquee}/vm"

vm_tell() { echo "scripts/vm: $*" >&2; }

# A failure of the machine, not of the command in it.
vm_fail() {
    vm_tell "$*"
    exit 125
}

# shellcheck source-path=SCRIPTDIR source=../again.sh
source "$vm_support/../again.sh"

# vm_again COMMAND...: tries a network operation three times.
vm_again() { again 3 30 vm_tell "$@"; }

vm_require() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || vm_fail "the test machine needs '$tool', which is not installed; run scripts/setup."
    done
}
