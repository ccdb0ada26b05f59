# shellcheck shell=bash
# Builds the Debian package for another architecture, and runs programs for it. This file is sourced by contrib/package, after
# say.sh and packages.sh, in the root folder of the repository.

# The release on which Raspberry Pi OS is based, and the oldest one with a Swift compiler.
cross_release=trixie
# The user who builds in the system, and who has no privileges there.
cross_user=builder

# Builds the package for the architecture `$1` from the source package in $place, and copies it there.
build_for() {
  local architecture=$1 cross=$PWD/.build/cross/$1 folder=/home/$cross_user/segue
  local log=$place/build.log source=$place/segue_$version-1.dsc system=$cross/system inputs
  ((EUID == 0)) || fail "contrib/package --architecture $architecture needs root, because it makes a system of Debian 13"
  grep -qx 'ID=debian' /etc/os-release || fail "the archives of this machine are not those of Debian"
  # A user's PATH lacks the folders of chroot(8) and others.
  PATH=$PATH:/usr/sbin:/sbin
  require "mmdebstrap mmdebstrap"
  mkdir -p "$cross"
  (cd "$place/segue-$version" && dpkg-source --build .) >"$log" 2>&1 || fail "the source package cannot be built" "See $log"
  inputs=$(cat contrib/debian/control contrib/lib/make-swift-sdk contrib/lib/cross-build.sh | sha256sum)
  if [[ ! -d $system || $(cat "$cross/inputs" 2>/dev/null) != "$inputs" ]]; then
    step "Making a system of Debian 13 with its compiler and the libraries for $architecture (1.5 GB to download)"
    make_cross_system "$architecture" "$system" "$source" || fail "the system cannot be made" "See $system.log"
    echo "$inputs" >"$cross/inputs"
  fi
  emulate "$system"
  step "Building the package for $architecture (this takes some minutes)"
  rm -rf "${system:?}$folder"
  mkdir -p "$system$folder"
  cp "$place"/segue_* "$system$folder"
  chroot "$system" sh -c "cd $folder && dpkg-source --extract ${source##*/} segue-$version && chown -R $cross_user: ." \
    >>"$log" 2>&1 ||
    fail "the source package cannot be extracted" "See $log"
  contrib/lib/enter "$system" '' '' "$cross_user" "$folder/segue-$version" \
    env SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" \
    dpkg-buildpackage --host-arch="$architecture" --build-profiles=cross,nocheck --build=binary --no-sign >>"$log" 2>&1 ||
    { tail -n 20 "$log" >&2 && fail "the build failed" "See $log"; }
  cp "$system$folder"/segue*_"$architecture".* "$place"
  rm -rf "${system:?}$folder"
}

# Makes a system with the compiler, QEMU, and everything that debian/control requires for the architecture `$1`, at `$2`. The
# source package is in `$3`.
make_cross_system() {
  local architecture=$1 system=$2 source=$3
  rm -rf "$system" "$system.new"
  archives_of "$cross_release" | mmdebstrap --variant=buildd --architectures="$own_architecture,$architecture" \
    --include="crossbuild-essential-$architecture,swiftlang,git,qemu-user" \
    --aptopt='Acquire::Check-Valid-Until "false"' \
    --customize-hook="copy-in contrib/lib/make-swift-sdk ${source#"$PWD/"} /root" \
    --customize-hook="chroot \"\$1\" sh -c 'cd /root && apt-get -y -q --no-install-recommends --host-architecture=$architecture \
      --build-profiles=cross,nocheck build-dep ./${source##*/}'" \
    --customize-hook="chroot \"\$1\" /root/make-swift-sdk $architecture /usr/local/lib/swift-sdks" \
    --customize-hook="chroot \"\$1\" useradd --create-home --shell /bin/bash $cross_user" \
    '' "$system.new" - >"$system.log" 2>&1 && mv "$system.new" "$system"
}

# The kernel's list of interpreters for foreign programs.
interpreters=/proc/sys/fs/binfmt_misc

# Until this script ends, lets the kernel run programs for arm64 with the QEMU of the system `$1`, which is newer than that of
# Debian 12: that one lacks a system call of terminals.
emulate() {
  local entry has_mounted='' name=segue-arm64-$$
  if [[ ! -e $interpreters/register ]]; then
    mount -t binfmt_misc binfmt_misc "$interpreters" || fail "the kernel cannot run programs for other processors"
    has_mounted=1
  fi
  # shellcheck disable=SC2064 # The name is expanded now.
  trap "end_emulation $name $has_mounted" EXIT
  # A script that was killed leaves its entry.
  for entry in "$interpreters"/segue-arm64-*; do
    [[ ! -e $entry || -d /proc/${entry##*-} ]] || echo -1 >"$entry"
  done
  # The first bytes of such a program, and which of their bits count, as elf(5) has them. F: the kernel opens QEMU now, so that
  # it is there inside other systems.
  printf '%s' ":$name:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:" \
    '\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff' \
    ":$1/usr/bin/qemu-aarch64:F" >"$interpreters/register" ||
    fail "the kernel does not accept QEMU as its interpreter of programs for arm64"
}

# Removes the entry `$1`, and unmounts the list if there is a second argument.
end_emulation() {
  [[ ! -e $interpreters/$1 ]] || echo -1 >"$interpreters/$1"
  (($# < 2)) || umount "$interpreters"
}
