# shellcheck shell=bash
# Checks a Debian package of Segue. This file is sourced, after say.sh and packages.sh, as root, in the root folder of the
# repository. The kernel must allow namespaces.

# Makes a minimal system and installs the package, and after that the programs that every desktop has.
make_system() {
  local package=$1 system=$2
  # shellcheck disable=SC2016 # mmdebstrap passes the root folder of the system.
  archives | mmdebstrap --variant=minbase \
    --customize-hook="copy-in $package /tmp" \
    --customize-hook='chroot "$1" sh -c "
      set -e
      ! command -v swift
      cd /tmp
      apt-get install -y --no-install-recommends ./segue_*.deb
      # Missing dependencies of the package show before other packages bring the same libraries.
      segued --version
      segue --version
      segue-ui --version
      ldd /usr/bin/segued /usr/libexec/segue/segue-worker /usr/libexec/segue/segue-fetch > linked
      ! grep -iE \"not found|swift\" linked
      apt-get install -y --no-install-recommends systemd dbus-user-session pulseaudio
      useradd -m listener"' \
    --customize-hook='copy-in contrib/demo /srv' \
    --customize-hook='copy-in contrib/lib/package-listen /usr/local/bin' \
    '' "$system" - >"$system.log" 2>&1
}

# Purges the package; fails if files are left, except those of the user.
purge() {
  local system=$1 left
  chroot "$system" dpkg --purge segue >>"$system.log" 2>&1 || return 1
  left=$(find "$system" -xdev -iname '*segue*' -not -path "$system/tmp/*" -not -path "$system/home/*")
  [[ -z $left ]] || { note "left behind:" "${left//"$system"/}" && return 1; }
  [[ -e $system/home/listener/.local/state/segue/segue.db ]]
}

check_package() {
  local package=$1 system=${1%/*}/system
  ((EUID == 0)) || fail "--check must be root to make a clean Debian" "The package has been built: $package"
  # A user's PATH, which `sudo env PATH="$PATH"` keeps, lacks the folders of chroot(8) and others.
  PATH=$PATH:/usr/sbin:/sbin
  require "lintian lintian" "mmdebstrap mmdebstrap"
  step "lintian"
  lintian --allow-root --fail-on error,warning --display-info --suppress-tags spelling-error-in-binary \
    "${package%.deb}.changes" || fail "lintian reports problems"
  step "Installing the package in a clean system"
  make_system "$package" "$system" || fail "the installation failed" "See $system.log"
  step "Starting the daemon through its socket"
  env -i PATH="$PATH" HOME=/home/listener USER=listener XDG_RUNTIME_DIR=/run/user/1000 LC_ALL=C.UTF-8 \
    timeout 120 contrib/lib/with-user-manager "$system" listener package-listen ||
    fail "it does not play" "The system is kept in $system"
  step "Removing the package"
  purge "$system" || fail "the package left files behind" "See $system.log"
  rm -rf "$system" "$system.log"
}
