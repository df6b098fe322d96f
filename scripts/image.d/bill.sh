# shellcheck shell=bash disable=SC2154 # common.sh, archive.sh, player.sh, slot.sh and scripts/build-image set the variables
# The bills of materials of a slot and of the whole disk (docs/security.md).

# Packages of which something is compiled into the player: headers with code, and the parts of libraries that every program has.
image_built_in_packages=(libtomlplusplus-dev libstdc++-14-dev libgcc-14-dev libc6-dev)

# image_record_built_in: sets image_built_in to the records of image_built_in_packages and of the compiler, whose libraries are linked statically.
image_record_built_in() {
    local recipe set name
    image_built_in="$image_cache/built-in"
    set="$(image_package_set "$image_suite" arm64 "${image_built_in_packages[*]}" download)"
    recipe="$(cat "$image_toolchain/made") $set"
    if image_is_made "$image_built_in" "$recipe"; then
        return
    fi
    rm -rf "$image_built_in"
    image_download "$image_suite" "$image_built_in/debs" "${image_built_in_packages[@]}"
    image_record "$image_built_in/packages" "$image_suite" "$image_built_in"/debs/*.deb
    # The archive may have newer ones than those with which the player was built.
    for name in "${image_built_in_packages[@]}"; do
        jq -r '.files | to_entries[] | select((.value | startswith("-> ") | not) and (.key | startswith("usr/share/doc/") | not)) | "\(.value)  \(.key)"' "$image_built_in/packages/$name.json" |
            (cd "$image_toolchain/chroot/sdk/sysroot" && sha256sum --check --quiet --strict - >/dev/null 2>&1) ||
            image_fail "$name of the archive is not the one with which the player was built; the archive has changed during the build: run it again."
    done
    image_record "$image_built_in/packages" "$image_swift_suite" --installed "$image_toolchain/chroot" swiftlang
    rm -rf "$image_built_in/debs"
    echo "$recipe" >"$image_built_in/made"
}

# image_make_bill NAME FILE OUTPUT TREE...: the bill of what a file contains; TREE is NAME=FOLDER.
image_make_bill() {
    local name="$1" file="$2" output="$3" packages=("$image_base/root.packages" "$image_kernel/packages" "$image_cache/initramfs-tools.packages") arguments=() one
    shift 3
    [ "${#board_packages[@]}" -eq 0 ] || packages+=("$image_board_files/packages")
    [ "$image_variant" != dev ] || packages+=("$image_cache/development.packages")
    for one in "${packages[@]}"; do arguments+=(--packages "$one"); done
    for one in "$image_project"/{rootfs,rootfs-dev,board,scripts/image.d} "$image_player/marquee"; do arguments+=(--origin "marquee=$one"); done
    for one in "$@"; do arguments+=(--tree "$one"); done
    "$image_project/scripts/image.d/own-components" --version "$image_version" --ffmpeg "$(<"$image_ffmpeg/version")" --rauc "$(<"$image_rauc_built/version")" "${image_rauc_patches[@]/#/--rauc-patch=}" --series "$image_suite" \
        --resolved "$image_project/Package.resolved" --checkouts "$image_cache/packages/checkouts" >"$image_work/own-components.json" ||
        image_fail "the bill of materials could not be made (see above)."
    "$image_project/scripts/image.d/bill" --name "$name" --version "$image_version" --epoch "$image_epoch" --of "$file" --output "$output" \
        ${MARQUEE_SECURITY_CONTACT:+--contact "$MARQUEE_SECURITY_CONTACT"} "${arguments[@]}" --built-in "$image_built_in/packages" --components "$image_work/own-components.json" --origin "ffmpeg=$image_ffmpeg/lib" --origin "rauc=$image_rauc_built/root" \
        --modules "$image_kernel/lib/modules" --made "$image_project/scripts/image.d/made-files.txt" --licences "$image_project/scripts/image.d/licences.txt" \
        >"$image_work/bill" || image_fail "the bill of materials could not be made (see above)."
    image_step "bill of materials: $output, $(<"$image_work/bill")"
}

# The bill of a slot, which is also that of its bundle: system, initramfs, and files on the firmware partition.
image_make_slot_bill() {
    image_make_bill "$(image_compatible)" "$image_slot/system" "$image_slot/slot.cdx.json" "system=$image_work/root" "initramfs=$image_work/initramfs" "boot=$image_boot"
}

# The bill of the image: slot a, and everything on the firmware partition.
image_make_disk_bill() {
    image_make_bill "$(image_compatible)-image" "$image_slot/disk.img" "$image_slot/disk.cdx.json" "system=$image_work/root" "initramfs=$image_work/initramfs" "firmware=$image_work/firmware"
}
