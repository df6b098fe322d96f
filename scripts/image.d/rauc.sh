# shellcheck shell=bash disable=SC2154 # common.sh, archive.sh, toolchain.sh and scripts/build-image set the variables
# RAUC for the box, from Debian's source package. Debian's own build cannot install a bundle with the kernel of the image, whose dm-verity has another
# status line (rauc-verity-status.patch), fails when udev is faster than it is (rauc-nbd-udev.patch), waits long for a server that is gone
# (rauc-nbd-silence.patch), installs nothing after it was killed at the wrong moment (rauc-stale-device.patch), does not stop while a server hangs
# (rauc-service-stop.patch), and crashes when an index cannot be loaded (rauc-index-read.patch). RAUC of newer series is built with a newer libnl than the box has. This one loads with the player's libcurl, so that the image
# needs no second one with GnuTLS.

# In this order. Each says in its first lines from which version on it is not needed.
image_rauc_patches=("$image_project"/scripts/image.d/rauc-{verity-status,nbd-udev,nbd-silence,stale-device,index-read,service-stop}.patch)
# Each with its reason; the rest is as Debian builds it.
image_rauc_options=(
    --prefix=/usr --buildtype=plain
    -Dstreaming=true -Dgpt=enabled
    -Dcreate=false -Dtests=false                  # bundles are made elsewhere
    -Dsystemdunitdir=/usr/lib/systemd/system -Dsystemdcatalogdir=/usr/lib/systemd/catalog
    -Ddbussystemservicedir=/usr/share/dbus-1/system-services -Ddbuspolicydir=/usr/share/dbus-1/system.d -Ddbusinterfacesdir=/usr/share/dbus-1/interfaces
    -Db_pie=true
)
# What of it is in the image. The policy for the bus is in rootfs/, the catalogue of messages is not needed.
image_rauc_files=(usr/bin/rauc usr/lib/systemd/system/rauc.service usr/share/dbus-1/system-services/de.pengutronix.rauc.service usr/share/rauc/rauc-service.sh)

# image_make_rauc: sets image_rauc_built to a folder with `root`, the files of RAUC, and the version of Debian's source.
image_make_rauc() {
    local version recipe file root="$image_toolchain/chroot" folder=/build/rauc
    image_rauc_built="$image_toolchain/rauc"
    version="$(image_source_version rauc)"
    recipe="$version $(image_fingerprint "$image_project/scripts/image.d/rauc.sh" "${image_rauc_patches[@]}") $(cat "$image_toolchain/made")"
    if image_is_made "$image_rauc_built" "$recipe"; then
        return
    fi
    image_step "RAUC $version for arm64"
    rm -rf "$image_rauc_built"
    mkdir -p "$image_rauc_built/root"
    image_unpack_source rauc "$version" "$root$folder"
    for file in "${image_rauc_patches[@]}"; do
        image_quietly patch --directory="$root$folder" --strip=1 --fuzz=0 --input="$file" ||
            image_fail "scripts/image.d/${file##*/} does not apply to RAUC $version (see above); its first lines say from which version on it is not needed."
    done
    image_write_cross_pkg_config "$root$folder/cross-pkg-config"
    cat >"$root$folder/cross" <<'CROSS'
[binaries]
c = ['clang', '--target=aarch64-linux-gnu', '--sysroot=/sdk/sysroot', '--gcc-toolchain=/sdk/sysroot/usr']
ar = 'llvm-ar'
strip = 'llvm-strip'
pkg-config = '/build/rauc/cross-pkg-config'
gdbus-codegen = '/usr/bin/gdbus-codegen'
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
# As with Debian's hardening=+all.
[built-in options]
c_args = ['-O2', '-D_FORTIFY_SOURCE=3', '-fstack-protector-strong', '-fstack-clash-protection', '-mbranch-protection=standard']
c_link_args = ['-fuse-ld=lld', '-Wl,-z,relro,-z,now']
CROSS
    image_quietly image_in_chroot "$root" "$folder" meson setup --cross-file=cross "${image_rauc_options[@]}" built ||
        image_fail "RAUC could not be configured (see above)."
    image_quietly image_in_chroot "$root" "$folder" meson compile -C built || image_fail "RAUC could not be built (see above)."
    image_quietly image_in_chroot "$root" "$folder" meson install -C built --no-rebuild --destdir "$folder/installed" || image_fail "RAUC could not be installed (see above)."
    image_quietly image_in_chroot "$root" "$folder" llvm-objcopy --strip-unneeded installed/usr/bin/rauc || image_fail "RAUC could not be stripped (see above)."
    for file in "${image_rauc_files[@]}"; do
        mkdir -p "$image_rauc_built/root/${file%/*}"
        cp "$root$folder/installed/$file" "$image_rauc_built/root/$file"
    done
    rm -rf "${root:?}$folder"
    echo "$version" >"$image_rauc_built/version"
    echo "$recipe" >"$image_rauc_built/made"
}
