# shellcheck shell=bash disable=SC2034,SC2154 # used by the files that source it, which set chroot_name
# Chroots of other Debians on this machine: made from its own mirrors, entered in a namespace that ends with the command. Nothing is installed on the machine.
# Sourced by scripts/test-on, scripts/package and scripts/check-deb, in the project's folder.

chroot_cache="${MARQUEE_CACHE:-$HOME/.cache/marquee}/chroots"
chroot_suites=(bookworm trixie)

chroot_fail() {
    echo "scripts/${0##*/}: $*" >&2
    exit 1
}

chroot_step() { printf '%s: %4d s: %s\n' "${0##*/}" "$SECONDS" "$*" >&2; }

# shellcheck source=scripts/again.sh
. scripts/again.sh

# chroot_need: what every use of a chroot needs.
chroot_need() {
    [ "$(id -u)" -eq 0 ] || chroot_fail "a chroot needs root; run it with sudo."
    command -v mmdebstrap >/dev/null || chroot_fail "mmdebstrap is not installed; run scripts/setup all."
    chroot_work="$(mktemp -d)"
    trap 'rm -rf --one-file-system "$chroot_work"' EXIT
}

# chroot_sources SUITE: the lines of a sources.list: the suite, its updates and its security updates, from the mirrors of this machine's apt.
chroot_sources() {
    local codename archive security
    # shellcheck source=/dev/null
    codename="$(. /etc/os-release && echo "${VERSION_CODENAME:-}")"
    archive="${MARQUEE_MIRROR:-$(chroot_mirror "$codename")}"
    security="${MARQUEE_SECURITY_MIRROR:-$(chroot_mirror "$codename-security")}"
    [ -n "$archive" ] && [ -n "$security" ] || chroot_fail "the apt sources of this machine have no Debian mirror for '$codename' and '$codename-security' with the component main; add them, or name them with MARQUEE_MIRROR and MARQUEE_SECURITY_MIRROR."
    printf 'deb %s %s main\n' "$archive" "$1" "$archive" "$1-updates" "$security" "$1-security"
}

chroot_mirror() {
    apt-get indextargets --format "\$(REPO_URI) \$(RELEASE)" 'Created-By: Packages' 'Component: main' | awk -v release="$1" '$2 == release && !found++ { print $1 }'
}

# chroot_make SUITE FOLDER: a chroot with apt alone, or the one that is there, brought up to date.
chroot_make() {
    case " ${chroot_suites[*]} " in *" $1 "*) ;; *) chroot_fail "'$1' is no series that is known here: ${chroot_suites[*]}." ;; esac
    chroot_sources "$1" >"$chroot_work/sources.list"
    apt-config dump | grep -E '^Acquire::(https?::|Check-Valid-Until|Check-Date|Retries)' >"$chroot_work/apt.conf" || true
    if [ ! -e "$2/made" ]; then
        chroot_step "making a chroot of $1"
        rm -rf "$2"
        mkdir -p "$2"
        mmdebstrap --quiet --variant=apt --aptopt="$chroot_work/apt.conf" "$1" "$2" - <"$chroot_work/sources.list" >&2 || chroot_fail "a chroot of $1 could not be made (see above)."
        touch "$2/made"
    fi
    cp "$chroot_work/sources.list" "$2/etc/apt/sources.list"
    cp "$chroot_work/apt.conf" "$2/etc/apt/apt.conf.d/90machine"
    # No package starts a service here.
    printf '#!/bin/sh\nexit 101\n' >"$2/usr/sbin/policy-rc.d"
    chmod 755 "$2/usr/sbin/policy-rc.d"
}

# chroot_toolchain: the folder of this machine's Swift, which is bound into chroots.
chroot_toolchain() {
    local folder
    command -v swift >/dev/null || chroot_fail "Swift is not on the PATH; the chroot uses the toolchain of this machine."
    folder="$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")"
    [ "$folder" != /usr ] || chroot_fail "the Swift toolchain of this machine is in /usr, and cannot be given to the chroot without the rest of it; use one in a folder of its own."
    echo "$folder"
}

# chroot_run ROOT [--bind FOLDER]... [--set NAME=VALUE]... COMMAND...: with /proc, /dev, /sys and a /run of its own; each bound folder is at its own path, read-only.
# Of the environment only the proxies of this machine are in it.
chroot_run() {
    local root="$1" bound="$chroot_work/bound" variables=(HOME=/root USER=root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive) path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin name
    shift
    : >"$bound"
    while true; do
        case "$1" in
            --bind)
                echo "$2" >>"$bound"
                [ ! -x "$2/bin/swift" ] || path="$2/bin:$path" ;;
            --set) variables+=("$2") ;;
            *) break ;;
        esac
        shift 2
    done
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
        [ -z "${!name:-}" ] || variables+=("$name=${!name}")
    done
    # shellcheck disable=SC2016 # expanded in the namespace
    unshare --mount --pid --fork --kill-child --propagation=private bash -euc '
        root=$1 bound=$2
        shift 2
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount --rbind /sys "$root/sys"
        mount -t tmpfs tmpfs "$root/run"
        cp -L /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
        while read -r folder; do
            mkdir -p "$root$folder"
            mount --rbind "$folder" "$root$folder"
            mount -o remount,ro,bind "$root$folder"
        done <"$bound"
        exec chroot "$root" /usr/bin/env -i "$@"' bash "$root" "$bound" "${variables[@]}" "PATH=$path" "$@"
}

# chroot_install ROOT PACKAGE...: without what they recommend.
chroot_install() {
    local root="$1"
    shift
    again 3 30 chroot_step chroot_apt "$root" "$@" || chroot_fail "the packages $* could not be installed in the chroot (see above)."
}
chroot_apt() {
    local root="$1"
    shift
    { chroot_run "$root" apt-get update -qq && chroot_run "$root" apt-get -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 dist-upgrade &&
        chroot_run "$root" apt-get -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 install "$@"; } >"$chroot_work/apt.log" 2>&1 || { tail -n 20 "$chroot_work/apt.log" >&2; return 1; }
}

# chroot_copy_project ROOT: the project with its Swift packages in ROOT/srv/marquee, which then needs no network. Files with the same contents keep their times, so
# that only what has changed is compiled again.
chroot_copy_project() {
    local source="$1/srv/marquee"
    mkdir -p "$source"
    rsync -rlp --checksum --delete --exclude=/.build --exclude=/Examples/.build --exclude=/.git --exclude=/packages ./ "$source/"
    rm -f "$source/Package.resolved"
    (
        image_project="$PWD" image_work="$chroot_work" image_board="${0##*/}"
        # shellcheck source=scripts/image.d/common.sh
        . scripts/image.d/common.sh
        # shellcheck source=scripts/image.d/player.sh
        . scripts/image.d/player.sh
        mkdir -p "$image_cache"
        [ -f Package.resolved ] || image_again image_quietly swift package resolve || image_fail "the Swift packages could not be resolved (see above)."
        image_fetch_packages "$source"
    ) || exit 1
}
