#!/bin/sh
# Makes the archive of a release for this machine: programs, runtime, manual pages, completions, and its checksum.
#
#   sh tools/release.sh [FOLDER]     to FOLDER, or target/release-archives
#
# rulec-VERSION-TARGET.tar.gz has
#   bin/                 rulec, rulec-robot
#   share/rulec/         the sources at this commit, which compiled games are built on; games to try
#   share/man/man1/      a page for each command
#   share/bash-completion/completions, share/zsh/site-functions, share/fish/vendor_completions.d
#
# Unpacked anywhere, its bin/rulec finds share/rulec by itself. RULEC_PROFILE=dev takes a debug build, for a try.
set -eu
cd "$(dirname "$0")/.."

out=${1:-target/release-archives}
profile=${RULEC_PROFILE:-release}
target=${CARGO_TARGET_DIR:-target}
case $profile in
    dev) built=$target/debug ;;
    *) built=$target/$profile ;;
esac

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
host=$(rustc -vV | sed -n 's/^host: //p')
name=rulec-$version-$host

cargo build --profile "$profile" --locked -p rulec -p rulec-robot-cli

mkdir -p "$out"
scratch=$(mktemp -d "$out/.making.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
root=$scratch/$name
mkdir -p "$root/bin" "$root/share/rulec" "$root/share/bash-completion/completions" \
    "$root/share/zsh/site-functions" "$root/share/fish/vendor_completions.d"

cp "$built/rulec" "$built/rulec-robot" "$root/bin/"
git archive HEAD | tar -x -C "$root/share/rulec"
cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$root/"

rulec=$root/bin/rulec
"$rulec" man "$root/share/man/man1" >/dev/null
"$rulec" completions bash >"$root/share/bash-completion/completions/rulec"
"$rulec" completions zsh >"$root/share/zsh/site-functions/_rulec"
"$rulec" completions fish >"$root/share/fish/vendor_completions.d/rulec.fish"

# The same commit gives the same archive: dates of the commit, sorted, without owners.
date=$(git log -1 --format=%ct)
tar -C "$scratch" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$date" -cf - "$name" | gzip -n >"$scratch/$name.tar.gz"
mv "$scratch/$name.tar.gz" "$out/$name.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
echo "$out/$name.tar.gz"
