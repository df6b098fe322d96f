# shellcheck shell=bash disable=SC2154 # common.sh and scripts/build-image set the variables
# How a box is updated: RAUC's configuration in the image, and bundles (docs/updates.md).

# Which signatures a box accepts, besides the keyring.
image_trust="check-purpose=codesign
allow-partial-chain=true
use-bundle-signing-time=true"

# The string by which a bundle and a box recognise that they belong together.
image_compatible() {
    echo "marquee-$image_board${image_variant:+-$image_variant}"
}

# The certificate authority that an image trusts: MARQUEE_KEYRING (PEM, one or more certificates), otherwise that of scripts/keys.
image_keyring() {
    if [ -n "${MARQUEE_KEYRING:-}" ]; then
        [ -s "$MARQUEE_KEYRING" ] || image_fail "MARQUEE_KEYRING names $MARQUEE_KEYRING, which is not there."
        echo "$MARQUEE_KEYRING"
    else
        echo "$("$image_project/scripts/keys" folder)/ca.pem"
    fi
}

# image_add_updates ROOT: system.conf and the trusted authority.
image_add_updates() {
    local keyring
    keyring="$(image_keyring)"
    mkdir -p "$1/etc/rauc"
    install -m 644 "$keyring" "$1/etc/rauc/keyring.pem"
    cat >"$1/etc/rauc/system.conf" <<CONF
[system]
compatible=$(image_compatible)
bootloader=custom
bundle-formats=verity
data-directory=/data/system/rauc

[handlers]
bootloader-custom-backend=/usr/lib/marquee/slot
pre-install=/usr/lib/marquee/before-update

[keyring]
path=/etc/rauc/keyring.pem
$image_trust

[slot.system.0]
device=/run/marquee-disk/slot-a
type=raw
bootname=a

[slot.system.1]
device=/run/marquee-disk/slot-b
type=raw
bootname=b
CONF
}

# image_make_boot_files: sets image_boot to a folder with the files of a slot on the firmware partition, as they are for slot a.
image_make_boot_files() {
    image_boot="$image_slot/boot"
    rm -rf "$image_boot"
    mkdir "$image_boot"
    ln "$image_slot/vmlinuz" "$image_slot/initramfs" "$image_boot/"
    board_slot "$image_boot" a
    echo "$image_version" >"$image_boot/version"
}

# image_rauc ARGUMENT...: RAUC of the image's series with its own libraries, on this machine.
image_rauc() {
    local tools="$image_cache/rauc" recipe
    recipe="$(image_package_set "$image_suite" amd64 rauc)"
    if ! image_is_made "$tools" "$recipe"; then
        image_unpack "$image_suite" amd64 "$tools" rauc
        echo "$recipe" >"$tools/made"
    fi
    "$tools/lib64/ld-linux-x86-64.so.2" --library-path "$tools/usr/lib/x86_64-linux-gnu" "$tools/usr/bin/rauc" "$@"
}

# image_make_bundle SYSTEM BOOT VERSION BUNDLE [COMPATIBLE]: writes a signed bundle of a system and the files of a slot on the firmware partition. All times in
# it are those of image_epoch. The signed manifest names the bill of materials image_bill, if that is set, by its hash.
image_make_bundle() {
    local content="$image_work/bundle" signer certificate sum name
    signer="$("$image_project/scripts/keys" folder)"
    certificate="${MARQUEE_SIGNING_CERTIFICATE:-$signer/signer.pem}"
    rm -rf "$content" "$4"
    mkdir "$content"
    cp -l "$1" "$content/system.squashfs" 2>/dev/null || cp "$1" "$content/system.squashfs"
    # RAUC puts no folders into bundles: the files of the slot on the firmware partition are named by their SHA-256, and `files` has their names.
    echo "$3" >"$content/version"
    cp "$2/cmdline.txt" "$content/cmdline.txt"
    (cd "$2" && find . -type f ! -name cmdline.txt ! -name version -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum) >"$content/files"
    (cd "$content" && sed 's,$,  version,' <(sha256sum <version | cut -d' ' -f1) >>files)
    while read -r sum name; do
        if [ "$name" != version ]; then cp "$2/$name" "$content/boot.$sum"; fi
    done <"$content/files"
    cp "$content/version" "$content/boot.$(sha256sum <"$content/version" | cut -d' ' -f1)"
    install -m 755 "$image_project/scripts/image.d/bundle-hook" "$content/hook"
    cat >"$content/manifest.raucm" <<MANIFEST
[update]
compatible=${5:-$(image_compatible)}
version=$3

[bundle]
format=verity

[hooks]
filename=hook

[image.system]
filename=system.squashfs
${image_adaptive-adaptive=block-hash-index}
hooks=post-install
MANIFEST
    if [ -n "${image_bill:-}" ]; then
        printf '\n[meta.bill]\nformat=CycloneDX 1.6\nsha256=%s\n' "$(sha256sum <"$image_bill" | cut -d' ' -f1)" >>"$content/manifest.raucm"
    fi
    # Small blocks: a box that reads one block of the system from the network has to load the whole block of the bundle that it is in.
    printf '[system]\ncompatible=none\nbootloader=noop\n' >"$image_work/rauc.conf"
    # The new bundle is verified as a box does it; not those of the check that a box must refuse.
    [ "${image_check_bundle:-}" = no ] || printf '[keyring]\npath=%s\n%s\n' "$(image_keyring)" "$image_trust" >>"$image_work/rauc.conf"
    image_quietly image_rauc --conf="$image_work/rauc.conf" bundle --cert "$certificate" --key "${MARQUEE_SIGNING_KEY:-$signer/signer.key}" \
        --mksquashfs-args="-comp zstd -b ${image_bundle_block:-16K} -all-time $image_epoch -mkfs-time $image_epoch -processors 2" "$content" "$4" ||
        image_fail "the bundle could not be made (see above)."
    rm -rf "$content"
}
