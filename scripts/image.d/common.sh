# shellcheck shell=bash disable=SC2034,SC2154 # used by the files that source it; image_project is set by the scripts
# What building and booting an image share: where things are, how to speak, how to run the heavy steps.

image_cache="${MARQUEE_CACHE:-$HOME/.cache/marquee}/image"

# The series are pinned, never versions: the archive keeps only the newest. The exact versions go into the image.
image_suite=trixie
image_kernel_suite=trixie-backports
image_swift_suite=sid

# The MBR's identifier of the disk: by it and the partition's number the initramfs finds firmware (1), slots (2, 3) and data (4).
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
            image_fail "'$tool' is not installed and making an image needs it; install everything that an image needs with: scripts/setup image."
    done
}

# Runs a command silently; what it said is in the log, and shown when it fails.
image_quietly() {
    "$@" >"$image_work/output" 2>&1 || {
        tail -n 40 "$image_work/output" >&2
        return 1
    }
}

# image_again COMMAND...: what needs the network is tried three times: an archive that is just being renewed is whole again a little later.
image_again() {
    local try
    for try in 1 2; do
        "$@" && return
        image_step "that failed (see above); try $((try + 1)) of 3 is in 30 seconds"
        sleep 30
    done
    "$@"
}

# image_fingerprint FILE...: one word that changes whenever one of the files does.
image_fingerprint() {
    cat "$@" | sha256sum | cut -c1-16
}

# image_is_made FOLDER WORD: whether the folder holds the result of exactly this recipe.
image_is_made() {
    [ -e "$1/made" ] && [ "$(cat "$1/made")" = "$2" ]
}
