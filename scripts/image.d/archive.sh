# shellcheck shell=bash disable=SC2154 # common.sh and scripts/build-image set the variables
# The package archive: a private apt configuration for the image's suites, with this machine's mirror and proxy
# settings. Nothing is installed on this machine.

image_configure_apt() {
    local suite
    image_apt="$image_cache/apt"
    image_find_mirrors
    mkdir -p "$image_apt/lists/partial" "$image_apt/cache/archives/partial" "$image_apt/cache-amd64/archives/partial" "$image_apt/empty"
    : >"$image_apt/status"
    for suite in "$image_suite" "$image_kernel_suite" "$image_swift_suite"; do
        image_sources "$suite"
    done >"$image_apt/sources.list"
    # FFmpeg and RAUC are built from source.
    image_sources "$image_suite" | sed 's/^deb /deb-src /; s/ main .*/ main/' >>"$image_apt/sources.list"
    # Without this, a package that the series has would come from sid. Of the three suites of the series, the highest version.
    printf 'Package: *\nPin: release n=%s\nPin-Priority: 990\n\n' "$image_suite" "$image_updates_suite" "$image_security_suite" >"$image_apt/preferences"
    printf 'Package: *\nPin: release n=%s\nPin-Priority: 100\n\n' "$image_kernel_suite" "$image_swift_suite" >>"$image_apt/preferences"
    image_apt_options=(
        -o "Dir::Etc::SourceList=$image_apt/sources.list" -o "Dir::Etc::SourceParts=$image_apt/empty"
        -o "Dir::Etc::Preferences=$image_apt/preferences" -o "Dir::Etc::PreferencesParts=$image_apt/empty"
        -o "Dir::State::Lists=$image_apt/lists" -o "Dir::State::status=$image_apt/status"
        -o "Dir::Cache=$image_apt/cache" -o "APT::Sandbox::User=$(id -un)" -o Acquire::Retries=3
        -o APT::Architecture=arm64 -o APT::Architectures::=arm64
    )
    # mmdebstrap starts from an empty configuration: pass it this machine's mirror settings.
    apt-config dump | grep -E '^Acquire::(https?::|Check-Valid-Until|Check-Date|Retries)' >"$image_apt/apt.conf" || true
    if [ -n "${MARQUEE_SNAPSHOT:-}" ]; then
        # The lists of a date in the past are no longer valid, and that is the point.
        image_apt_options+=(-o Acquire::Check-Valid-Until=false)
        echo 'Acquire::Check-Valid-Until "false";' >>"$image_apt/apt.conf"
    fi
    # Lists of the last hour are recent enough, if they are of the same sources.
    if [ -z "$(find "$image_apt/updated" -mmin -60 2>/dev/null)" ] || ! cmp -s "$image_apt/updated" "$image_apt/sources.list"; then
        rm -f "$image_apt/updated"
        image_again image_quietly apt-get "${image_apt_options[@]}" -o APT::Architectures::=amd64 -o APT::Update::Error-Mode=any update ||
            image_fail "the package lists of $image_suite with $image_updates_suite and $image_security_suite, of $image_kernel_suite and of $image_swift_suite could not be read (see above); check the network, and that $image_mirror and $image_security_mirror carry these series."
        cp "$image_apt/sources.list" "$image_apt/updated"
    fi
}

# Sets image_mirror and image_security_mirror: those of MARQUEE_MIRROR and MARQUEE_SECURITY_MIRROR, otherwise of this machine's apt, or, with MARQUEE_SNAPSHOT,
# the state of that date in an archive of snapshots (MARQUEE_SNAPSHOT_ARCHIVE; the layout is that of snapshot.debian.org). And image_signed, the keys of both.
image_find_mirrors() {
    local codename keyring="${MARQUEE_ARCHIVE_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}" archive date
    # shellcheck source=/dev/null
    codename="$(source /etc/os-release && echo "${VERSION_CODENAME:-}")"
    if [ -n "${MARQUEE_SNAPSHOT:-}" ]; then
        date="$(image_snapshot_date "$MARQUEE_SNAPSHOT")"
        archive="${MARQUEE_SNAPSHOT_ARCHIVE:-https://snapshot.debian.org/archive}"
        image_mirror="${archive%/}/debian/$date/"
        image_security_mirror="${archive%/}/debian-security/$date/"
    else
        image_mirror="${MARQUEE_MIRROR:-$(image_machine_mirror "$codename")}"
        [ -n "$image_mirror" ] || image_fail "the apt sources of this machine have no Debian mirror for '$codename' with the component main; add one, or name one with MARQUEE_MIRROR, and run this again."
        image_security_mirror="${MARQUEE_SECURITY_MIRROR:-$(image_machine_mirror "$codename-security")}"
        [ -n "$image_security_mirror" ] || image_fail "the apt sources of this machine have no archive of security updates ('$codename-security'); add one, or name one with MARQUEE_SECURITY_MIRROR, and run this again."
    fi
    image_signed=""
    [ -z "${MARQUEE_ARCHIVE_KEYRING:-}" ] || [ -r "$keyring" ] || image_fail "MARQUEE_ARCHIVE_KEYRING names $keyring, which cannot be read."
    [ ! -r "$keyring" ] || image_signed="[signed-by=$keyring] "
}

# image_snapshot_date TEXT: as archives of snapshots write it. A day is its beginning.
image_snapshot_date() {
    case "$1" in
        [0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]) echo "$1T000000Z" ;;
        [0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]T[0-9][0-9][0-9][0-9][0-9][0-9]Z) echo "$1" ;;
        *) image_fail "MARQUEE_SNAPSHOT is '$1', which is no date of the form YYYYMMDD or YYYYMMDDTHHMMSSZ." ;;
    esac
}

# image_machine_mirror RELEASE: where this machine's apt has it from; nothing if it has it not.
image_machine_mirror() {
    # awk reads to the end: otherwise apt-get would fail on a closed pipe.
    apt-get indextargets --format "\$(REPO_URI) \$(RELEASE)" 'Created-By: Packages' 'Component: main' |
        awk -v release="$1" '$2 == release && !found++ { print $1 }'
}

# image_sources SUITE: its lines of a sources.list; of the box's series with its updates and security updates.
image_sources() {
    local components=main
    [ "$1" = "$image_swift_suite" ] || components="main non-free-firmware"
    printf 'deb %s%s %s %s\n' "$image_signed" "$image_mirror" "$1" "$components"
    [ "$1" = "$image_suite" ] || return 0
    printf 'deb %s%s %s %s\n' "$image_signed" "$image_mirror" "$image_updates_suite" "$components"
    printf 'deb %s%s %s %s\n' "$image_signed" "$image_security_mirror" "$image_security_suite" "$components"
}

# image_bootstrap SUITE FOLDER OPTION...: mmdebstrap into a new folder.
image_bootstrap() {
    local suite="$1" folder="$2" sources
    shift 2
    mapfile -t sources < <(image_sources "$suite")
    rm -rf "$folder" &&
        image_quietly env TMPDIR="$image_cache" nice -n 15 mmdebstrap --aptopt="$image_apt/apt.conf" "$@" "$suite" "$folder" "${sources[@]}"
}

# image_package_set SUITE ARCHITECTURE PACKAGES [download]: one word that changes with each version that image_unpack would unpack now, dependencies included,
# or with `download` only those of the packages themselves. It names what is cached of them: a fix that Debian has published is in the next build.
image_package_set() {
    local suite="$1" architecture="$2" packages command=(install --yes --no-install-recommends) query set
    mapfile -t packages < <(tr -s ', ' '\n' <<<"$3" | sed '/^$/d')
    if [ "${4:-}" = download ]; then command=(download); fi
    image_set_query "$suite" "$architecture"
    set="$(apt-get "${query[@]}" --print-uris "${command[@]}" "${packages[@]}" 2>"$image_work/output" | awk '/^\x27/ { print $2, $4 }' | LC_ALL=C sort)" && [ -n "$set" ] || {
        cat "$image_work/output" >&2
        image_fail "the packages ${packages[*]} of $suite for $architecture fit no set of versions (see above)."
    }
    sha256sum <<<"$set" | cut -c1-16
}

# image_set_query SUITE ARCHITECTURE: sets `query` to the options with which apt chooses from a suite. The lists have arm64, the box's, and amd64, that of the tools.
image_set_query() {
    query=("${image_apt_options[@]}")
    [ "$2" = arm64 ] || query+=(-o "APT::Architecture=$2" -o "APT::Architectures=$2" -o "Dir::Cache=$image_apt/cache-$2")
    [ "$1" = "$image_suite" ] || query+=(-t "$1")
}

# image_version_of SUITE ARCHITECTURE PACKAGE: the version that would be unpacked now.
image_version_of() {
    local version query
    image_set_query "$1" "$2"
    version="$(apt-cache "${query[@]}" policy "$3" | awk '$1 == "Candidate:" { print $2 }')"
    case "$version" in "" | "(none)") image_fail "$1 has no package $3 for $2." ;; esac
    echo "$version"
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
    local suite="$1" folder="$2" package version packages=()
    shift 2
    mkdir -p "$folder"
    for package in "$@"; do
        case "$package" in
            *=*) packages+=("$package") ;;
            *)
                version="$(image_version_of "$suite" arm64 "$package")"
                packages+=("$package=$version") ;;
        esac
    done
    (cd "$folder" && image_again image_quietly apt-get "${image_apt_options[@]}" download "${packages[@]}") ||
        image_fail "the packages $* of $suite could not be downloaded (see above); try again when the mirror is complete."
}

# image_source_version SOURCE: the newest version of a source package of image_suite, with its updates and security updates.
image_source_version() {
    local record version="" one
    record="$(apt-cache "${image_apt_options[@]}" showsrc --only-source "$1" 2>/dev/null || true)"
    while read -r one; do
        if [ -z "$version" ] || dpkg --compare-versions "$one" gt "$version"; then version="$one"; fi
    done < <(awk '/^Version:/ { print $2 }' <<<"$record")
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
