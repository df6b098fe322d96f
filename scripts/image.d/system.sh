# shellcheck shell=bash disable=SC2154 # common.sh, archive.sh, player.sh, scripts/build-image and the board set the variables
# The read-only system of the box: Debian's packages unpacked (not installed: no package manager, no maintainer scripts, nothing
# emulated), trimmed, with the overlay of rootfs/ and the player laid over it.

image_base_packages=(
    base-files systemd udev systemd-resolved systemd-timesyncd libnss-myhostname          # the base
    dash bash coreutils sed grep util-linux mount kmod e2fsprogs dosfstools mawk findutils fdisk libc-bin fontconfig
    ca-certificates tzdata
    iwd dbus-daemon dbus-system-bus-common                                                # wireless networks; started when one is configured
    dbus libjson-glib-1.0-0 libnl-genl-3-200 libfdisk1                                    # RAUC's bus and libraries; itself by rauc.sh
    libdrm2 libgbm1 libdav1d7 libyuv0 libzimg2 libplacebo349 libass9                      # the player's libraries, less FFmpeg (ffmpeg.sh)
    libpangocairo-1.0-0 libcairo2 libjpeg62-turbo libpng16-16t64 libcurl4t64 libasound2t64 libasound2-data libevdev2 libudev1 libsqlite3-0 libexpat1 libzstd1 libuchardet0 libmosquitto1 liblzma5
    fonts-noto-core fonts-noto-cjk
)

# image_unpack_base: sets image_base to the packages of image_base_packages, unpacked and trimmed. The same for every board.
image_unpack_base() {
    local recipe set
    set="$(image_package_set "$image_suite" arm64 "${image_base_packages[*]}")"
    recipe="$set $(image_fingerprint "$image_project/scripts/image.d/"{system,trim}.sh "$image_project/rootfs/usr/lib/sysusers.d/marquee.conf") $(cat "$image_ffmpeg/made")"
    image_base="$image_cache/base"
    if image_is_made "$image_base" "$recipe"; then
        return
    fi
    image_step "system: unpacking the base of $image_suite for arm64"
    rm -rf "$image_base"
    mkdir -p "$image_base"
    image_unpack_recorded "$image_suite" arm64 "$image_base/root" "$(IFS=, && echo "${image_base_packages[*]}")"
    image_recorded_versions "$image_base/root.packages" >"$image_base/versions"
    image_step "system: trimming $(du -sm --apparent-size "$image_base/root" | cut -f1) MB"
    image_trim "$image_base/root"
    cp -a "$image_ffmpeg/lib/." "$image_base/root/usr/lib/aarch64-linux-gnu/"
    image_configure_base "$image_base/root"
    echo "$recipe" >"$image_base/made"
    image_step "system: base of $(du -sm --apparent-size "$image_base/root" | cut -f1) MB"
}

# image_recorded_versions FOLDER: "package version" of the recorded packages.
image_recorded_versions() {
    jq -r '"\(.package) \(.version)"' "$1"/*.json | LC_ALL=C sort
}

# The parts of the packages' maintainer scripts that the box needs.
image_configure_base() {
    local root="$1" certificate
    # The accounts that the packages declare, all without a login.
    cp -a "$image_project/rootfs/usr/lib/sysusers.d/." "$root/usr/lib/sysusers.d/"
    image_quietly env SOURCE_DATE_EPOCH="$image_epoch" qemu-aarch64-static -L "$root" "$root/usr/bin/systemd-sysusers" --root="$root" || image_fail "the accounts of the box could not be made (see above)."
    # The certificates that TLS trusts, in one file.
    mkdir -p "$root/etc/ssl/certs"
    find "$root/usr/share/ca-certificates/mozilla" -name '*.crt' | LC_ALL=C sort | while read -r certificate; do
        cat "$certificate"
        echo
    done >"$root/etc/ssl/certs/ca-certificates.crt"
    ln -sf ../proc/self/mounts "$root/etc/mtab"
    [ -e "$root/usr/bin/awk" ] || ln -s mawk "$root/usr/bin/awk"
    ln -sf /run/systemd/resolve/resolv.conf "$root/etc/resolv.conf"
    ln -sf /usr/share/zoneinfo/UTC "$root/etc/localtime"
    printf 'passwd: files\ngroup: files\nshadow: files\nhosts: files myhostname resolve [!UNAVAIL=return] dns\n' >"$root/etc/nsswitch.conf"
    # The fonts' index, so that the first text does not wait for a search of all fonts; and the libraries' index.
    image_quietly qemu-aarch64-static -L "$root" "$root/usr/sbin/ldconfig" -r "$root" || image_fail "the index of the libraries could not be made (see above)."
    image_quietly qemu-aarch64-static -L "$root" "$root/usr/bin/fc-cache" -s -y "$root" || image_fail "the index of the fonts could not be made (see above)."
}

# image_unpack_board_packages: sets image_board_files to the packages that only this board needs, unpacked and without what they
# depend on: firmware of chips. The board takes from it what it names.
image_unpack_board_packages() {
    local recipe set file
    image_board_files="$image_cache/board-$image_board"
    [ "${#board_packages[@]}" -gt 0 ] || return 0
    set="$(image_package_set "$image_suite" arm64 "${board_packages[*]}" download)"
    recipe="$set $(image_fingerprint "$image_project/board/$image_board/board.sh" "$image_project/scripts/image.d/system.sh")"
    if image_is_made "$image_board_files" "$recipe"; then
        return
    fi
    rm -rf "$image_board_files"
    image_download "$image_suite" "$image_board_files/debs" "${board_packages[@]}"
    image_record "$image_board_files/packages" "$image_suite" "$image_board_files"/debs/*.deb
    for file in "$image_board_files"/debs/*.deb; do
        dpkg-deb -x "$file" "$image_board_files/root"
    done
    image_recorded_versions "$image_board_files/packages" >"$image_board_files/versions"
    rm -rf "$image_board_files/debs"
    echo "$recipe" >"$image_board_files/made"
}

# image_make_kernel: sets image_kernel to a folder with vmlinuz, release, version and lib/modules of the kernel series.
image_make_kernel() {
    local record release version package recipe
    record="$(apt-cache "${image_apt_options[@]}" show "linux-image-arm64/$image_kernel_suite" 2>/dev/null || true)"
    version="$(awk '/^Version:/ { print $2; exit }' <<<"$record")"
    release="$(sed -nE '/^Depends:/ s/.*linux-image-([0-9][^ ,]*-arm64)[ ,(].*/\1/p' <<<"$record" | head -n 1)"
    [ -n "$version" ] && [ -n "$release" ] ||
        image_fail "$image_kernel_suite has no linux-image-arm64 any more; set the series in scripts/image.d/common.sh to newer ones."
    image_kernel="$image_cache/kernel"
    recipe="$release $version $(image_fingerprint "$image_project/scripts/image.d/system.sh")"
    if image_is_made "$image_kernel" "$recipe"; then
        return
    fi
    image_step "kernel: $release of $image_kernel_suite"
    rm -rf "$image_kernel"
    mkdir -p "$image_kernel/debs"
    for package in linux-base linux-binary linux-modules linux-image; do
        # How Debian cuts the kernel into packages has changed before: take those of the known ones that exist.
        [ -n "$(apt-cache "${image_apt_options[@]}" madison "$package-$release" 2>/dev/null)" ] || continue
        image_download "$image_kernel_suite" "$image_kernel/debs" "$package-$release=$version"
    done
    image_record "$image_kernel/packages" "$image_kernel_suite" "$image_kernel"/debs/*.deb
    for package in "$image_kernel"/debs/*.deb; do
        dpkg-deb -x "$package" "$image_kernel/unpacked"
    done
    rm -rf "$image_kernel/debs"
    mkdir -p "$image_kernel/lib/modules"
    mv "$(find "$image_kernel/unpacked" -type d -path "*/lib/modules/$release" -print -quit)" "$image_kernel/lib/modules/"
    mv "$(find "$image_kernel/unpacked" "$image_kernel/lib/modules" -name 'vmlinuz*' -type f -print -quit)" "$image_kernel/vmlinuz" ||
        image_fail "the packages of kernel $release hold no vmlinuz; their packaging has changed and scripts/image.d/system.sh must follow."
    rm -rf "$image_kernel/lib/modules/$release"/{build,source}
    depmod -b "$image_kernel" "$release"
    # Device trees of boards: found by name later.
    mv "$(find "$image_kernel/unpacked" "$image_kernel/lib/modules" -type d \( -name dtb -o -name 'linux-image-*' \) -print -quit)" "$image_kernel/dtbs" ||
        image_fail "the packages of kernel $release hold no device trees; their packaging has changed and scripts/image.d/system.sh must follow."
    rm -rf "$image_kernel/unpacked"
    echo "$release" >"$image_kernel/release"
    echo "$version" >"$image_kernel/version"
    echo "$recipe" >"$image_kernel/made"
}
