# shellcheck shell=bash
# Builds the Debian package for another architecture, and runs programs for it. This file is sourced by contrib/package, after
# say.sh and packages.sh, in the root folder of the repository.

# Debian 13 is the release of the machines for which people build on others, and the oldest with a Swift compiler.
cross_release=trixie
# The user who builds in the system, and who has no privileges there.
cross_user=builder

# Builds the package for the architecture `$1` from the source package in $place, and copies it there.
build_for() {
  local architecture=$1 system=$PWD/.build/cross/$1/system folder=/home/$cross_user/segue
  local log=$place/build.log source=$place/segue_$version-1.dsc
  ((EUID == 0)) || fail "--architecture $architecture must be root to make a system of Debian 13"
  # A user's PATH lacks the folders of chroot(8) and others.
  PATH=$PATH:/usr/sbin:/sbin
  require "mmdebstrap mmdebstrap"
  (cd "$place/segue-$version" && dpkg-source --build .) >"$log" 2>&1 || fail "the source package cannot be built" "See $log"
  if [[ ! -d $system ]]; then
    step "Making a system of Debian 13 with its compiler and the libraries for $architecture (1.5 GB to download)"
    make_cross_system "$architecture" "$system" "$source" || fail "the system cannot be made" "See $system.log"
  fi
  emulate "$system"
  step "Building the package for $architecture (this takes some minutes)"
  rm -rf "$system$folder"
  mkdir -p "$system$folder"
  cp "$place"/segue_* "$system$folder"
  chroot "$system" sh -c "cd $folder && dpkg-source --extract ${source##*/} segue-$version && chown -R $cross_user: ." >>"$log" 2>&1
  unshare --mount --pid --ipc --uts --fork --kill-child contrib/lib/enter "$system" "" "" "$cross_user" "$folder/segue-$version" \
    env SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" \
    dpkg-buildpackage --host-arch="$architecture" --build-profiles=cross,nocheck --build=binary --no-sign >>"$log" 2>&1 ||
    { tail -n 20 "$log" >&2 && fail "the build failed" "See $log"; }
  cp "$system$folder"/segue*_"$architecture".* "$place"
  rm -rf "${system:?}$folder"
}

# Makes a system with the compiler, QEMU, and everything that debian/control requires for the architecture `$1`, at `$2`. The source
# package is in `$3`.
make_cross_system() {
  local architecture=$1 system=$2 source=$3
  mkdir -p "${system%/*}"
  rm -rf "$system.new"
  archives_of "$cross_release" | mmdebstrap --variant=buildd --architectures="$own_architecture,$architecture" \
    --include="crossbuild-essential-$architecture,swiftlang,git,qemu-user" \
    --aptopt='Acquire::Check-Valid-Until "false"' \
    --customize-hook="copy-in contrib/lib/make-swift-sdk $source /root" \
    --customize-hook="chroot \"\$1\" sh -c 'cd /root && apt-get -y -q --no-install-recommends --host-architecture=$architecture \
      --build-profiles=cross,nocheck build-dep ./${source##*/}'" \
    --customize-hook="chroot \"\$1\" /root/make-swift-sdk $architecture /usr/local/lib/swift-sdks" \
    --customize-hook="chroot \"\$1\" useradd --create-home --shell /bin/bash $cross_user" \
    '' "$system.new" - >"$system.log" 2>&1 && mv "$system.new" "$system"
}

# Until this script ends, lets the kernel run programs for arm64 with the QEMU of the system `$1`, which is newer than that of
# Debian 12: that one lacks a system call of terminals.
emulate() {
  local folder=/proc/sys/fs/binfmt_misc name=segue-arm64-$$
  [[ -e $folder/register ]] || mount -t binfmt_misc binfmt_misc "$folder" || fail "the kernel cannot run programs for other processors"
  # The first bytes of such a program, and which of their bits count, as elf(5) has them. F: the kernel opens QEMU now, so that it
  # is there inside other systems.
  printf '%s' ":$name:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:" \
    "\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:$1/usr/bin/qemu-aarch64:F" >$folder/register ||
    fail "the kernel does not accept QEMU as its interpreter of programs for arm64"
  # shellcheck disable=SC2064 # The name is expanded now.
  trap "echo -1 >$folder/$name" EXIT
}
