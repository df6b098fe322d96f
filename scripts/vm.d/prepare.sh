# shellcheck shell=bash disable=SC2154 # vm_support and vm_cache are set by scripts/vm and common.sh
# Fills the cache: Debian's newest kernel of the pinned series, its modules, vkms built for it, an initramfs.
# Nothing is installed on this machine; packages are unpacked and the build chroot is deleted after use.

# The series is pinned, never a version: the archive keeps only the newest ones.
vm_suite=trixie
vm_kernel_suite=trixie-backports

# Modules the initramfs needs before it can see the host's file system, and those of the devices under test with
# their parameters. Carried unpacked in the initramfs: finding and unpacking them over 9p takes seconds when emulated.
vm_file_modules=(9pnet_virtio 9p overlay)
vm_device_modules=(configfs evdev uinput snd-aloop vkms)
vm_vkms_parameters="enable_overlay=1 enable_writeback=1"

# Everything that decides what the cache holds. Another fingerprint is another cache folder.
vm_fingerprint() {
    cat "$vm_support/prepare.sh" "$vm_support/build-vkms" "$vm_support/initramfs-init" | sha256sum | cut -c1-16
}

vm_step_count=6
vm_step() {
    vm_step_number=$((vm_step_number + 1))
    printf 'test machine: step %d of %d, %3d s: %s\n' "$vm_step_number" "$vm_step_count" "$((SECONDS - vm_step_start))" "$1" >&2
}

# Runs a command silently; its output is shown only if it fails.
vm_quietly() {
    "$@" >"$vm_work/output" 2>&1 || {
        tail -n 40 "$vm_work/output" >&2
        return 1
    }
}

# vm_prepare [quiet|refresh]: sets vm_kernel to the folder with vmlinuz, initramfs, lib/modules and release.
vm_prepare() {
    local how="${1:-}"
    vm_kernel="$vm_cache/$(vm_fingerprint)"
    mkdir -p "$vm_cache"
    exec {vm_lock}>"$vm_cache/lock"
    if ! flock -n "$vm_lock"; then
        echo "test machine: waiting for another preparation to end" >&2
        flock "$vm_lock"
    fi
    if [ "$how" = refresh ] || [ ! -e "$vm_kernel/release" ]; then
        vm_build
    elif [ -z "$how" ]; then
        echo "test machine: the cache is ready, kernel $(<"$vm_kernel/release")" >&2
    fi
    # A run holds its kernel folder open for reading, so that no later preparation deletes it underneath.
    exec {vm_kernel_lock}<"$vm_kernel/release"
    flock -s "$vm_kernel_lock"
    exec {vm_lock}>&-
}

vm_build() {
    vm_step_number=0
    vm_step_start=$SECONDS
    vm_require apt-get apt-cache dpkg-deb mmdebstrap busybox cpio xz depmod modprobe flock sha256sum
    [ "$(dpkg --print-architecture)" = amd64 ] || vm_fail "the test machine is made for amd64 and this is $(dpkg --print-architecture); run it on an amd64 machine."
    rm -rf "$vm_cache"/work.*
    vm_work="$(mktemp -d "$vm_cache/work.XXXXXX")"
    trap 'rm -rf "$vm_work"' EXIT
    mkdir "$vm_work/kernel" "$vm_work/debs"

    vm_step "asking the package archive for the newest kernel of $vm_kernel_suite"
    vm_configure_apt
    vm_find_kernel

    vm_step "downloading kernel $vm_release"
    vm_download

    vm_step "unpacking the kernel and its modules"
    vm_unpack_kernel

    vm_step "unpacking the source of vkms"
    vm_unpack_vkms

    vm_step "building vkms in a $vm_suite chroot"
    vm_build_vkms

    vm_step "making the initramfs"
    vm_make_initramfs

    echo "$vm_release" >"$vm_work/kernel/release"
    chmod 755 "$vm_work/kernel"
    vm_delete_unused
    # Rebuilt on request: wait until no running machine uses the old one.
    [ ! -e "$vm_kernel/release" ] || flock "$vm_kernel/release" rm -rf "$vm_kernel"
    mv "$vm_work/kernel" "$vm_kernel"
    rm -rf "$vm_work"
    trap - EXIT
    printf 'test machine: ready after %d s, kernel %s, %s in %s\n' \
        "$((SECONDS - vm_step_start))" "$vm_release" "$(du -sh "$vm_kernel" | cut -f1)" "$vm_kernel" >&2
}

# A private apt configuration for the suites of the kernel, with this machine's mirror and proxy settings.
vm_configure_apt() {
    local codename mirror keyring signed=""
    # shellcheck source=/dev/null
    codename="$(source /etc/os-release && echo "${VERSION_CODENAME:-}")"
    # awk reads to the end: otherwise apt-get would fail on a closed pipe.
    mirror="$(apt-get indextargets --format "\$(REPO_URI) \$(RELEASE)" 'Created-By: Packages' 'Component: main' |
        awk -v release="$codename" '$2 == release && !found++ { print $1 }')"
    [ -n "$mirror" ] || vm_fail "the apt sources of this machine have no Debian mirror for '$codename' with the component main; add one and run this again."
    keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    [ -r "$keyring" ] && signed="[signed-by=$keyring] "
    printf 'deb %s%s %s main\n' "$signed" "$mirror" "$vm_suite" "$signed" "$mirror" "$vm_kernel_suite" >"$vm_work/sources.list"
    mkdir -p "$vm_work/apt/lists/partial" "$vm_work/apt/cache/archives/partial"
    : >"$vm_work/apt/status"
    vm_apt_options=(
        -o "Dir::Etc::SourceList=$vm_work/sources.list" -o Dir::Etc::SourceParts=-
        -o Dir::Etc::Preferences=- -o Dir::Etc::PreferencesParts=-
        -o "Dir::State::Lists=$vm_work/apt/lists" -o "Dir::State::status=$vm_work/apt/status"
        -o "Dir::Cache=$vm_work/apt/cache" -o "APT::Sandbox::User=$(id -un)" -o Acquire::Retries=3
    )
    # mmdebstrap starts from an empty configuration: pass it this machine's mirror settings.
    apt-config dump | grep -E '^Acquire::(https?::|Check-Valid-Until|Check-Date|Retries)' >"$vm_work/apt.conf" || true
    vm_again vm_quietly apt-get "${vm_apt_options[@]}" -o APT::Update::Error-Mode=any update ||
        vm_fail "the package lists of $vm_kernel_suite could not be read from this machine's mirror $mirror (see above); check the network and that the mirror carries that suite."
}

# Sets vm_release (the output of uname -r) and vm_version (of the packages).
vm_find_kernel() {
    local record
    record="$(apt-cache "${vm_apt_options[@]}" show "linux-image-amd64/$vm_kernel_suite" 2>/dev/null || true)"
    vm_version="$(awk '/^Version:/ { print $2; exit }' <<<"$record")"
    vm_release="$(sed -nE '/^Depends:/ s/.*linux-image-([0-9][^ ,]*-amd64)[ ,(].*/\1/p' <<<"$record" | head -n 1)"
    if [ -z "$vm_version" ] || [ -z "$vm_release" ]; then
        vm_fail "$vm_kernel_suite has no linux-image-amd64 any more; set vm_suite and vm_kernel_suite in scripts/vm.d/prepare.sh to a newer Debian series."
    fi
    vm_source="linux-source-$(cut -d. -f1,2 <<<"$vm_release")"
}

vm_known() { [ -n "$(apt-cache "${vm_apt_options[@]}" madison "$1" 2>/dev/null)" ]; }

vm_download() {
    local package packages=("$vm_source=$vm_version")
    # How Debian cuts the kernel into packages has changed before: take those of the known ones that exist.
    for package in linux-base linux-binary linux-modules linux-image; do
        vm_known "$package-$vm_release" && packages+=("$package-$vm_release=$vm_version")
    done
    (cd "$vm_work/debs" && vm_again vm_quietly apt-get "${vm_apt_options[@]}" download "${packages[@]}") ||
        vm_fail "the packages ${packages[*]} could not be downloaded (see above); try again when the mirror is complete."
}

vm_unpack_kernel() {
    local deb vmlinuz
    for deb in "$vm_work"/debs/linux-{base,binary,modules,image}-*.deb; do
        [ -e "$deb" ] && dpkg-deb -x "$deb" "$vm_work/unpacked"
    done
    vm_modules="$vm_work/kernel/lib/modules/$vm_release"
    mkdir -p "${vm_modules%/*}"
    mv "$(find "$vm_work/unpacked" -type d -path "*/lib/modules/$vm_release" -print -quit)" "$vm_modules" ||
        vm_fail "the packages of kernel $vm_release hold no modules folder; its packaging has changed and scripts/vm.d/prepare.sh must follow."
    vmlinuz="$(find "$vm_modules" "$vm_work/unpacked" -name 'vmlinuz*' -type f -print -quit)"
    [ -n "$vmlinuz" ] || vm_fail "the packages of kernel $vm_release hold no vmlinuz; its packaging has changed and scripts/vm.d/prepare.sh must follow."
    mv "$vmlinuz" "$vm_work/kernel/vmlinuz"
    rm -rf "$vm_work/unpacked" "$vm_modules/build" "$vm_modules/source"
}

vm_unpack_vkms() {
    dpkg-deb --fsys-tarfile "$vm_work"/debs/linux-source-*.deb |
        tar -xO --wildcards './usr/src/linux-source-*.tar.xz' | xz -dc -T0 |
        tar -x -C "$vm_work" --strip-components=4 --wildcards '*/drivers/gpu/drm/vkms/*'
    [ -e "$vm_work/vkms/vkms_drv.c" ] || vm_fail "$vm_source holds no drivers/gpu/drm/vkms; the kernel has moved it and scripts/vm.d/prepare.sh must follow."
    rm -rf "$vm_work/debs"
}

# Only unpacked, not configured ("extract"): the compiler needs no more, and it takes seconds.
vm_build_vkms() {
    local include="linux-headers-$vm_release,gcc,libc6-dev,make,base-files,dash,coreutils,mawk,sed,grep,findutils"
    vm_again vm_quietly env TMPDIR="$vm_work" mmdebstrap --variant=extract --format=null --include="$include" \
        --aptopt="$vm_work/apt.conf" \
        --extract-hook="'$vm_support/build-vkms' \"\$1\" '$vm_work/vkms' '$vm_release'" \
        --extract-hook="copy-out /build/vkms/vkms.ko '$vm_work'" \
        "$vm_suite" /dev/null "$vm_work/sources.list" ||
        vm_fail "vkms could not be built against the headers of kernel $vm_release (see above)."
    mkdir -p "$vm_modules/extra"
    mv "$vm_work/vkms.ko" "$vm_modules/extra/vkms.ko"
    depmod -b "$vm_work/kernel" "$vm_release"
}

vm_make_initramfs() {
    local root="$vm_work/initramfs"
    mkdir -p "$root"/{bin,dev,proc,sys,modules,lower,volatile,new-root}
    cp "$(command -v busybox)" "$root/bin/busybox"
    cp "$vm_support/initramfs-init" "$root/init"
    chmod 755 "$root/init"
    vm_add_modules "$root/modules" files "${vm_file_modules[@]}"
    vm_add_modules "$root/modules" devices "${vm_device_modules[@]}"
    (cd "$root" && find . -print0 | cpio --null --quiet -o -H newc -R 0:0) >"$vm_work/kernel/initramfs"
}

# vm_add_modules FOLDER LIST MODULE...: unpacks the modules and what they depend on into FOLDER, and writes the file
# LIST there: "module.ko parameters" lines in the order of loading.
vm_add_modules() {
    local folder="$1" list="$1/$2" module file parameters
    shift 2
    for module in "$@"; do
        modprobe -C /dev/null -d "$vm_work/kernel" -S "$vm_release" --show-depends "$module" >>"$vm_work/depends" ||
            vm_fail "kernel $vm_release has no module $module, which the test machine needs; its packaging has changed and scripts/vm.d/prepare.sh must follow."
    done
    while read -r file; do
        module="$(basename "$file" .xz)"
        [ ! -e "$folder/$module" ] || continue
        case "$file" in
            *.xz) xz -dc "$file" >"$folder/$module" ;;
            *.ko) cp "$file" "$folder/$module" ;;
            *) vm_fail "the module $file is compressed in a way that scripts/vm.d/prepare.sh does not know." ;;
        esac
        parameters=""
        [ "$module" != vkms.ko ] || parameters=" $vm_vkms_parameters"
        echo "$module$parameters" >>"$list"
    done < <(awk '$1 == "insmod" { print $2 }' "$vm_work/depends")
}

# Removes the folders of other fingerprints, except those a running machine uses.
vm_delete_unused() {
    local folder
    for folder in "$vm_cache"/*/; do
        [ -e "$folder/release" ] && flock -n "$folder/release" rm -rf "$folder"
    done
    return 0
}
