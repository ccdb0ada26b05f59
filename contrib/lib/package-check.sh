# shellcheck shell=bash
# Whether a Debian package of Segue is well. Sourced, never run; wants say.sh and packages.sh, root, the repository as
# the current folder, and a kernel that lets it make namespaces.

# As small a system as there is, in which the package is installed, and then what a desktop has anyway.
make_system() {
  local package=$1 system=$2
  # shellcheck disable=SC2016 # The system's root folder is mmdebstrap's to say.
  archives | mmdebstrap --variant=minbase \
    --customize-hook="copy-in $package /tmp" \
    --customize-hook='chroot "$1" sh -c "
      set -e
      ! command -v swift
      cd /tmp
      apt-get install -y --no-install-recommends ./segue_*.deb
      # Before anything else comes that might bring a library the package forgot.
      segued --version
      segue --version
      ldd /usr/bin/segued /usr/libexec/segue/segue-worker > linked
      ! grep -iE \"not found|swift\" linked
      apt-get install -y --no-install-recommends systemd dbus-user-session pulseaudio
      useradd -m listener"' \
    --customize-hook='copy-in contrib/demo /srv' \
    --customize-hook='copy-in contrib/lib/package-listen /usr/local/bin' \
    '' "$system" - >"$system.log" 2>&1
}

# Removed, and nothing of it is left but what is the listener's.
purge() {
  local system=$1 left
  chroot "$system" dpkg --purge segue >>"$system.log" 2>&1 || return 1
  left=$(find "$system" -xdev -iname '*segue*' -not -path "$system/tmp/*" -not -path "$system/home/*")
  [[ -z $left ]] || { note "left behind:" "${left//"$system"/}" && return 1; }
  [[ -e $system/home/listener/.local/state/segue/segue.db ]]
}

check_package() {
  local package=$1 system=${1%/*}/system
  ((EUID == 0)) || fail "the check makes a clean Debian, and for that must be root" "The package is there: $package"
  # A user's PATH, which `sudo env PATH="$PATH"` keeps, lacks the folders of chroot(8) and others.
  PATH=$PATH:/usr/sbin:/sbin
  require "lintian lintian" "mmdebstrap mmdebstrap"
  step "lintian"
  lintian --allow-root --fail-on error,warning --display-info --suppress-tags spelling-error-in-binary \
    "${package%.deb}.changes" || fail "lintian has something to say"
  step "Making a clean system, and installing the package"
  make_system "$package" "$system" || fail "that went wrong" "All it said: $system.log"
  step "Starting it there, as systemd and the first client do"
  env -i PATH="$PATH" HOME=/home/listener USER=listener XDG_RUNTIME_DIR=/run/user/1000 LC_ALL=C.UTF-8 \
    timeout 120 contrib/lib/with-user-manager "$system" listener package-listen ||
    fail "it does not play" "The system is there to look at: $system"
  step "Removing it"
  purge "$system" || fail "it does not go as it came" "All it said: $system.log"
  rm -rf "$system" "$system.log"
}
