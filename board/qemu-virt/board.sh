# shellcheck shell=bash disable=SC2034,SC2154 # read by scripts/build-image, which sets the variables that are read here
# QEMU's "virt" machine for arm64: virtio display, keyboard and network, an HD Audio card. Start here to add
# a board: a board is this file and the files that it names.

# Modules that reach the disk and mount its partitions: they are in the initramfs.
board_early_modules=(virtio_blk virtio_mmio i6300esb squashfs dm-verity ext4 vfat nls_cp437 nls_ascii)
# Modules that the first picture needs: the initramfs loads them from the system. Whatever is needed besides comes by udev.
board_picture_modules=(
    virtio_gpu                                    # display
    virtio_input evdev                            # remotes
    snd-hda-codec-generic snd-hda-intel           # sound: the codec first, since the card looks for it as soon as it is there
    virtio_net                                    # network
    virtio-rng                                    # TLS does not wait for randomness
)
board_modules=(
    loop nbd                                      # bundles of updates
    uinput                                        # lets tests create remotes
)

# Packages beyond those of every board: firmware of chips. None here.
board_packages=()

# Sizes in MiB. A slot holds the system and its verity tree with room to grow; data grows to the disk's end on the box.
# Boxes in the field have these sizes: with others, a rescue would not find their data (docs/rescue.md).
board_firmware_mib=160
board_slot_mib=200
board_data_mib=64

# Kernel line: serial console for debugging, quiet otherwise. net.ifnames=0: the interface is eth0.
board_kernel_line="console=ttyAMA0 quiet loglevel=3 panic=5 systemd.show_status=false vt.global_cursor_default=0 net.ifnames=0"

# board_slot FOLDER SLOT: writes the files that the boot loader reads for a slot, besides its vmlinuz and initramfs.
board_slot() {
    # U-Boot imports this as its variable bootargs.
    echo "bootargs=marquee.slot=$2 $(<"$image_slot/cmdline")" >"$1/cmdline.txt"
}

# board_firmware FOLDER: fills the firmware partition with the files that this board's boot loader reads. U-Boot itself is not on the
# disk: it is the machine's firmware (scripts/boot-image hands it to QEMU as a real board has it in flash).
board_firmware() {
    mkimage -A arm64 -T script -C none -n marquee -d "$image_project/board/qemu-virt/boot.cmd" "$1/boot.scr" >/dev/null
}

# board_system ROOT: adds the files that this board's system needs besides its modules.
board_system() {
    # One program plays sound and has exclusive use of the card and its buffer. alsa-lib's default for this card mixes, which costs half an
    # emulated processor and comes too late.
    printf 'pcm.!default { type plug slave.pcm { type hw card 0 } }\nctl.!default { type hw card 0 }\n' >"$1/usr/lib/marquee/board/asound.conf"
}
