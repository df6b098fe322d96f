# U-Boot reads this from the firmware partition (as boot.scr). slot.txt names the good slot, and one on trial with the number of
# starts that it has left. Each slot's folder holds its kernel, its initramfs and cmdline.txt with the verity hash of its system.
setenv slot a
setenv try
setenv left 0
if load ${devtype} ${devnum}:${distro_bootpart} ${scriptaddr} slot.txt; then
    env import -t ${scriptaddr} ${filesize} slot try left
fi
setenv boot ${slot}
if test -n "${try}"; then
    if itest ${left} -gt 0; then
        # Counted before it is started: a start that hangs is counted too.
        setexpr left ${left} - 1
        setenv boot ${try}
        # The file keeps its length, so that its single sector is written in place.
        if env export -t ${scriptaddr} slot try left; then
            fatwrite ${devtype} ${devnum}:${distro_bootpart} ${scriptaddr} slot.txt ${filesize}
        fi
    else
        # The good slot's system records the failure and ends the trial.
        echo "Slot ${try} was not found good; back to slot ${slot}."
        setenv try
    fi
fi
load ${devtype} ${devnum}:${distro_bootpart} ${scriptaddr} ${boot}/cmdline.txt
env import -t ${scriptaddr} ${filesize} bootargs
if test -n "${try}"; then
    setenv bootargs "${bootargs} marquee.trial=yes"
    # A kernel that hangs before it has a driver for the watchdog: the watchdog (Intel 6300ESB at 00:10.0, if the machine has one) restarts it after twice
    # 15 s. Its address is in its configuration space; each write to a timer has to be unlocked.
    if itest.l *4010080000 == 25ab8086; then
        setexpr.l first *4010080010
        setexpr second ${first} + 4
        setexpr unlock ${first} + c
        for timer in ${first} ${second}; do
            mw.w ${unlock} 80
            mw.w ${unlock} 86
            mw.l ${timer} 3a98
        done
        mw.b 4010080068 2
    fi
fi
load ${devtype} ${devnum}:${distro_bootpart} ${kernel_addr_r} ${boot}/vmlinuz
load ${devtype} ${devnum}:${distro_bootpart} ${ramdisk_addr_r} ${boot}/initramfs
booti ${kernel_addr_r} ${ramdisk_addr_r}:${filesize} ${fdtcontroladdr}
# Reached only when the boot failed. A slot on trial is started again until it has no starts left.
echo "Slot ${boot} does not boot."
sleep 5
reset
