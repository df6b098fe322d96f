# shellcheck shell=bash disable=SC2034,SC2154 # read by scripts/build-image, which sets the variables that are read here
# Raspberry Pi 4 and Pi 5 from one image: the boot chips' loader, mainline kernel, mainline device trees. Never run on hardware:
# docs/boards.md says what has been checked without.

# Modules that reach the SD card: voltage switches and pins before the controllers of Pi 4 (iproc) and Pi 5 (brcmstb). The boot
# loader here cannot count the starts of a slot on trial; the initramfs does (marquee.count=here).
board_early_modules=(
    fixed gpio-regulator gpio-brcmstb pinctrl-brcmstb-bcm2712 reset-raspberrypi
    sdhci-iproc sdhci-brcmstb
    bcm2835-wdt                                   # watchdog: a slot on trial starts it, systemd takes it
    squashfs dm-verity ext4 vfat nls_cp437 nls_ascii
)
# Modules that the first picture needs.
board_picture_modules=(
    vc4 snd-soc-hdmi-codec                        # display with CEC, HDMI sound
    irq-bcm2712-mip clk-rp1 pinctrl-rp1 rp1-pci   # Pi 5: the south bridge, behind which USB and Ethernet are
    xhci-pci xhci-plat-hcd dwc2 dwc3 phy-generic  # USB of Pi 4 (PCIe), of Pi 5 (in RP1), of compute modules
    usbhid hid-generic evdev                      # remotes and keyboards by USB
    genet broadcom mdio-bcm-unimac macb           # Ethernet of Pi 4 and Pi 5
)
board_modules=(
    loop nbd                                      # bundles of updates
    v3d                                           # GPU: not used by the player, for software built on this image
    cec rc-core gpio-ir-recv ir-nec-decoder ir-rc5-decoder ir-rc6-decoder ir-sony-decoder # remotes by HDMI and infrared
    hid-logitech-hidpp uinput hidp                # remotes with a vendor protocol, tests, Bluetooth remotes
    snd-usb-audio                                 # sound by USB
    brcmfmac brcmfmac-wcc                         # Wi-Fi
    hci_uart btbcm                                # Bluetooth
    usb-storage uas sd_mod                        # sticks
    raspberrypi-cpufreq bcm2711_thermal           # clock and heat
    iproc-rng200 nvmem-rmem                       # randomness, the boot loader's notes
    i2c-bcm2835 pwm-bcm2835 gpio_keys leds-gpio   # HDMI's EDID wires, fan, the power key of Pi 5, lights
)

# Firmware of chips, from non-free-firmware: the boot loader's second stage (Pi 4), Wi-Fi, and the rules of the air.
board_packages=(raspi-firmware firmware-brcm80211 wireless-regdb)

# Sizes in MiB. The firmware partition holds two slots' kernels of 50 MiB.
# Boxes in the field have these sizes: with others, a rescue would not find their data (docs/rescue.md).
board_firmware_mib=160
board_slot_mib=200
board_data_mib=64

# Kernel line. console=tty3: kernel messages go to an unused console and not over the picture. cma: contiguous memory for scan-out, where the
# device trees have 64 MiB; a 1080p screen takes three buffers of 8 MB and a few of 3 MB for video, 4K four times that.
board_kernel_line="console=tty3 quiet loglevel=3 panic=5 systemd.show_status=false vt.global_cursor_default=0 net.ifnames=0 cma=256M marquee.count=here"

# The device trees of the boards, as the kernel's package has them.
board_trees=(bcm2711-rpi-4-b bcm2711-rpi-400 bcm2711-rpi-cm4-io bcm2712-rpi-5-b bcm2712-d-rpi-5-b)

# board_slot FOLDER SLOT: writes the files that the boot loader reads for a slot (os_prefix), besides its vmlinuz and initramfs.
board_slot() {
    local tree overlay
    echo "marquee.slot=$2 $(<"$image_slot/cmdline")" >"$1/cmdline.txt"
    for tree in "${board_trees[@]}"; do
        cp "$image_kernel/dtbs/broadcom/$tree.dtb" "$1/" || image_fail "the kernel has no device tree $tree any more; board/raspberrypi/board.sh must follow."
    done
    mkdir -p "$1/overlays"
    for overlay in "$image_project"/board/raspberrypi/overlays/*.dts; do
        image_quietly dtc -q -@ -I dts -O dtb -o "$1/overlays/$(basename "$overlay" .dts).dtbo" "$overlay" || image_fail "the overlay $overlay does not compile (see above)."
    done
}

# board_firmware FOLDER: fills the firmware partition with what every slot shares.
board_firmware() {
    local file
    # Pi 4: the boot loader in the chip loads these. Pi 5 has all of it in the chip.
    for file in start4.elf fixup4.dat; do
        cp "$image_board_files/root/usr/lib/raspi-firmware/$file" "$1/" || image_fail "raspi-firmware has no $file any more; board/raspberrypi/board.sh must follow."
    done
    cp "$image_project/board/raspberrypi/config.txt" "$1/"
    echo "os_prefix=a/" >"$1/slot-config.txt"
}

# board_system ROOT: what the system of this board has besides its modules: firmware that drivers ask for.
board_system() {
    local from="$image_board_files/root/usr/lib/firmware" to="$1/usr/lib/firmware" file
    mkdir -p "$to/brcm" "$to/cypress"
    # HDMI as alsa-lib itself has it (it wraps the samples for HDMI and mixes nothing).
    : >"$1/usr/lib/marquee/board/asound.conf"
    # The chips of Pi 4 (43455) and of Pi 400 and later revisions (43456); links and the files behind them.
    for file in "$from"/brcm/brcmfmac4345[56]-sdio.*; do
        case "${file##*/}" in
            *-sdio.bin | *-sdio.clm_blob | *-sdio.txt | *raspberrypi,4* | *raspberrypi,5*) cp -P "$file" "$to/brcm/" ;;
        esac
    done
    cp -P "$from"/cypress/cyfmac43455-sdio.* "$to/cypress/"
    cp "$from/regulatory.db-debian" "$to/regulatory.db"
    cp "$from/regulatory.db.p7s-debian" "$to/regulatory.db.p7s"
}
