# shellcheck shell=bash disable=SC2154 # common.sh, archive.sh and scripts/build-image set the variables
# The cross compiler: Debian's Swift in a chroot, with the box's libraries from Debian next to it.

# The libraries that the package links against on the box, without FFmpeg, which ffmpeg.sh builds. scripts/setup has the same list for this machine.
image_player_libraries=(
    libc6-dev libstdc++-14-dev libgcc-14-dev linux-libc-dev
    libdrm-dev libgbm-dev libyuv-dev libzimg-dev libplacebo-dev libpango1.0-dev libcairo2-dev libass-dev libjpeg-dev libpng-dev
    libcurl4-openssl-dev libssl-dev libasound2-dev libevdev-dev libudev-dev libsqlite3-dev libexpat1-dev libzstd-dev libuchardet-dev libmosquitto-dev liblzma-dev
    libtomlplusplus-dev libsdl2-dev                                         # headers; nothing of them is in the image
    libdav1d-dev zlib1g-dev                                                 # for FFmpeg
    libglib2.0-dev libjson-glib-dev libfdisk-dev libnl-genl-3-dev libdbus-1-dev # for RAUC
)
# The packages in the compiler's chroot: the compiler, make for FFmpeg, and Meson with GLib's generator of D-Bus code for RAUC.
image_compiler_packages=swiftlang,libc6-dev,git,ca-certificates,pkgconf,make,patch,meson,ninja-build,libglib2.0-dev-bin

# image_make_toolchain: sets image_toolchain to a folder with
#   chroot   this machine's architecture: the compiler
#   chroot/sdk/sysroot, chroot/sdk/arm64.artifactbundle   the box's libraries, and how SwiftPM finds them
#   made     one word that changes with everything that a compilation reads
# The compiler is renewed with the version of swiftlang: the other tools beside it leave nothing in an image. The libraries are renewed with the version of any of
# them, and what was compiled is kept if that changes no header and no static library: most fixes are in what the box loads, not in what is linked.
image_make_toolchain() {
    local compiler libraries
    image_toolchain="$image_cache/toolchain"
    compiler="$(image_version_of "$image_swift_suite" amd64 swiftlang) $image_compiler_packages"
    libraries="$(image_package_set "$image_suite" arm64 "${image_player_libraries[*]}") $(image_fingerprint "$image_project/scripts/image.d/toolchain.sh")"
    if [ "$(cat "$image_toolchain/compiler" 2>/dev/null)" != "$compiler" ]; then
        rm -rf "$image_toolchain"
        mkdir -p "$image_toolchain"
        image_step "compiler: swiftlang of $image_swift_suite (about 2 minutes, 3 GB)"
        image_again image_bootstrap "$image_swift_suite" "$image_toolchain/chroot" --variant=apt --include="$image_compiler_packages" ||
            image_fail "a chroot with swiftlang of $image_swift_suite could not be made (see above)."
        echo "$compiler" >"$image_toolchain/compiler"
    fi
    if [ "$(cat "$image_toolchain/libraries" 2>/dev/null)" != "$libraries" ]; then
        rm -rf "$image_toolchain/libraries" "$image_toolchain/chroot/sdk"
        image_step "the box's libraries: $image_suite for arm64"
        image_unpack "$image_suite" arm64 "$image_toolchain/chroot/sdk/sysroot" "$(IFS=, && echo "${image_player_libraries[*]}")"
        image_step "the Swift runtime for arm64"
        image_add_swift_runtime
        image_write_sdk
        image_forget_compiled "$compiler"
        echo "$libraries" >"$image_toolchain/libraries"
    fi
}

# image_forget_compiled COMPILER: after the libraries are new. Writes `made`, and drops what was compiled if that is no longer what would be compiled now.
image_forget_compiled() {
    local made
    # Shared libraries are linked by name, and the box has its own.
    made="$(cd "$image_toolchain/chroot/sdk/sysroot/usr" && { echo "$1"; find include lib -type f ! -name '*.so' ! -name '*.so.*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum; } | sha256sum | cut -c1-16)"
    [ "$(cat "$image_toolchain/made" 2>/dev/null)" = "$made" ] || rm -rf "$image_toolchain"/{ffmpeg,rauc} "$image_toolchain/chroot/build"
    echo "$made" >"$image_toolchain/made"
}

# The arm64 swiftlang of exactly the compiler's version: modules are read by no other.
image_add_swift_runtime() {
    local version folder
    version="$(dpkg-query --admindir="$image_toolchain/chroot/var/lib/dpkg" -W -f '${Version}' swiftlang)"
    echo "$version" >"$image_toolchain/swift-version"
    folder="$(mktemp -d "$image_cache/swift.XXXXXX")"
    image_download "$image_swift_suite" "$folder" "swiftlang=$version"
    dpkg-deb --fsys-tarfile "$folder"/swiftlang_*.deb |
        nice -n 15 tar -x -C "$image_toolchain/chroot/sdk/sysroot/usr/lib" --strip-components=5 --wildcards \
            './usr/libexec/swift/lib/swift/*' './usr/libexec/swift/lib/swift_static/*'
    # Both hold a link to the compiler's own headers, which are the same for every architecture.
    ln -s /usr/libexec/swift/lib/clang "$image_toolchain/chroot/sdk/sysroot/usr/lib/clang"
    rm -rf "$folder"
}

# A Swift SDK bundle as SwiftPM expects it (info.json, swift-sdk.json of schema 4.0, a toolset). Paths are the chroot's.
image_write_sdk() {
    local bundle="$image_toolchain/chroot/sdk/arm64.artifactbundle" flags=() quoted
    mkdir -p "$bundle/arm64"
    cat >"$bundle/info.json" <<'JSON'
{
  "schemaVersion": "1.0",
  "artifacts": {
    "arm64": {
      "type": "swiftSDK",
      "version": "1.0.0",
      "variants": [{ "path": "arm64", "supportedTriples": ["x86_64-pc-linux-gnu", "x86_64-unknown-linux-gnu"] }]
    }
  }
}
JSON
    cat >"$bundle/arm64/swift-sdk.json" <<'JSON'
{
  "schemaVersion": "4.0",
  "targetTriples": {
    "aarch64-unknown-linux-gnu": {
      "sdkRootPath": "/sdk/sysroot",
      "swiftResourcesPath": "/sdk/sysroot/usr/lib/swift",
      "swiftStaticResourcesPath": "/sdk/sysroot/usr/lib/swift_static",
      "toolsetPaths": ["toolset.json"]
    }
  }
}
JSON
    quoted='"--sysroot=/sdk/sysroot", "--gcc-toolchain=/sdk/sysroot/usr"'
    flags=('"-use-ld=lld"' '"-Xclang-linker", "--sysroot=/sdk/sysroot"' '"-Xclang-linker", "--gcc-toolchain=/sdk/sysroot/usr"')
    cat >"$bundle/arm64/toolset.json" <<JSON
{
  "schemaVersion": "1.0",
  "rootPath": "/usr/bin",
  "swiftCompiler": { "extraCLIOptions": [$(IFS=, && echo "${flags[*]}")] },
  "cCompiler": { "extraCLIOptions": [$quoted] },
  "cxxCompiler": { "extraCLIOptions": [$quoted] }
}
JSON
}

# image_write_cross_pkg_config FILE: pkg-config for the box's libraries, as a program in the compiler's chroot.
image_write_cross_pkg_config() {
    cat >"$1" <<'PKG'
#!/bin/sh
PKG_CONFIG_SYSROOT_DIR=/sdk/sysroot PKG_CONFIG_LIBDIR=/sdk/sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:/sdk/sysroot/usr/share/pkgconfig exec pkgconf "$@"
PKG
    chmod 755 "$1"
}

# image_in_chroot ROOT FOLDER COMMAND...: with /proc and /dev, in a separate mount namespace that ends with the command.
image_in_chroot() {
    local root="$1" folder="$2"
    shift 2
    # shellcheck disable=SC2016 # expanded by the inner shell
    nice -n "${image_nice:-15}" unshare --mount --propagation private sh -euc '
        root=$1 folder=$2
        shift 2
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/usr/sbin:/usr/libexec/swift/bin HOME=/root LANG=C.UTF-8 \
            sh -euc "cd \"\$0\"; exec \"\$@\"" "$folder" "$@"
    ' sh "$root" "$folder" "$@"
}
