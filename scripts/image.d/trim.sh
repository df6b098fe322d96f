# shellcheck shell=bash # sourced by scripts/build-image
# What of the packages the box never reads.

image_trim() {
    local root="$1"
    (
        cd "$root" || exit 1
        rm -rf usr/share/{doc,man,info,lintian,locale,bash-completion,zsh,bug,linda,menu,pixmaps,i18n,perl5,polkit-1,common-licenses.d}
        rm -rf usr/share/{gdb,initramfs-tools,debconf,debianutils,dpkg,keyrings,apparmor,factory,readline,tabset,systemd/kbd-model-map}
        rm -rf usr/lib/{apt,dpkg,python3,python3.*,valgrind,locale,tmpfiles.d/legacy.conf} usr/include usr/games usr/src
        rm -rf usr/lib/aarch64-linux-gnu/{perl,perl-base,perl5,gconv,pkgconfig,cmake} usr/lib/aarch64-linux-gnu/*.a
        rm -rf var/cache var/lib/{apt,dpkg,pam} var/log usr/bin/perl* usr/share/zoneinfo/{right,posix} boot
        # Mesa behind GBM: no board here has a GPU that the player would ask, and its compiler alone is 120 MB. libgbm stays, since the
        # player is linked with it; without a back end it opens nothing and the player takes dumb buffers.
        rm -rf usr/lib/aarch64-linux-gnu/{dri,gbm,libgallium*,libLLVM*,libz3*}
        # The hardware database names keyboards and mice; the box's devices need none of it.
        rm -rf usr/lib/udev/hwdb.d usr/lib/udev/hwdb.bin usr/lib/systemd/catalog var/lib/systemd/catalog
        # Weights and families that the interface does not ask for (Sources/Drawing/FontSet.swift names them).
        find usr/share/fonts -type f ! \( -name 'NotoSans-Regular.*' -o -name 'NotoSans-Bold.*' -o -name 'NotoSansArabic-Regular.*' -o -name 'NotoSansArabic-Bold.*' \
            -o -name 'NotoSansHebrew-Regular.*' -o -name 'NotoSansHebrew-Bold.*' -o -name 'NotoSansThai-Regular.*' -o -name 'NotoSansThai-Bold.*' \
            -o -name 'NotoSansDevanagari-Regular.*' -o -name 'NotoSansDevanagari-Bold.*' -o -name 'NotoSansCJK-Regular.*' -o -name 'NotoSansCJK-Bold.*' \
            -o -name 'NotoSansMath-Regular.*' -o -name 'NotoSansSymbols*-Regular.*' \) -delete
        # What would be made at every boot in folders that are read-only here.
        rm -f usr/lib/tmpfiles.d/{credstore,debian,etc,home,provision,legacy,x11,systemd-nologin}.conf
        # Programs that would raise somebody's rights: nobody logs in, so nobody needs them.
        find . -xdev -type f -perm /6000 -exec chmod u-s,g-s {} +
        find . -xdev -depth -type d -empty -path './usr/share/*' -delete
    )
}
