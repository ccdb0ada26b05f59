# shellcheck shell=bash
# Checks the Debian packages of Segue. This file is sourced by contrib/package, after say.sh and packages.sh, as root, in the root
# folder of the repository. The kernel must allow namespaces.

# The user in the system.
listener=listener

# Makes a minimal system for the architecture `$3` from the archives in the file `$4` and installs the package, and after that the
# programs that every desktop has and that debian/tests/control requires.
make_clean_system() {
  local package=$1 system=$2 architecture=$3 archives=$4 web=${1/segue_/segue-web_} source needs
  # The source package has modes that do not depend on the user. Paths within the repository need no quoting.
  source=.build/package/segue-$version
  needs=$(sed -n 's/^Depends: //p' contrib/debian/tests/control | tr -d ,)
  # mmdebstrap would look for the QEMU of this machine, but `emulate` has chosen another one.
  # shellcheck disable=SC2016 # mmdebstrap passes the root folder of the system.
  mmdebstrap --variant=minbase --architectures="$architecture" --skip=check/qemu --aptopt='Acquire::Check-Valid-Until "false"' \
    --customize-hook="copy-in ${package#"$PWD/"} ${web#"$PWD/"} /tmp" \
    --customize-hook='chroot "$1" sh -c "
      set -e
      if command -v swift; then exit 1; fi
      cd /tmp
      apt-get install -y --no-install-recommends ./segue_*.deb
      if command -v segue-web; then exit 1; fi
      # Missing dependencies of the package show before other packages bring the same libraries.
      segued --version
      segue --version
      segue-ui --version
      apt-get install -y --no-install-recommends ./segue-web_*.deb
      segue-web --version
      for program in /usr/bin/segued /usr/bin/segue-web /usr/libexec/segue/segue-worker /usr/libexec/segue/segue-fetch; do
        LD_TRACE_LOADED_OBJECTS=1 \$program >> linked
      done
      if grep -iE \"not found|swift\" linked; then exit 1; fi
      apt-get install -y --no-install-recommends systemd dbus-user-session '"$needs"'
      useradd -m '$listener'
      mkdir /srv/segue /srv/segue/contrib"' \
    --customize-hook="copy-in $source/contrib/demo /srv/segue/contrib" \
    --customize-hook="copy-in $source/contrib/debian /srv/segue" \
    --customize-hook="copy-in $source/contrib/lib/package-listen /usr/local/bin" \
    '' "$system" "$archives" >"$system.log" 2>&1
}

# Purges the package; fails if files are left, or if those of the user are not.
purge() {
  local system=$1 left users users_left
  users=$(find "$system/home/$listener" -path '*/segue/*' | sort)
  chroot "$system" dpkg --purge segue-web segue >>"$system.log" 2>&1 || return 1
  left=$(find "$system" -xdev -iname '*segue*' -not -path "$system/tmp/*" -not -path "$system/home/*" -not -path "$system/srv/*")
  [[ -z $left ]] || { note "left behind:" "${left//"$system"/}" && return 1; }
  users_left=$(find "$system/home/$listener" -path '*/segue/*' | sort)
  [[ $users_left == "$users" ]]
}

# The tags of lintian that the check ignores, because the same source package builds in Debian 12 and in sid: Debian 12 does not
# know newer fields and standards, and needs older ones; and each version finds other things, so that some overrides are unused.
tolerated=(newer-standards-version out-of-date-standards-version unknown-field redundant-priority-optional-field
  redundant-rules-requires-root-no-field package-uses-old-debhelper-compat-version unused-override)

# Prints what else lintian says of the file `$1`, and fails if it says anything, be it only pedantic.
run_lintian() {
  local said status=0
  said=$(lintian --allow-root --pedantic --display-info "$1") || status=$?
  ((status != 1)) || return 1
  ! grep --invert-match --extended-regexp "^N:|^[EWIP]: [^:]*: ($(IFS='|' && echo "${tolerated[*]}"))( |\$)" <<<"$said" | grep .
}

# Checks the package for the architecture `$2`. The file `$3` has the archives of the release that it is for.
check_package() {
  local package=$1 architecture=$2 archives=$3 system=${1%/*}/system
  ((EUID == 0)) || fail "--check must be root to make a clean Debian" "The package has been built: $package"
  # A user's PATH, which `sudo env PATH="$PATH"` keeps, lacks the folders of chroot(8) and others.
  PATH=$PATH:/usr/sbin:/sbin
  require "lintian lintian" "mmdebstrap mmdebstrap"
  step "lintian"
  run_lintian "${package%.deb}.changes" >&2 || fail "lintian reports problems"
  step "Installing the package in a clean system"
  make_clean_system "$package" "$system" "$architecture" "$archives" || fail "the installation failed" "See $system.log"
  step "Playing through a null sink"
  contrib/lib/enter "$system" '' '' "$listener" /srv/segue debian/tests/play >&2 ||
    fail "a test of the package failed" "The system is kept in $system"
  # QEMU does not emulate what systemd asks of the kernel.
  if [[ $architecture == "$own_architecture" ]]; then
    step "Starting the daemon through its socket"
    env -i PATH="$PATH" HOME="/home/$listener" USER="$listener" XDG_RUNTIME_DIR=/run/user/1000 LC_ALL=C.UTF-8 \
      timeout 120 contrib/lib/with-user-manager "$system" "$listener" /usr/local/bin/package-listen ||
      fail "it does not play" "The system is kept in $system"
  fi
  step "Removing the package"
  purge "$system" || fail "the package left files behind" "See $system.log"
  rm -rf "$system" "$system.log"
}
