# shellcheck shell=bash
# The dependencies of Segue. They are looked up by file and not by package, so that systems without apt, or with libraries
# from another source, work as well. This file is sourced, after say.sh.

# Each entry is a command or a header, and the package of Debian and Ubuntu that contains it. If the name of the package
# differs between releases, all names are listed, separated by |.
build_needs=(
  "g++ g++"
  "ld.gold binutils-gold"
  "libavformat/avformat.h libavformat-dev"
  "libavcodec/avcodec.h libavcodec-dev"
  "libavutil/avutil.h libavutil-dev"
  "libswresample/swresample.h libswresample-dev"
  "libswscale/swscale.h libswscale-dev"
  "pulse/pulseaudio.h libpulse-dev"
  "systemd/sd-event.h libsystemd-dev"
  "sqlite3.h libsqlite3-dev"
  "jansson.h libjansson-dev"
  "libjansson.a libjansson-dev"
  "libc.a libc6-dev"
  "expat.h libexpat1-dev"
  "curl/curl.h libcurl4-openssl-dev"
  "seccomp.h libseccomp-dev"
  "taglib/taglib.h libtag-dev|libtag1-dev"
  "unicode/ucol.h libicu-dev"
  "uchardet/uchardet.h libuchardet-dev"
  "utf8proc.h libutf8proc-dev"
  "libutf8proc.a libutf8proc-dev"
  "ebur128.h libebur128-dev"
  "soundtouch/SoundTouch.h libsoundtouch-dev"
  "zlib.h zlib1g-dev"
  "curses.h libncurses-dev"
  "microhttpd.h libmicrohttpd-dev"
  "gnutls/gnutls.h libgnutls28-dev"
  "crypt.h libcrypt-dev"
  "qrencode.h libqrencode-dev"
  "kissfft/kissfft.hh libkissfft-dev"
  "libncursesw.a libncurses-dev"
  "msgfmt gettext"
)
# Commands and libraries that `swift build` needs and a minimal system lacks. The libraries depend on the system for which the
# toolchain was built.
toolchain_needs=("git git")
toolchain_libraries=(
  "libcurl.so.4 libcurl4t64|libcurl4"
  "libxml2.so.2 libxml2"
  "libxml2.so.16 libxml2-16"
  "libncurses.so.6 libncurses6"
  "libsqlite3.so.0 libsqlite3-0"
)

# Succeeds if a dependency is present. NAME.h or NAME.hh is a header, NAME.so… and NAME.a are libraries, NAME.py is a module of Python,
# NAME.ttc and NAME.ttf are fonts, NAME.crt has certificates of authorities, and everything else is a command. Headers are searched
# only where compilers search, in Debian's multiarch folder and in Fedora's folder for FFmpeg, because the kernel's headers contain
# another seccomp.h.
have() {
  case $1 in
    *.h | *.hh)
      compgen -G "/usr/include/$1" || compgen -G "/usr/include/*-linux-*/$1" || compgen -G "/usr/include/ffmpeg/$1" ||
        compgen -G "/usr/local/include/$1"
      ;;
    *.a | *.so*) compgen -G "/usr/lib/$1*" || compgen -G "/usr/lib/*/$1*" || compgen -G "/usr/lib64/$1*" ;;
    # Other distributions have other names for them, and always have them.
    *.crt) ! command -v apt-get || compgen -G "/etc/ssl/certs/$1" ;;
    *.py) compgen -G "/usr/lib/python3/dist-packages/$1" ;;
    *.ttc | *.ttf) compgen -G "/usr/share/fonts/*/*/$1" ;;
    *) command -v "$1" ;;
  esac >/dev/null
}

# Runs apt-get as root, with sudo if necessary. A new system may be installing its updates: apt-get then waits.
as_root_apt() {
  local command=(env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=600 "$@")
  if ((EUID == 0)); then
    "${command[@]}" >&2
  elif [[ -n ${CI:-} || ! -t 0 ]]; then
    sudo -n "${command[@]}" >&2
  else
    sudo "${command[@]}" >&2
  fi
}

# Prints the first of the alternative names ("one|other") that apt can install, or the last one if apt knows none.
installable() {
  local name names
  IFS='|' read -ra names <<<"$1"
  for name in "${names[@]}"; do
    if LC_ALL=C apt-cache policy "$name" 2>/dev/null | grep -q 'Candidate: [^(]'; then break; fi
  done
  printf '%s\n' "$name"
}

# Sets `packages` to the names that apt can install.
choose_packages() {
  local wanted
  packages=()
  for wanted in "$@"; do packages+=("$(installable "$wanted")"); done
}

# Updates the lists of packages.
update_lists() {
  note "$(t "The lists of packages are missing or out of date: updating them.")"
  as_root_apt update
}

# Updates the lists of packages if there are none, as in a new system and in images for containers.
update_missing_lists() {
  [[ -n $(find /var/lib/apt/lists -name '*_Packages*' -print -quit 2>/dev/null) ]] || update_lists
}

# Installs the missing ones of the given dependencies (each argument is "file package").
require() {
  local need wanted=() packages
  for need in "$@"; do
    have "${need%% *}" || [[ " ${wanted[*]} " == *" ${need##* } "* ]] || wanted+=("${need##* }")
  done
  ((${#wanted[@]} > 0)) || return 0

  command -v apt-get >/dev/null || fail "$(t "missing packages, and this machine has no apt: %s" "${wanted[*]//|/ or }")" \
    "$(t "These are Debian's names. Install the packages of your system, then run this again.")"
  choose_packages "${wanted[@]}"
  local by_hand="apt-get install ${packages[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "$(t "missing packages, and there is no sudo: %s" "${packages[*]}")" \
      "$(t "As root:  %s" "$by_hand")"
    step "$(t "Installing %s (sudo may ask for your password)" "${packages[*]}")"
  else
    step "$(t "Installing %s" "${packages[*]}")"
  fi
  # --no-remove: installed packages, for example PipeWire, are never removed.
  local install=(install --no-install-recommends --no-remove)
  as_root_apt "${install[@]}" "${packages[@]}" && return
  if update_lists; then
    choose_packages "${wanted[@]}"
    as_root_apt "${install[@]}" "${packages[@]}" && return
  fi
  fail "$(t "apt could not install %s" "${packages[*]}")" "$(t "See its messages above. By hand:  sudo apt-get install %s" "${packages[*]}")"
}

# Prints the archives of the distribution that apt is configured with, one per line as in sources.list. If apt is configured
# to ignore their expiry, the lines say so.
archives() {
  local origin option=''
  update_missing_lists
  if apt-config dump Acquire::Check-Valid-Until | grep -q '"false"'; then option='[check-valid-until=no] '; fi
  origin=$(sed -n 's/^ID=//p' /etc/os-release)
  # shellcheck disable=SC2016 # apt expands these variables.
  apt-get indextargets --format "deb $option"'$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' \
    "Origin: ${origin^}" | sort -u
}

# Prints the archives of the release `$1` of Debian: those of this machine with the name of the release replaced.
archives_of() {
  local release=$1 own
  own=$(archives | sed 's/\[.*\] //' | awk '{ sub("-.*", "", $3); print $3; exit }')
  archives | sed "s/ $own\>/ $release/" | if [[ $release == sid ]]; then grep -v ' sid-'; else cat; fi
}
