# shellcheck shell=bash disable=SC2154 # common.sh, slot.sh, scripts/build-image and the board set the variables
# The whole disk: firmware partition (FAT), two system slots, data. Written to a file, without mounting anything.

image_make_disk() {
    local disk="$image_slot/disk.img" firmware="$image_work/firmware" slot start
    image_step "disk: firmware partition and slots"
    # Slot b starts empty: an update fills it.
    mkdir -p "$firmware"/{a,b}
    cp -r "$image_boot/." "$firmware/a/"
    printf 'slot=a\ntry=\nleft=0\n' >"$firmware/slot.txt"
    cp "$image_project/board/marquee.toml" "$firmware/marquee.toml"
    board_firmware "$firmware"

    [ "$(stat -c %s "$image_slot/system")" -le $((board_slot_mib * 1048576)) ] ||
        image_fail "the system is larger than its slot of $board_slot_mib MiB; trim it or enlarge board_slot_mib in board/$image_board/board.sh."
    rm -f "$disk"
    truncate -s $(((board_firmware_mib + 2 * board_slot_mib + board_data_mib + 1) * 1048576)) "$disk"
    # An MBR, which every boot loader of small boards can read. The box finds its partitions by the disk's identifier and their numbers.
    sfdisk --quiet "$disk" <<TABLE
label: dos
label-id: 0x$image_disk_id
start=2048, size=${board_firmware_mib}MiB, type=c, bootable
size=${board_slot_mib}MiB, type=83
size=${board_slot_mib}MiB, type=83
type=83
TABLE
    image_make_fat "$firmware" "$image_work/firmware.fat"
    dd if="$image_work/firmware.fat" of="$disk" bs=1M seek=1 conv=notrunc,sparse status=none
    start=$((1 + board_firmware_mib))
    dd if="$image_slot/system" of="$disk" bs=1M seek="$start" conv=notrunc,sparse status=none
    image_step "disk: $disk, $(du -m "$disk" | cut -f1) MB on disk here"
}

# The file that repairs a card from which neither slot starts (docs/rescue.md): the disk up to the end of slot a. It ends before the data partition, which
# therefore stays, and it has no marquee.toml, so that the settings that were applied last stay in use. Slot b is empty for it.
image_make_rescue() {
    local rescue="$image_slot/rescue.img" firmware="$image_work/rescue"
    rm -rf "$firmware" "$rescue"
    cp -r "$image_work/firmware" "$firmware"
    rm "$firmware/marquee.toml"
    image_make_fat "$firmware" "$image_work/rescue.fat"
    truncate -s $(((1 + board_firmware_mib + board_slot_mib) * 1048576)) "$rescue"
    dd if="$image_slot/disk.img" of="$rescue" bs=1M count=1 conv=notrunc status=none
    dd if="$image_work/rescue.fat" of="$rescue" bs=1M seek=1 conv=notrunc,sparse status=none
    dd if="$image_slot/system" of="$rescue" bs=1M seek=$((1 + board_firmware_mib)) conv=notrunc,sparse status=none
    zstd -q -f -T0 -9 --rm "$rescue" -o "$rescue.zst"
    image_step "disk: $rescue.zst, $(($(stat -c %s "$rescue.zst") / 1000000)) MB"
}

# A FAT image with the contents of a folder, made without mounting.
image_make_fat() {
    local entry
    rm -f "$2"
    truncate -s "${board_firmware_mib}M" "$2"
    image_quietly mkfs.vfat -F 32 -n MARQUEE -i "$image_disk_id" --invariant "$2" || image_fail "the firmware partition could not be made (see above)."
    for entry in "$1"/*; do
        MTOOLS_SKIP_CHECK=1 SOURCE_DATE_EPOCH="$image_epoch" mcopy -i "$2" -s -m "$entry" ::/ || image_fail "the firmware partition has no room for ${entry##*/}; enlarge board_firmware_mib."
    done
}
