# U-Boot reads this from the firmware partition (as boot.scr). slot.txt names the slot; each slot's folder holds its
# kernel, its initramfs and cmdline.txt, which carries the verity hash of its system.
setenv slot a
if load ${devtype} ${devnum}:${distro_bootpart} ${scriptaddr} slot.txt; then
    env import -t ${scriptaddr} ${filesize} slot
fi
load ${devtype} ${devnum}:${distro_bootpart} ${scriptaddr} ${slot}/cmdline.txt
env import -t ${scriptaddr} ${filesize} bootargs
load ${devtype} ${devnum}:${distro_bootpart} ${kernel_addr_r} ${slot}/vmlinuz
load ${devtype} ${devnum}:${distro_bootpart} ${ramdisk_addr_r} ${slot}/initramfs
booti ${kernel_addr_r} ${ramdisk_addr_r}:${filesize} ${fdtcontroladdr}
# Here only when that failed: the other slot, once, by hand of whoever watches the console.
echo "Slot ${slot} does not boot."
