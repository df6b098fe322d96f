# shellcheck shell=bash disable=SC2154 # board/raspberrypi/emulate and common.sh set the variables
# make_tools RECIPE: fills $tools with QEMU and its libraries, vkms for the image's kernel (Debian's kernel for arm64 has none), and the check's remote.
make_tools() {
    local source series packages sources
    series="$(cut -d. -f1,2 <<<"$release")"
    # shellcheck disable=SC2034 # read by archive.sh
    image_work="$run"
    mkdir "$run/sources"
    image_step "emulator: the kernel's headers and source"
    image_configure_apt
    image_download "$image_kernel_suite" "$run/debs" "linux-headers-$release=$version" "linux-source-$series=$version"
    dpkg-deb -x "$run"/debs/linux-headers-*.deb "$run/sources/headers"
    source="$(echo "$run"/debs/linux-source-*.deb)"
    dpkg-deb --fsys-tarfile "$source" | tar -xO --wildcards './usr/src/linux-source-*.tar.xz' | xz -dc -T0 |
        tar -x -C "$run/sources" --strip-components=4 --wildcards '*/drivers/gpu/drm/vkms/*'
    [ -e "$run/sources/vkms/vkms_drv.c" ] || image_fail "linux-source-$series holds no drivers/gpu/drm/vkms; the kernel has moved it and board/raspberrypi/emulate must follow."
    cp "$here/remote.c" "$run/sources/"
    rm -r "$run/debs"
    packages="qemu-system-arm,linux-kbuild-${release%-arm64},linux-headers-${release%-arm64}-common,gcc-aarch64-linux-gnu,libc6-dev-arm64-cross"
    packages+=",make,base-files,dash,coreutils,mawk,sed,grep,findutils"
    image_step "emulator: QEMU of $image_suite, vkms for kernel $release"
    mapfile -t sources < <(image_sources "$image_suite" && image_sources "$image_kernel_suite")
    # Only unpacked, not configured: neither QEMU nor the compiler needs more.
    image_again image_quietly env TMPDIR="$run" nice -n "${image_nice:-0}" mmdebstrap --variant=extract --format=null --aptopt="$image_apt/apt.conf" --include="$packages" \
        --extract-hook="'$image_project/$here/make-tools' \"\$1\" '$run/sources' '$release'" --extract-hook="copy-out /out '$run'" \
        "$image_suite" /dev/null "${sources[@]}" ||
        image_fail "QEMU and vkms for kernel $release could not be made (see above). If the archive has a newer kernel, make the image again with scripts/build-image $image_board."
    rm -rf "$tools"
    mv "$run/out" "$tools"
    echo "$1" >"$tools/made"
    rm -rf "$run/sources"
}
