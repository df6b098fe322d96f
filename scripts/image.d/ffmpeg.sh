# shellcheck shell=bash disable=SC2154 # common.sh, archive.sh, toolchain.sh and scripts/build-image set the variables
# FFmpeg for the box, from Debian's source package: demuxers, decoders and the muxer of MP4, no encoders. Debian's build depends on 160
# packages (encoders, speech engines, filters of a workstation), 200 MB that every start of the player would have to load.

# Each line with its reason. No --enable-gpl: the box's FFmpeg is under the LGPL alone.
image_ffmpeg_options=(
    --prefix=/usr --libdir=/usr/lib/aarch64-linux-gnu --incdir=/usr/include/aarch64-linux-gnu
    --enable-cross-compile --arch=aarch64 --cpu=armv8-a --target-os=linux --enable-pic --host-cc=clang
    --enable-shared --disable-static --disable-programs --disable-doc --disable-debug --disable-stripping
    --disable-autodetect                          # only the parts named here
    --disable-network --disable-avdevice --disable-postproc # the player hands all bytes in
    --disable-encoders --disable-muxers --disable-hwaccels --disable-filters --disable-indevs --disable-outdevs
    --enable-muxer=mp4                            # exports that copy samples (docs/export.md)
    --enable-zlib                                 # compressed subtitles and headers in Matroska and MP4
    --enable-libdav1d                             # AV1; FFmpeg's own AV1 decoder is for hardware only
    --enable-libdrm --enable-v4l2-m2m             # hardware decoders, for a version in which they leave frames in shared memory: 7.1 does not
    # Those of FilterLibrary (Sources/MediaCodec/FilterGraph.swift), and what libavfilter inserts by itself to convert formats.
    --enable-filter=abuffer,abuffersink,acompressor,aformat,alimiter,aresample,atempo,buffer,buffersink,bwdif,ebur128,format,scale,stereotools,volume
)

# image_make_ffmpeg: sets image_ffmpeg to a folder with the libraries (lib) and their version; headers and libraries are in the sysroot as well.
image_make_ffmpeg() {
    local version recipe root="$image_toolchain/chroot" compiler tools
    image_ffmpeg="$image_toolchain/ffmpeg"
    version="$(image_source_version ffmpeg)"
    recipe="$version $(image_fingerprint "$image_project/scripts/image.d/ffmpeg.sh") $(cat "$image_toolchain/made")"
    if image_is_made "$image_ffmpeg" "$recipe"; then
        # The sysroot may be newer than what is kept of the last build.
        cp -a "$image_ffmpeg/installed/." "$root/sdk/sysroot/usr/"
        return
    fi
    image_step "FFmpeg $version: decoders for arm64 (about 5 minutes)"
    rm -rf "$image_ffmpeg"
    mkdir -p "$image_ffmpeg/lib"
    image_unpack_source ffmpeg "$version" "$root/build/ffmpeg"
    compiler="clang --target=aarch64-linux-gnu --sysroot=/sdk/sysroot --gcc-toolchain=/sdk/sysroot/usr -fuse-ld=lld"
    tools=(--cc="$compiler" --ar=llvm-ar --nm=llvm-nm --ranlib=llvm-ranlib --pkg-config=/build/ffmpeg/cross-pkg-config)
    image_write_cross_pkg_config "$root/build/ffmpeg/cross-pkg-config"
    image_quietly image_in_chroot "$root" /build/ffmpeg ./configure "${image_ffmpeg_options[@]}" "${tools[@]}" ||
        image_fail "FFmpeg could not be configured (see above)."
    # The result does not contain the folder's name, so the same source gives the same libraries.
    image_quietly image_in_chroot "$root" /build/ffmpeg make -j"$(nproc)" || image_fail "FFmpeg could not be built (see above)."
    image_quietly image_in_chroot "$root" /build/ffmpeg make install-libs install-headers DESTDIR=/build/ffmpeg/installed || image_fail "FFmpeg could not be installed (see above)."
    image_quietly image_in_chroot "$root" /build/ffmpeg sh -euc 'for file in installed/usr/lib/aarch64-linux-gnu/*.so.*.*.*; do llvm-objcopy --strip-unneeded "$file"; done' ||
        image_fail "FFmpeg's libraries could not be stripped (see above)."
    cp -a "$root/build/ffmpeg/installed/usr/." "$root/sdk/sysroot/usr/"
    mkdir "$image_ffmpeg/installed"
    cp -a "$root/build/ffmpeg/installed/usr/." "$image_ffmpeg/installed/"
    cp -a "$root"/build/ffmpeg/installed/usr/lib/aarch64-linux-gnu/*.so.* "$image_ffmpeg/lib/"
    rm -rf "$root/build/ffmpeg"
    echo "$version" >"$image_ffmpeg/version"
    echo "$recipe" >"$image_ffmpeg/made"
    image_step "FFmpeg: $(du -sm "$image_ffmpeg/lib" | cut -f1) MB"
}
