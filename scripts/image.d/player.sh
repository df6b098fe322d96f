# shellcheck shell=bash disable=SC2154 # common.sh, archive.sh and scripts/build-image set the variables
# The player for the box: cross-built for arm64 with Debian's own Swift against Debian's libraries of the box.

# What the package links against on the box; the same list as scripts/setup has for this machine.
image_player_libraries=libc6-dev,libstdc++-14-dev,libgcc-14-dev,libdrm-dev,libgbm-dev,libavformat-dev,libavcodec-dev,libavutil-dev,libswresample-dev,libswscale-dev,libavfilter-dev,libyuv-dev,libpango1.0-dev,libcairo2-dev,libjpeg-dev,libpng-dev,libcurl4-openssl-dev,libasound2-dev,libevdev-dev,libudev-dev,libsqlite3-dev

# image_make_toolchain: sets image_toolchain to a folder with
#   chroot   this machine's architecture: the compiler
#   chroot/sdk/sysroot, chroot/sdk/arm64.artifactbundle   the box's libraries, and how SwiftPM finds them
image_make_toolchain() {
    local recipe
    recipe="$(image_fingerprint "$image_project/scripts/image.d/player.sh")"
    image_toolchain="$image_cache/toolchain"
    if image_is_made "$image_toolchain" "$recipe"; then
        return
    fi
    rm -rf "$image_toolchain"
    mkdir -p "$image_toolchain"

    image_step "compiler: swiftlang of $image_swift_suite (about 2 minutes, 3 GB)"
    image_quietly env TMPDIR="$image_cache" nice -n 15 mmdebstrap --variant=apt --aptopt="$image_apt/apt.conf" \
        --include=swiftlang,libc6-dev,git,ca-certificates,pkgconf \
        "$image_swift_suite" "$image_toolchain/chroot" "$(image_source "$image_swift_suite")" ||
        image_fail "a chroot with swiftlang of $image_swift_suite could not be made (see above)."

    image_step "the box's libraries: $image_suite for arm64"
    image_unpack "$image_suite" arm64 "$image_toolchain/chroot/sdk/sysroot" "$image_player_libraries"

    image_step "the Swift runtime for arm64"
    image_add_swift_runtime
    image_write_sdk
    echo "$recipe" >"$image_toolchain/made"
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

# SwiftPM does not pass pkg-config's folders on to a cross build: these are the ones the libraries' headers are in.
image_player_includes() {
    local folder
    for folder in libdrm pango-1.0 cairo glib-2.0 harfbuzz freetype2 libpng16 libevdev-1.0 fribidi pixman-1; do
        printf '%s\n' -Xcc "-I/sdk/sysroot/usr/include/$folder"
    done
    printf '%s\n' -Xcc -I/sdk/sysroot/usr/include/aarch64-linux-gnu
    printf '%s\n' -Xcc -I/sdk/sysroot/usr/lib/aarch64-linux-gnu/glib-2.0/include
}

# image_fetch_packages FOLDER: the Swift packages at the versions of Package.resolved. Fetched by this machine's own SwiftPM,
# which may reach them in its own way (proxies, mirrors); the chroot then needs no network and takes them as folders.
image_fetch_packages() {
    local source="$1" fetched="$image_cache/packages"
    image_quietly swift package --package-path "$image_project" --scratch-path "$fetched" \
        --only-use-versions-from-resolved-file resolve ||
        image_fail "the Swift packages of Package.resolved could not be fetched (see above); run 'swift package resolve' and see that it passes."
    mkdir -p "$source"
    rsync -a --delete --exclude=.git "$fetched/checkouts/" "$source/packages/"
    sed -E -i 's,\.package\(url: "[^"]*/([^/"]+)"\, [^)]*\),.package(path: "packages/\1"),' "$source/Package.swift"
}

# image_build_player: sets image_player to a folder with marquee (stripped), marquee.debug and versions.
image_build_player() {
    local root="$image_toolchain/chroot" source="$image_toolchain/chroot/build/marquee" includes built recipe
    image_player="$image_cache/player"
    # A fresh clone has not settled on versions yet.
    [ -f "$image_project/Package.resolved" ] || image_quietly swift package --package-path "$image_project" resolve ||
        image_fail "the Swift packages could not be resolved (see above); run 'swift package resolve' and see that it passes."
    recipe="$(cd "$image_project" && cat "$image_toolchain/made" Package.swift Package.resolved <(find Sources -type f -print0 | sort -z | xargs -0 sha256sum) | sha256sum | cut -c1-16)"
    if image_is_made "$image_player" "$recipe"; then
        image_step "player: nothing has changed since it was built"
        return
    fi
    image_step "player: building for arm64 with swiftlang $(cat "$image_toolchain/swift-version")"
    mkdir -p "$source" "$image_player"
    rsync -a --delete --exclude=/.build --exclude=/packages "$image_project"/{Package.swift,Package.resolved,Sources,Tests} "$source/"
    rm "$source/Package.resolved"
    image_fetch_packages "$source"
    mapfile -t includes < <(image_player_includes)
    image_in_chroot "$root" /build/marquee swift build --swift-sdks-path /sdk --swift-sdk arm64 --static-swift-stdlib \
        -c release --product marquee \
        "${includes[@]}" -Xswiftc -gnone -Xlinker --gc-sections -Xlinker --build-id=sha1 >"$image_player/log" 2>&1 || {
        grep -E 'error|warning' "$image_player/log" | head -n 40 >&2
        tail -n 10 "$image_player/log" >&2
        image_fail "the player does not build for arm64 (see above; the whole log is $image_player/log)."
    }
    if grep -E "^/build/marquee/Sources.*warning:" "$image_player/log" | sort -u >&2; then
        image_step "player: the warnings above are from our own sources; there should be none"
    fi
    built="$source/.build/aarch64-unknown-linux-gnu/release/marquee"
    cp "$built" "$image_player/marquee.unstripped"
    cp "$built" "$image_player/marquee"
    image_in_chroot "$root" / /usr/libexec/swift/bin/llvm-objcopy --strip-all "${built#"$root"}" /build/marquee.stripped
    mv "$root/build/marquee.stripped" "$image_player/marquee"
    echo "$recipe" >"$image_player/made"
    image_step "player: $(stat -c %s "$image_player/marquee") bytes stripped, $(stat -c %s "$image_player/marquee.unstripped") before"
}

# image_in_chroot ROOT FOLDER COMMAND...: with /proc and /dev, in a mount namespace of its own that ends with the command.
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
