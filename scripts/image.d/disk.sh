# shellcheck shell=bash disable=SC2154 # common.sh, slot.sh, scripts/build-image and the board set the variables
# The whole disk: firmware partition (FAT), two system slots, data. Written into a file, without mounting anything.

image_make_disk() {
    local disk="$image_slot/disk.img" firmware="$image_work/firmware" slot start
    image_step "disk: firmware partition and slots"
    mkdir -p "$firmware"/{a,b}
    for slot in a b; do
        cp "$image_slot/vmlinuz" "$image_slot/initramfs" "$firmware/$slot/"
        # U-Boot imports this as its variable bootargs.
        echo "bootargs=marquee.slot=$slot $(<"$image_slot/cmdline")" >"$firmware/$slot/cmdline.txt"
    done
    echo "slot=a" >"$firmware/slot.txt"
    cp "$image_project/board/marquee.toml" "$firmware/marquee.toml"
    board_firmware "$firmware"

    rm -f "$disk"
    truncate -s $(((board_firmware_mib + 2 * board_slot_mib + board_data_mib + 2) * 1048576)) "$disk"
    sfdisk --quiet "$disk" <<TABLE
label: gpt
label-id: 4d415251-5545-4500-8000-000000000001
start=2048, size=${board_firmware_mib}MiB, type=EBD0A0A2-B9E5-4433-87C0-68B6B72699C7, name=firmware, attrs=LegacyBIOSBootable, uuid=4d415251-5545-4500-8000-000000000010
size=${board_slot_mib}MiB, type=B921B045-1DF0-41C3-AF44-4C6F280D3FAE, name=system-a, uuid=4d415251-5545-4500-8000-00000000000a
size=${board_slot_mib}MiB, type=B921B045-1DF0-41C3-AF44-4C6F280D3FAE, name=system-b, uuid=4d415251-5545-4500-8000-00000000000b
type=0FC63DAF-8483-4772-8E79-3D69D8477DE4, name=data, uuid=4d415251-5545-4500-8000-00000000000d
TABLE
    image_make_fat "$firmware" "$image_work/firmware.fat"
    dd if="$image_work/firmware.fat" of="$disk" bs=1M seek=1 conv=notrunc,sparse status=none
    [ "$(stat -c %s "$image_slot/system")" -le $((board_slot_mib * 1048576)) ] ||
        image_fail "the system is larger than its slot of $board_slot_mib MiB; trim it or enlarge board_slot_mib in board/$image_board/board.sh."
    # Slot b starts as empty: an update fills it.
    start=$((1 + board_firmware_mib))
    dd if="$image_slot/system" of="$disk" bs=1M seek="$start" conv=notrunc,sparse status=none
    image_step "disk: $disk, $(du -m "$disk" | cut -f1) MB on disk here"
}

# A FAT image with the content of a folder, made without mounting.
image_make_fat() {
    local entry
    rm -f "$2"
    truncate -s "${board_firmware_mib}M" "$2"
    image_quietly mkfs.vfat -F 32 -n MARQUEE -i 4d415251 --invariant "$2" || image_fail "the firmware partition could not be made (see above)."
    for entry in "$1"/*; do
        MTOOLS_SKIP_CHECK=1 SOURCE_DATE_EPOCH="$image_epoch" mcopy -i "$2" -s -m "$entry" ::/ || image_fail "the firmware partition has no room for ${entry##*/}; enlarge board_firmware_mib."
    done
}
