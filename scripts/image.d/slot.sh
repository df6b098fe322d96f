# shellcheck shell=bash disable=SC2154 # common.sh and scripts/build-image set the variables
# One slot of the box: the system (squashfs with its verity tree), the kernel, the initramfs, the kernel line.

# image_make_slot: sets image_slot to a folder with system, vmlinuz, initramfs, cmdline, versions, epoch (the time of the commit) and boot.
image_make_slot() {
    local root="$image_work/root" module file
    image_slot="$image_cache/$image_board${image_variant:+-$image_variant}"
    rm -rf "$image_slot"
    mkdir -p "$image_slot"

    image_step "system: laying rootfs/, RAUC and the player over the base"
    cp -a "$image_base/root" "$root"
    cp -a "$image_rauc_built/root/." "$root/"
    # Files of the overlay get neither owner nor time of this machine. Empty folders are skipped, because no commit contains them.
    rsync -a --prune-empty-dirs --chown=0:0 --chmod=D755,F644 "$image_project/rootfs/" "$root/"
    (cd "$image_project/rootfs" && find . -type f -print0) | (cd "$root" && xargs -0 touch -d @946684800)
    find "$root/usr/lib/marquee" -type f -exec chmod 755 {} +
    install -m 755 "$image_player/marquee" "$root/usr/bin/marquee"
    image_install_modules "$root"
    if declare -F board_system >/dev/null; then board_system "$root"; fi
    [ "$image_variant" != dev ] || image_add_development "$root"
    image_add_updates "$root"
    image_enable_units "$root"
    mkdir -p "$root"/{data,firmware,tmp,var,run,proc,sys,dev}
    rm -rf "$root"/var/* "$root"/run/* "$root"/dev/* "$root"/tmp/*
    # A file to mount the box's own identity over. Empty, not missing, so that systemd does nothing for a first boot.
    : >"$root/etc/machine-id"
    chmod 444 "$root/etc/machine-id"
    # The clock of a box without a real-time clock starts here, or at the time stored on the data partition, never earlier.
    : >"$root/usr/lib/clock-epoch"
    image_write_versions "$root"
    image_check_root "$root"

    image_step "system: squashfs and verity"
    # Bit-identical for the same content: fixed times, one order, one owner.
    image_write_order "$root"
    image_quietly nice -n 15 mksquashfs "$root" "$image_slot/system" -noappend -no-progress -comp zstd -Xcompression-level "${image_compression:-12}" -b 128K \
        -no-xattrs -all-time "$image_epoch" -mkfs-time "$image_epoch" -sort "$image_work/order" -action 'uncompressed@pathname(usr/bin/marquee)' -processors 2 ||
        image_fail "the system could not be written (see above)."
    image_add_verity
    image_make_initramfs
    cp "$image_kernel/vmlinuz" "$image_slot/vmlinuz"
    image_make_boot_files
    echo "$image_epoch" >"$image_slot/epoch"
    image_step "system: $(($(stat -c %s "$image_slot/system") / 1048576)) MiB with verity, of $(du -sm --apparent-size "$root" | cut -f1) MB of files"
}

# image_write_order ROOT: the order of the files in the squashfs, $image_work/order. Everything behind a compressed block that changes its size is moved, and
# an update loads it again (docs/updates.md). So the later Debian changed a file, by its time in its package, the further behind it is: what is mended often moves
# little. What no package has comes first, and the player, in which nothing is compressed, before everything; what has the version comes last.
image_write_order() {
    local records=("$image_base"/root.packages/*.json "$image_kernel"/packages/*.json)
    if [ "${#board_packages[@]}" -gt 0 ]; then records+=("$image_board_files"/packages/*.json); fi
    jq -r '.files | keys[]' "${records[@]}" | sed -E 's,^(usr/lib/modules/[^/]*/kernel/).*/,\1,; s/\.ko\.(xz|zst)$/.ko/' | LC_ALL=C sort -u >"$image_work/packaged"
    {
        echo usr/bin/marquee 32767
        # Days since 2000, because mksquashfs takes numbers of 16 bits. Its list has no place for names with unusual characters.
        find "$1" -type f -printf '%P\t%T@\n' | LC_ALL=C sort | LC_ALL=C join -t $'\t' - "$image_work/packaged" |
            awk -F '\t' '$1 != "usr/lib/os-release" && $1 !~ /[^A-Za-z0-9_.\/+@:-]/ { print $1, -int($2 / 86400 - 10957) }'
        printf '%s -32768\n' usr/lib/os-release usr/lib/marquee/versions
    } >"$image_work/order"
}

# Only the modules that the board lists and their dependencies, uncompressed to save time on the box. Those for the first picture
# are loaded by the initramfs, in the order of usr/lib/marquee/board/modules; the others by udev when their device appears.
image_install_modules() {
    local root="$1" release file target
    release="$(<"$image_kernel/release")"
    target="$root/usr/lib/modules/$release"
    mkdir -p "$target/kernel" "$root/usr/lib/marquee/board"
    image_module_files "${board_early_modules[@]}" "${board_picture_modules[@]}" "${board_modules[@]}" | while read -r file; do
        image_copy_module "$file" "$target/kernel"
    done
    # A receiver for infrared asks for its keymap by the name in the device tree, which no module names as a dependency: without it every key is lost.
    if [[ " ${board_modules[*]} " == *" rc-core "* ]]; then
        find "$image_kernel/lib/modules/$release/kernel/drivers/media/rc/keymaps" -name '*.ko*' | sort | while read -r file; do
            image_copy_module "$file" "$target/kernel"
        done
    fi
    cp "$image_kernel/lib/modules/$release"/modules.{builtin,builtin.modinfo,order} "$target/"
    depmod -b "$root/usr" "$release" 2>/dev/null || image_quietly depmod -b "$root" "$release"
    image_module_files "${board_early_modules[@]}" | image_module_names >"$image_work/early-modules"
    image_module_files "${board_early_modules[@]}" "${board_picture_modules[@]}" | image_module_names |
        grep -vxFf "$image_work/early-modules" >"$root/usr/lib/marquee/board/modules"
}

# Maps module paths to the names of the uncompressed files.
image_module_names() {
    sed -E 's,.*/,,; s/\.(xz|zst)$//'
}

# image_module_files MODULE...: the files of the modules and of their dependencies, in loading order.
image_module_files() {
    local module
    for module in "$@"; do
        modprobe -C /dev/null -d "$image_kernel" -S "$(<"$image_kernel/release")" --show-depends "$module" ||
            image_fail "the kernel has no module $module, which board/$image_board names; its packaging has changed and the board must follow."
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

image_copy_module() {
    case "$1" in
        *.ko.xz) xz -dc "$1" >"$2/$(basename "$1" .xz)" ;;
        *.ko.zst) zstd -qdc "$1" >"$2/$(basename "$1" .zst)" ;;
        *) cp "$1" "$2/" ;;
    esac
    touch -r "$1" "$2/$(basename "$1" | sed -E 's/\.(xz|zst)$//')"
}

# The enabled units, as links: no package enables anything itself. Mounts and devices exist before systemd (initramfs-init).
image_enable_units() {
    local units="$1/usr/lib/systemd/system" unit
    rm -rf "$1"/etc/systemd "$units"/*.wants
    mkdir -p "$units"/{multi-user,sysinit,sockets,timers}.target.wants
    for unit in systemd-udevd.service systemd-udev-trigger.service systemd-journald.service systemd-sysctl.service; do
        ln -s "../$unit" "$units/sysinit.target.wants/$unit"
    done
    for unit in systemd-journald.socket systemd-journald-dev-log.socket systemd-udevd-kernel.socket systemd-udevd-control.socket; do
        ln -s "../$unit" "$units/sockets.target.wants/$unit"
    done
    for unit in systemd-networkd.service systemd-resolved.service systemd-timesyncd.service; do
        ln -s "../$unit" "$units/multi-user.target.wants/$unit"
    done
    # Our units name their targets in [Install].
    for unit in "$units"/marquee*; do
        awk -F= -v unit="${unit##*/}" '$1 == "WantedBy" { print $2, unit }' "$unit"
    done | while read -r target unit; do
        mkdir -p "$units/$target.wants"
        ln -s "../$unit" "$units/$target.wants/$unit"
    done
    ln -sf multi-user.target "$units/default.target"
    # No login on any console: those units do not exist in this image.
    rm -f "$units"/{getty,console-getty,serial-getty,container-getty,autovt,debug-shell,emergency,rescue}@.service "$units"/{console-getty,debug-shell,emergency,rescue}.service
}

# The development variant: SSH for the keys in authorized_keys on the firmware partition, and no other way in.
image_add_development() {
    local folder="$image_cache/development" recipe
    recipe="$(image_package_set "$image_suite" arm64 dropbear-bin)"
    if ! image_is_made "$folder" "$recipe"; then
        image_unpack_recorded "$image_suite" arm64 "$folder" dropbear-bin
        echo "$recipe" >"$folder/made"
    fi
    cp "$folder/usr/sbin/dropbear" "$1/usr/sbin/"
    cp "$folder/usr/bin/dropbearkey" "$1/usr/bin/"
    image_copy_libraries "$folder" "$folder/usr/sbin/dropbear" "$1"
    rsync -a --prune-empty-dirs --chown=0:0 --chmod=D755,F644 "$image_project/rootfs-dev/" "$1/"
    mkdir -p -m 700 "$1/root/.ssh"
    # Without this list dropbear treats root's shell as invalid.
    echo /bin/bash >"$1/etc/shells"
}

# The versions in this image, for its owner: /usr/lib/marquee/versions, and os-release.
image_write_versions() {
    {
        echo "marquee $image_version"
        echo "kernel $(<"$image_kernel/release") $(<"$image_kernel/version")"
        echo "swiftlang $(<"$image_toolchain/swift-version")"
        echo "ffmpeg $(<"$image_ffmpeg/version") (built from source, without encoders)"
        echo "rauc $(<"$image_rauc_built/version") (built from source, with patches)"
        cat "$image_base/versions"
        if [ "${#board_packages[@]}" -gt 0 ]; then cat "$image_board_files/versions"; fi
    } >"$1/usr/lib/marquee/versions"
    chmod 644 "$1/usr/lib/marquee/versions"
    cp "$1/usr/lib/marquee/versions" "$image_slot/versions"
    rm -f "$1/etc/os-release"
    cat >"$1/usr/lib/os-release" <<E2
NAME="Marquee"
ID=marquee
ID_LIKE=debian
PRETTY_NAME="Marquee $image_version ($image_board)"
VERSION_ID=$image_version
VARIANT_ID=$image_board${image_variant:+-$image_variant}
E2
    # Where a vulnerability is reported, and the last day on which the image is supported: the vendor's, or nothing (docs/security.md).
    [ -z "${MARQUEE_SECURITY_CONTACT:-}" ] || printf 'BUG_REPORT_URL="%s"\n' "$MARQUEE_SECURITY_CONTACT" >>"$1/usr/lib/os-release"
    [ -z "${MARQUEE_SUPPORT_END:-}" ] || printf 'SUPPORT_END=%s\n' "$MARQUEE_SUPPORT_END" >>"$1/usr/lib/os-release"
    ln -s ../usr/lib/os-release "$1/etc/os-release"
    echo marquee >"$1/etc/hostname"
    rm -f "$1"/etc/{issue,issue.net,motd}
}

# The hash tree follows the system in the same partition; its root is on the slot's kernel line.
image_add_verity() {
    local blocks hash salt
    blocks=$((($(stat -c %s "$image_slot/system") + 4095) / 4096))
    truncate -s $((blocks * 4096)) "$image_slot/system"
    # The salt depends on the content: the same system gives the same hash.
    salt="$(sha256sum "$image_slot/system" | cut -d' ' -f1)"
    hash="$(veritysetup format --no-superblock --hash-offset $((blocks * 4096)) --data-blocks "$blocks" --salt "$salt" \
        "$image_slot/system" "$image_slot/system" 2>"$image_work/output" | awk '/^Root hash:/ { print $3 }')"
    [ -n "$hash" ] || { cat "$image_work/output" >&2; image_fail "veritysetup gave no root hash (see above)."; }
    echo "marquee.hash=$hash marquee.salt=$salt marquee.blocks=$blocks marquee.disk=$image_disk_id $board_kernel_line" >"$image_slot/cmdline"
}

image_make_initramfs() {
    local root="$image_work/initramfs" tools="$image_cache/initramfs-tools" file recipe
    recipe="$(image_package_set "$image_suite" arm64 busybox-static,dmsetup)"
    if ! image_is_made "$tools" "$recipe"; then
        image_unpack_recorded "$image_suite" arm64 "$tools" busybox-static,dmsetup
        echo "$recipe" >"$tools/made"
    fi
    mkdir -p "$root"/{bin,dev,proc,sys,system,modules,usr/lib,run}
    ln -s usr/lib "$root/lib"
    cp "$tools/usr/bin/busybox" "$root/bin/busybox"
    for file in sh mount umount insmod sleep reboot switch_root chroot mkdir mv sync uname; do ln -s busybox "$root/bin/$file"; done
    cp "$tools/usr/sbin/dmsetup" "$root/bin/dmsetup"
    mkdir "$root/usr/lib/aarch64-linux-gnu"
    image_copy_libraries "$tools" "$tools/usr/sbin/dmsetup" "$root"
    cp -P "$tools/usr/lib/ld-linux-aarch64.so.1" "$root/usr/lib/"
    cp -P "$tools"/usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1 "$root/usr/lib/aarch64-linux-gnu/"
    image_module_files "${board_early_modules[@]}" | while read -r file; do image_copy_module "$file" "$root/modules"; done
    cp "$image_work/early-modules" "$root/modules/list"
    install -m 644 "$image_project/scripts/image.d/count-trial" "$root/count-trial"
    install -m 755 "$image_project/scripts/image.d/initramfs-init" "$root/init"
    # No times: the same content gives the same file, which an update then does not load again.
    find "$root" -exec touch -hd @0 {} +
    (cd "$root" && find . -print0 | LC_ALL=C sort -z | cpio --null --quiet -o -H newc -R 0:0 --reproducible) | gzip -9n >"$image_slot/initramfs"
}

# image_copy_libraries ROOT PROGRAM TARGET: the shared libraries that a program needs, according to its header.
image_copy_libraries() {
    local name
    while read -r name; do
        [ -e "$3/usr/lib/aarch64-linux-gnu/$name" ] && continue
        cp -L "$1/usr/lib/aarch64-linux-gnu/$name" "$3/usr/lib/aarch64-linux-gnu/$name"
        image_copy_libraries "$1" "$1/usr/lib/aarch64-linux-gnu/$name" "$3"
    done < <(objdump -p "$2" 2>/dev/null | awk '$1 == "NEEDED" && $2 !~ /^ld-/ { print $2 }')
}

# Checks of the read-only system.
image_check_root() {
    local found
    found="$(cd "$1" && find . -xdev -type f -perm /6000)"
    [ -z "$found" ] || image_fail "programs with setuid or setgid are in the system: $found."
    found="$(cd "$1" && find . -xdev ! -type l -perm -o=w ! \( -type d -perm -1000 \))"
    [ -z "$found" ] || image_fail "world-writable files are in the system: $found."
    found="$(image_missing_libraries "$1")"
    [ -z "$found" ] || image_fail "the player or RAUC needs libraries that are not in the system: $found; add their packages to scripts/image.d/system.sh."
}

# Libraries that the player, RAUC and their libraries need and the system does not have.
image_missing_libraries() {
    local root="$1" queue=("$1/usr/bin/marquee" "$1/usr/bin/rauc") seen=" " file name
    while [ "${#queue[@]}" -gt 0 ]; do
        file="${queue[0]}"
        queue=("${queue[@]:1}")
        while read -r name; do
            case "$seen" in *" $name "*) continue ;; esac
            seen+="$name "
            if [ -e "$root/usr/lib/aarch64-linux-gnu/$name" ]; then
                queue+=("$root/usr/lib/aarch64-linux-gnu/$name")
            elif [ ! -e "$root/usr/lib/$name" ] && ! find "$root/usr/lib/aarch64-linux-gnu" -mindepth 2 -name "$name" | grep -q .; then
                printf '%s ' "$name"
            fi
        done < <(objdump -p "$file" 2>/dev/null | awk '$1 == "NEEDED" { print $2 }')
    done
}
