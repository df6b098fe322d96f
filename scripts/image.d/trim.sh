# shellcheck shell=bash # sourced by scripts/build-image
# Removes files of the packages that the box never reads.

image_trim() {
    local root="$1"
    (
        cd "$root" || exit 1
        rm -rf usr/share/{doc,man,info,lintian,locale,bash-completion,zsh,bug,linda,menu,pixmaps,i18n,perl5,polkit-1,common-licenses.d,mime,libmysofa,fish,pam,pam-configs,doc-base,gettext,gcc,X11,base-files}
        rm -rf usr/share/{gdb,initramfs-tools,debconf,debianutils,dpkg,keyrings,apparmor,factory,readline,tabset,systemd/kbd-model-map}
        rm -rf usr/lib/{apt,dpkg,python3,python3.*,valgrind,locale,tmpfiles.d/legacy.conf} usr/include usr/games usr/src
        rm -rf usr/lib/aarch64-linux-gnu/{perl,perl-base,perl5,pkgconfig,cmake} usr/lib/aarch64-linux-gnu/*.a
        # Captions, guides and lists come in the encodings of all countries, not in those of mainframes.
        rm -f usr/lib/aarch64-linux-gnu/gconv/{EBCDIC*,IBM[0-7]*,IBM9*}.so
        rm -rf var/cache var/lib/{apt,dpkg,pam} var/log usr/bin/perl* usr/share/zoneinfo/{right,posix} boot
        # Mesa behind GBM: no board here has a GPU that the player would ask, and its compiler alone is 120 MB. libgbm stays, since the
        # player is linked with it; without a back end it opens nothing and the player takes dumb buffers.
        rm -rf usr/lib/aarch64-linux-gnu/{dri,gbm,libgallium*,libLLVM*,libz3*}
        # The hardware database is for keyboards and mice; the box does not need it.
        rm -rf usr/lib/udev/hwdb.d usr/lib/udev/hwdb.bin usr/lib/systemd/catalog var/lib/systemd/catalog
        # Weights and families that the interface does not use (Sources/Drawing/FontSet.swift lists the used ones).
        find usr/share/fonts -type f ! \( -name 'NotoSans-Regular.*' -o -name 'NotoSans-Bold.*' -o -name 'NotoSansArabic-Regular.*' -o -name 'NotoSansArabic-Bold.*' \
            -o -name 'NotoSansHebrew-Regular.*' -o -name 'NotoSansHebrew-Bold.*' -o -name 'NotoSansThai-Regular.*' -o -name 'NotoSansThai-Bold.*' \
            -o -name 'NotoSansDevanagari-Regular.*' -o -name 'NotoSansDevanagari-Bold.*' -o -name 'NotoSansCJK-Regular.*' -o -name 'NotoSansCJK-Bold.*' \
            -o -name 'NotoSansMath-Regular.*' -o -name 'NotoSansSymbols*-Regular.*' \) -delete
        # Generators run before the first unit and find nothing here: the initramfs has mounted everything, and there is no console to log in on.
        rm -rf usr/lib/systemd/{system-generators,user-generators,user-environment-generators,user,user-preset,system-preset}
        # Rules for workstations. Kept: names, permissions, classes of input devices, drivers, sound cards.
        find usr/lib/udev/rules.d -type f ! \( -name '50-udev-default.rules' -o -name '50-firmware.rules' -o -name '60-input-id.rules' -o -name '60-drm.rules' \
            -o -name '75-net-description.rules' -o -name '78-sound-card.rules' -o -name '80-drivers.rules' -o -name '80-net-setup-link.rules' -o -name '99-systemd.rules' \) -delete
        # Unused programs: there is no console, no package manager and no hibernation.
        rm -f usr/bin/{su,debconf*,deb-systemd-*,systemd-hwdb,systemd-firstboot,localedef,kernel-install,bashbug,openssl,c_rehash,update-mime-database,dbus-run-session,pldd,tzselect,zdump}
        rm -f usr/sbin/{agetty,getty,sulogin,dpkg-*,invoke-rc.d,service,update-*,pam*,unix_*,faillock,mkhomedir_helper,pwhistory_helper,runuser,iconvconfig,zic,installkernel,add-shell,remove-shell}
        rm -f usr/lib/systemd/systemd-{backlight,battery-check,bsod,hibernate-resume,hostnamed,localed,logind,measure,network-generator,pcrextend,pcrlock,quotacheck,sleep,ssh-proxy,storagetm,sysv-install,tpm2-setup,update-done,sulogin-shell,user-sessions,xdg-autostart-condition}
        rm -f usr/lib/systemd/system/{sys-fs-fuse-connections.mount,modprobe@.service,systemd-networkd-persistent-storage.service,systemd-udev-load-credentials.service}
        rm -rf etc/{cron.d,init.d,rc?.d,X11,vulkan,pam.d,pam.conf,skel,update-motd.d,dpkg,apt,debconf.conf,bash.bashrc,profile.d,sensors*,e2scrub.conf,fstab,kernel,default,credstore*}
        # Rules for temporary files: the initramfs and the units create the few folders that are needed.
        rm -rf usr/lib/tmpfiles.d
        # Programs that raise privileges; there are no logins.
        find . -xdev -type f -perm /6000 -exec chmod u-s,g-s {} +
        find . -xdev -depth -type d -empty -path './usr/share/*' -delete
    )
}
