"""Archives of packages that a check makes and shows on loopback: signed as Debian signs its own, and read by the functions and the apt of scripts/build-image."""

import pathlib
import subprocess

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
ARCHITECTURES = ("arm64", "amd64")
COMPONENTS = ("main", "non-free-firmware")


class CheckFailed(Exception):
    """A failure, in one sentence."""


def run(*command, **options):
    """The standard output of a command that must succeed within ten minutes."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=600, **options)
    if done.returncode != 0:
        raise CheckFailed(f"{command[0]} ended with {done.returncode}: {(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


class Signer:
    """A key that signs the lists of archives."""

    def __init__(self, folder):
        self.folder = folder
        keys = folder / "keys"
        keys.mkdir(mode=0o700)
        self.gpg = ["gpg", "--homedir", keys, "--batch", "--quiet"]
        run(*self.gpg, "--passphrase", "", "--quick-generate-key", "archive@example.test", "ed25519", "sign", "never")

    def export(self, file):
        """Writes the public key."""
        run(*self.gpg, "--output", file, "--export")

    def release(self, dists, fields):
        """Writes the signed list of the lists in the folder of a suite, in place of an older one."""
        options = [word for field, value in (fields | {"Architectures": " ".join(ARCHITECTURES), "Components": " ".join(COMPONENTS)}).items()
                   for word in ("-o", f"APT::FTPArchive::Release::{field}={value}")]
        for old in ("Release", "InRelease"):
            (dists / old).unlink(missing_ok=True)
        text = self.folder / "Release"
        text.write_text(run("apt-ftparchive", *options, "release", dists))
        run(*self.gpg, "--clearsign", "--output", dists / "InRelease", text)


def own_packages(root, pool, architecture):
    """What a list says of the packages in a pool of an archive."""
    return run("dpkg-scanpackages", "--multiversion", "--arch", architecture, pool, cwd=root)


def image_shell(words, board):
    """A script with the functions of scripts/image.d that read archives, and the apt of images."""
    return f"""set -euo pipefail
        image_project='{PROJECT}' image_board={board} image_variant=
        . scripts/image.d/common.sh
        . scripts/image.d/archive.sh
        mkdir -p "$image_cache"
        image_work="$(mktemp -d "$image_cache/work.XXXXXX")"
        trap 'rm -rf "$image_work"' EXIT
        {words}"""
