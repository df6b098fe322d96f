# shellcheck shell=bash disable=SC2154 # common.sh, slot.sh, disk.sh and scripts/build-image set the variables
# The budgets of an image (board/budgets.txt), checked at the end of a build.

image_budget() {
    awk -v name="$1" '$1 == name { print $2 }' "$image_project/board/budgets.txt"
}

# image_check_budget NAME BYTES WHAT
image_check_budget() {
    local allowed
    allowed="$(image_budget "$1")"
    [ -n "$allowed" ] || image_fail "board/budgets.txt has no line $1."
    printf '%s %s\n' "$1" "$(awk -v bytes="$2" 'BEGIN { printf "%.1f", bytes / 1000000 }')" >>"$image_slot/budgets"
    [ "$2" -le $((allowed * 1000000)) ] ||
        image_fail "$3 is $2 bytes and board/budgets.txt allows $allowed MB ($1); make it smaller, or change the budget with a reason."
    image_step "budget: $3 $(($2 / 1000000)) MB of $allowed MB"
}

image_check_budgets() {
    : >"$image_slot/budgets"
    # The flashed file: the disk, compressed.
    zstd -q -f -T0 -12 --long=27 "$image_slot/disk.img" -o "$image_slot/disk.img.zst"
    image_check_budget image_compressed_mb "$(stat -c %s "$image_slot/disk.img.zst")" "the compressed image"
    image_check_budget system_slot_mb "$(stat -c %s "$image_slot/system")" "a system slot"
    image_check_budget player_over_empty_mb $(($(stat -c %s "$image_player/marquee") - $(stat -c %s "$image_player/empty"))) "the player above an empty program"
}
