# shellcheck shell=bash disable=SC2034 # read by scripts/build-image
# QEMU's "virt" machine for arm64: virtio display, keyboard and network, an HD Audio card. Read this first when making
# a board of your own: a board is this file, what is named in it, and nothing else.

# Modules the initramfs loads to reach the system, and those the running system may load.
board_early_modules=(virtio_blk virtio_mmio squashfs dm-verity)
board_modules=(
    virtio_gpu                                    # display
    virtio_input evdev uinput                     # remotes; uinput lets tests make their own
    snd-hda-intel snd-hda-codec-generic           # sound
    virtio_net                                    # network
    virtio-rng                                    # TLS does not wait for randomness
    ext4 vfat nls_cp437 nls_ascii nls_utf8        # data partition, firmware partition
)

# Packages beyond those of every board.
board_packages=()

# Sizes in MiB. A slot holds the system and its verity tree with room to grow; data grows to the disk's end on the box.
board_firmware_mib=160
board_slot_mib=300
board_data_mib=64

# Kernel line: serial console for people who debug, quiet otherwise.
board_kernel_line="console=ttyAMA0 quiet loglevel=3 panic=5 systemd.show_status=false vt.global_cursor_default=0"

# board_firmware FOLDER: fills the firmware partition with what this board's boot loader reads. U-Boot itself is not on the
# disk: it is the machine's own firmware (scripts/boot-image hands it to QEMU as a real board has it in flash).
board_firmware() {
    mkimage -A arm64 -T script -C none -n marquee -d "$image_project/board/qemu-virt/boot.cmd" "$1/boot.scr" >/dev/null
}
