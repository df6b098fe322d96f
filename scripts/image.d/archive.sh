# shellcheck shell=bash disable=SC2154 # common.sh and scripts/build-image set the variables
# The package archive: a private apt configuration for the image's suites, with this machine's mirror and proxy
# settings. Nothing is installed on this machine.

image_configure_apt() {
    local codename keyring=/usr/share/keyrings/debian-archive-keyring.gpg suite
    image_apt="$image_cache/apt"
    # shellcheck source=/dev/null
    codename="$(source /etc/os-release && echo "${VERSION_CODENAME:-}")"
    # awk reads to the end: otherwise apt-get would fail on a closed pipe.
    image_mirror="$(apt-get indextargets --format "\$(REPO_URI) \$(RELEASE)" 'Created-By: Packages' 'Component: main' |
        awk -v release="$codename" '$2 == release && !found++ { print $1 }')"
    [ -n "$image_mirror" ] || image_fail "the apt sources of this machine have no Debian mirror for '$codename' with the component main; add one and run this again."
    image_signed=""
    [ -r "$keyring" ] && image_signed="[signed-by=$keyring] "
    mkdir -p "$image_apt/lists/partial" "$image_apt/cache/archives/partial" "$image_apt/empty"
    : >"$image_apt/status"
    for suite in "$image_suite" "$image_kernel_suite" "$image_swift_suite"; do
        image_source "$suite"
    done >"$image_apt/sources.list"
    # FFmpeg and RAUC are built from source.
    sed -n "s/^deb \(.* $image_suite main\).*/deb-src \1/p" "$image_apt/sources.list" >>"$image_apt/sources.list"
    image_apt_options=(
        -o "Dir::Etc::SourceList=$image_apt/sources.list" -o "Dir::Etc::SourceParts=$image_apt/empty"
        -o Dir::Etc::Preferences=/dev/null -o "Dir::Etc::PreferencesParts=$image_apt/empty"
        -o "Dir::State::Lists=$image_apt/lists" -o "Dir::State::status=$image_apt/status"
        -o "Dir::Cache=$image_apt/cache" -o "APT::Sandbox::User=$(id -un)" -o Acquire::Retries=3
        -o APT::Architecture=arm64 -o APT::Architectures::=arm64
    )
    # mmdebstrap starts from an empty configuration: pass it this machine's mirror settings.
    apt-config dump | grep -E '^Acquire::(https?::|Check-Valid-Until|Check-Date|Retries)' >"$image_apt/apt.conf" || true
    # Lists of the last hour are recent enough, if they are of the same sources.
    if [ -z "$(find "$image_apt/updated" -mmin -60 2>/dev/null)" ] || ! cmp -s "$image_apt/updated" "$image_apt/sources.list"; then
        image_again image_quietly apt-get "${image_apt_options[@]}" -o APT::Update::Error-Mode=any update ||
            image_fail "the package lists of $image_suite, $image_kernel_suite and $image_swift_suite could not be read from this machine's mirror (see above); check the network, and that the mirror carries these series."
        cp "$image_apt/sources.list" "$image_apt/updated"
    fi
}

# image_source SUITE: its line of a sources.list.
image_source() {
    local components=main
    [ "$1" = "$image_swift_suite" ] || components="main non-free-firmware"
    printf 'deb %s%s %s %s\n' "$image_signed" "$image_mirror" "$1" "$components"
}

# image_bootstrap SUITE FOLDER OPTION...: mmdebstrap into a new folder.
image_bootstrap() {
    local suite="$1" folder="$2"
    shift 2
    rm -rf "$folder" &&
        image_quietly env TMPDIR="$image_cache" nice -n 15 mmdebstrap --aptopt="$image_apt/apt.conf" "$@" "$suite" "$folder" "$(image_source "$suite")"
}

# image_unpack SUITE ARCHITECTURE FOLDER PACKAGES [OPTION...]: packages and all their dependencies, unpacked and not configured:
# nothing in them is executed, so the architecture does not matter.
image_unpack() {
    local suite="$1" architecture="$2" folder="$3" packages="$4"
    shift 4
    mkdir -p "$(dirname "$folder")"
    image_again image_bootstrap "$suite" "$folder" --arch="$architecture" --variant=extract --include="$packages" "$@" ||
        image_fail "the packages $packages of $suite could not be unpacked for $architecture (see above)."
    # Debian's links of the merged /usr, which configuring base-files would create.
    local link
    for link in bin sbin lib; do
        [ -e "$folder/$link" ] || ln -s "usr/$link" "$folder/$link"
    done
}

# image_record FOLDER SUITE DEB...: what the packages are and which files they have, for the bill of materials.
image_record() {
    "$image_project/scripts/image.d/record-packages" "$@" || image_fail "the packages of $2 could not be recorded for the bill of materials (see above); scripts/setup image installs what that needs."
}

# image_unpack_recorded SUITE ARCHITECTURE FOLDER PACKAGES: image_unpack, with the records of all packages in FOLDER.packages.
image_unpack_recorded() {
    rm -rf "$3.packages"
    image_unpack "$@" --extract-hook="exec '$image_project/scripts/image.d/record-packages' '$3.packages' $1 \"\$1\"/var/cache/apt/archives/*.deb"
}

# image_download SUITE FOLDER PACKAGE...: packages for arm64 as files, without their dependencies.
image_download() {
    local suite="$1" folder="$2" package packages=()
    shift 2
    mkdir -p "$folder"
    for package in "$@"; do
        case "$package" in
            *=*) packages+=("$package") ;;
            *) packages+=("$package/$suite") ;;
        esac
    done
    (cd "$folder" && image_again image_quietly apt-get "${image_apt_options[@]}" download "${packages[@]}") ||
        image_fail "the packages $* of $suite could not be downloaded (see above); try again when the mirror is complete."
}

# image_source_version SOURCE: the version of a source package of image_suite.
image_source_version() {
    local record version
    record="$(apt-cache "${image_apt_options[@]}" showsrc --only-source "$1" 2>/dev/null || true)"
    version="$(awk '/^Version:/ { print $2; exit }' <<<"$record")"
    [ -n "$version" ] || image_fail "$image_suite has no source package $1; check that the mirror carries sources."
    echo "$version"
}

# image_unpack_source SOURCE VERSION FOLDER: a source package with Debian's patches, into a new folder.
image_unpack_source() {
    local source="$image_work/source-$1"
    mkdir -p "$source"
    (cd "$source" && image_again image_quietly apt-get "${image_apt_options[@]}" source --download-only "$1=$2" &&
        image_quietly dpkg-source --no-check -x ./*.dsc unpacked) ||
        image_fail "the source of $1 $2 could not be fetched and unpacked (see above)."
    rm -rf "$3"
    mkdir -p "$3"
    cp -a "$source/unpacked/." "$3/"
    rm -rf "$source"
}
