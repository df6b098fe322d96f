# shellcheck shell=bash disable=SC2154 # common.sh, archive.sh and scripts/build-image set the variables
# The player for the box: cross-built for arm64 with Debian's Swift, against the box's libraries from Debian.

# SwiftPM does not pass pkg-config's folders on to a cross build: these contain the libraries' headers.
image_player_includes() {
    local folder
    for folder in libdrm pango-1.0 cairo glib-2.0 harfbuzz freetype2 libpng16 libevdev-1.0 fribidi pixman-1; do
        printf '%s\n' -Xcc "-I/sdk/sysroot/usr/include/$folder"
    done
    printf '%s\n' -Xcc -I/sdk/sysroot/usr/include/aarch64-linux-gnu
    printf '%s\n' -Xcc -I/sdk/sysroot/usr/lib/aarch64-linux-gnu/glib-2.0/include
}

# image_fetch_packages FOLDER: the Swift packages at the versions of Package.resolved. Fetched by this machine's SwiftPM,
# with its proxies and mirrors; the chroot then needs no network and uses the folders (SWIFTCI_USE_LOCAL_DEPS: those of SwiftNIO too).
image_fetch_packages() {
    local source="$1" fetched="$image_cache/packages"
    image_again image_quietly swift package --package-path "$image_project" --scratch-path "$fetched" \
        --only-use-versions-from-resolved-file resolve ||
        image_fail "the Swift packages of Package.resolved could not be fetched (see above); run 'swift package resolve' and see that it passes."
    mkdir -p "$source"
    rsync -rlp --checksum --delete --exclude=.git "$fetched/checkouts/" "$source/packages/"
    sed -E -i 's,\.package\(url: "[^"]*/([^/"]+)"\, [^)]*\),.package(path: "packages/\1"),' "$source/Package.swift"
}

# image_add_empty_program FOLDER: a second program, linked with the same packages, that does nothing; the player is measured against it
# (board/budgets.txt).
image_add_empty_program() {
    local products
    products="$(grep -oE '\.product\(name: "[^"]+", package: "[^"]+"\)' "$1/Package.swift" | sort -u)"
    mkdir -p "$1/Empty"
    # A fetched folder is a package with the folder's name.
    sed -n 's/.*name: "\([^"]*\)", package.*/import \1/p' <<<"$products" >"$1/Empty/main.swift"
    sed -i "s|^    targets: \[|&\n        .executableTarget(name: \"Empty\", dependencies: [$(paste -sd, <<<"$products")], path: \"Empty\"),|" "$1/Package.swift"
}

# image_align_tables ROOT: the tables of ICU, 32 MB of the program, begin at a multiple of the size of a block that an update compares. Otherwise a text
# that gets longer somewhere else moves them by some bytes, and the box loads all of them again.
image_align_tables() {
    local root="$1" archive=/sdk/sysroot/usr/lib/swift_static/linux/lib_FoundationICU.a object=icu_packaged_data.cpp.o
    rm -rf "$root/build/icu"
    mkdir "$root/build/icu"
    image_quietly image_in_chroot "$root" /build/icu llvm-ar x "$archive" "$object" &&
        image_quietly image_in_chroot "$root" /build/icu llvm-objcopy --set-section-alignment .rodata=4096 "$object" &&
        image_quietly image_in_chroot "$root" /build/icu llvm-ar rD "$archive" "$object" ||
        image_fail "the tables of ICU could not be aligned (see above): does $archive still have $object?"
    rm -r "$root/build/icu"
}

# image_swift_build ROOT PRODUCT: for arm64, with the flags of every program that ships (scripts/release-flags: static, without functions that nobody calls, the 10^5
# relocations of every start in packed form). -gnone: names for backtraces come from the unstripped program, by build id. -O0 of the linker: it does not
# merge equal texts, which saves 0.15 MB, but sorts all texts by their hashes, so that a change of one moves half of the others (docs/updates.md).
image_swift_build() {
    local includes flags
    mapfile -t includes < <(image_player_includes)
    mapfile -t flags <"$image_project/scripts/release-flags"
    image_in_chroot "$1" /build/marquee env SWIFTCI_USE_LOCAL_DEPS=1 swift build --swift-sdks-path /sdk --swift-sdk arm64 \
        -c release "${flags[@]}" --product "$2" "${includes[@]}" -Xswiftc -gnone -Xlinker -O0 -Xlinker --build-id=sha1 >"$image_player/log.$2" 2>&1 || {
        grep -E 'error|warning' "$image_player/log.$2" | head -n 40 >&2
        tail -n 10 "$image_player/log.$2" >&2
        image_fail "the program $2 does not build for arm64 (see above; the whole log is $image_player/log.$2)."
    }
}

# image_refuse_warnings LOG SOURCE: a warning about a file of ours ends the build. An up-to-date file is not compiled again and gives
# no warning, so a file with a warning is marked for compilation the next time.
image_refuse_warnings() {
    local warnings
    warnings="$(grep -E "^/build/marquee/(Sources|Package).*: warning:" "$1" | sort -u || true)"
    [ -n "$warnings" ] || return 0
    printf '%s\n' "$warnings" >&2
    cut -d : -f 1 <<<"$warnings" | sort -u | sed "s,^/build/marquee,$2," | xargs touch
    image_fail "the compiler warned $(wc -l <<<"$warnings") times about files of this project (see above); fix the causes."
}

# image_compile_for_check NAME WORD...: a small program in C of scripts/image.d/check.
image_compile_for_check() {
    local name="$1"
    shift
    cp "$image_project"/scripts/image.d/check/*.c "$image_toolchain/chroot/build/"
    image_quietly image_in_chroot "$image_toolchain/chroot" /build clang --target=aarch64-linux-gnu --sysroot=/sdk/sysroot --gcc-toolchain=/sdk/sysroot/usr -fuse-ld=lld \
        -I/sdk/sysroot/usr/include/libdrm -o "$name" "$@" || image_fail "the program $name does not build (see above)."
    mv "$image_toolchain/chroot/build/$name" "$image_player/$name"
}

# image_add_tools: marquee-tools (stripped) beside the player in image_player, for the Debian packages; no image has it.
image_add_tools() {
    local root="$image_toolchain/chroot" folder=/build/marquee/.build/aarch64-unknown-linux-gnu/release
    if [ -e "$image_player/marquee-tools" ]; then
        image_step "tools: nothing has changed since they were built"
        return
    fi
    # The sources are there as the player was built from them, unless the chroot is a new one.
    [ -d "$root/build/marquee/Sources" ] || { rm "$image_player/made"; image_build_player; }
    image_step "tools: building for arm64"
    rm -f "$root$folder/marquee-tools"
    image_swift_build "$root" marquee-tools
    image_refuse_warnings "$image_player/log.marquee-tools" "$root/build/marquee"
    image_in_chroot "$root" $folder llvm-objcopy --strip-all marquee-tools /build/stripped
    mv "$root/build/stripped" "$image_player/marquee-tools"
    image_step "tools: $(stat -c %s "$image_player/marquee-tools") bytes stripped"
}

# image_build_player: sets image_player to a folder with marquee (stripped), marquee.unstripped, empty, flip and noflip.so.
image_build_player() {
    local root="$image_toolchain/chroot" source="$image_toolchain/chroot/build/marquee" folder recipe
    image_player="$image_cache/player"
    # A fresh clone has no resolved versions yet.
    [ -f "$image_project/Package.resolved" ] || image_again image_quietly swift package --package-path "$image_project" resolve ||
        image_fail "the Swift packages could not be resolved (see above); run 'swift package resolve' and see that it passes."
    recipe="$(cd "$image_project" && cat "$image_toolchain/made" scripts/image.d/player.sh scripts/release-flags scripts/image.d/check/{flip,noflip}.c Package.swift Package.resolved <(find Sources -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) | sha256sum | cut -c1-16)"
    if image_is_made "$image_player" "$recipe"; then
        image_step "player: nothing has changed since it was built"
        return
    fi
    image_step "player: building for arm64 with swiftlang $(cat "$image_toolchain/swift-version")"
    rm -rf "$image_player"
    mkdir -p "$source" "$image_player"
    # Files with the same contents keep their times, so that a new clone of the project compiles only what has changed since the last build.
    rsync -rlp --checksum --delete --exclude=/.build --exclude=/packages --exclude=/Empty --exclude=/Examples/.build "$image_project"/{Package.swift,Package.resolved,Sources,Tests,Examples} "$source/"
    rm "$source/Package.resolved"
    image_fetch_packages "$source"
    image_add_empty_program "$source"
    image_align_tables "$root"
    # SwiftPM does not see that the linker's options or libraries have changed.
    rm -f "$root"/build/marquee/.build/aarch64-unknown-linux-gnu/release/{marquee,Empty}
    image_swift_build "$root" marquee
    image_refuse_warnings "$image_player/log.marquee" "$source"
    image_swift_build "$root" Empty
    folder=/build/marquee/.build/aarch64-unknown-linux-gnu/release
    cp "$root$folder/marquee" "$image_player/marquee.unstripped"
    image_in_chroot "$root" $folder llvm-objcopy --strip-all marquee /build/stripped
    mv "$root/build/stripped" "$image_player/marquee"
    # Whole blocks, since it is not compressed in the image: a player that grows moves what is behind it by whole blocks, which an update then finds on the box.
    truncate -s %4096 "$image_player/marquee"
    image_in_chroot "$root" $folder llvm-objcopy --strip-all Empty /build/stripped
    mv "$root/build/stripped" "$image_player/empty"
    # For scripts/boot-image: the minimum for a first picture, against which the player's start is measured; and a display that shows nothing.
    image_compile_for_check flip -O2 flip.c -ldrm
    image_compile_for_check noflip.so -shared -fPIC noflip.c
    echo "$recipe" >"$image_player/made"
    image_step "player: $(stat -c %s "$image_player/marquee") bytes stripped, $(stat -c %s "$image_player/marquee.unstripped") before; an empty program has $(stat -c %s "$image_player/empty")"
}
