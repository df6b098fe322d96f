# shellcheck shell=bash disable=SC2034,SC2154 # used by the files that source it; image_project is set by the scripts
# Shared by building and booting an image: paths, messages, and running the expensive steps.

image_cache="${MARQUEE_CACHE:-$HOME/.cache/marquee}/image"

# Series are pinned, never versions: the archive has only the newest. The exact versions are recorded in the image.
image_suite=trixie
image_kernel_suite=trixie-backports
# What Debian publishes for the series between its releases belongs to it: everything that says image_suite means these three.
image_updates_suite=trixie-updates
image_security_suite=trixie-security
image_swift_suite=sid

# The disk's MBR identifier: with it and the partition numbers the initramfs finds firmware (1), slots (2, 3) and data (4).
image_disk_id=4d415251

image_fail() {
    echo "scripts/${0##*/}: $*" >&2
    exit 1
}

image_step() {
    printf '%s: %4d s: %s\n' "$image_board" "$SECONDS" "$*" >&2
}

image_require() {
    local tool
    for tool in "$@"; do
        PATH="$PATH:/usr/sbin:/sbin" command -v "$tool" >/dev/null ||
            image_fail "'$tool' is not installed; run scripts/setup image."
    done
}

# Runs a command silently; its output is in the log, and shown when it fails.
image_quietly() {
    "$@" >"$image_work/output" 2>&1 || {
        tail -n 40 "$image_work/output" >&2
        return 1
    }
}

# shellcheck source=scripts/again.sh
. "$image_project/scripts/again.sh"

# image_again COMMAND...: tries a network operation three times.
image_again() { again 3 30 image_step "$@"; }

# image_fingerprint FILE...: one word that changes with any of the files.
image_fingerprint() {
    cat "$@" | sha256sum | cut -c1-16
}

# image_is_made FOLDER WORD: whether the folder holds the result of exactly this recipe.
image_is_made() {
    [ -e "$1/made" ] && [ "$(cat "$1/made")" = "$2" ]
}
