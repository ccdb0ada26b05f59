# shellcheck shell=bash
# What Segue needs from the system, found by the file it needs, not by a package's name: so that a machine without
# apt, or one whose libraries came another way, is served as well. Sourced, never run; wants say.sh.

# A command or a header, and the package of Debian and Ubuntu that holds it; where releases call it differently, all its
# names, with a | between them.
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
  "seccomp.h libseccomp-dev"
  "taglib/taglib.h libtag-dev|libtag1-dev"
  "unicode/ucol.h libicu-dev"
  "uchardet/uchardet.h libuchardet-dev"
  "ebur128.h libebur128-dev"
  "zlib.h zlib1g-dev"
)
# What `swift build` itself calls or loads, which a bare system lacks. Which of the libraries a toolchain wants depends on
# the system it was made for.
toolchain_needs=("git git")
toolchain_libraries=(
  "libcurl.so.4 libcurl4t64|libcurl4"
  "libxml2.so.2 libxml2"
  "libxml2.so.16 libxml2-16"
  "libncurses.so.6 libncurses6"
  "libsqlite3.so.0 libsqlite3-0"
)

# Whether a need is met: NAME.h is a header, NAME.so… and NAME.a are libraries, NAME.ttc is a font, anything else a
# command. Headers are looked for where compilers look, in the folder of Debian's architectures and in Fedora's of FFmpeg:
# not in any folder, since the kernel's own headers have a seccomp.h, too.
have() {
  case $1 in
    *.h)
      compgen -G "/usr/include/$1" || compgen -G "/usr/include/*-linux-*/$1" || compgen -G "/usr/include/ffmpeg/$1" ||
        compgen -G "/usr/local/include/$1"
      ;;
    *.a | *.so*) compgen -G "/usr/lib/$1*" || compgen -G "/usr/lib/*/$1*" || compgen -G "/usr/lib64/$1*" ;;
    *.ttc) compgen -G "/usr/share/fonts/*/*/$1" ;;
    *) command -v "$1" ;;
  esac >/dev/null
}

# Runs apt-get as root, by whichever way there is.
as_root_apt() {
  local command=(env DEBIAN_FRONTEND=noninteractive apt-get -y -q "$@")
  if ((EUID == 0)); then
    "${command[@]}" >&2
  elif [[ -n ${CI:-} || ! -t 0 ]]; then
    sudo -n "${command[@]}" >&2
  else
    sudo "${command[@]}" >&2
  fi
}

# The first of a package's names ("one|other") that apt can install; the last one if it knows none of them.
installable() {
  local name names
  IFS='|' read -ra names <<<"$1"
  for name in "${names[@]}"; do
    if LC_ALL=C apt-cache policy "$name" 2>/dev/null | grep -q 'Candidate: [^(]'; then break; fi
  done
  printf '%s\n' "$name"
}

# Sets `packages` to what apt has for these names.
choose_packages() {
  local wanted
  packages=()
  for wanted in "$@"; do packages+=("$(installable "$wanted")"); done
}

# Installs what is missing of the needs given ("what package", each one argument); returns at once when nothing is.
require() {
  local need wanted=() packages
  for need in "$@"; do
    have "${need%% *}" || wanted+=("${need##* }")
  done
  ((${#wanted[@]} > 0)) || return 0

  command -v apt-get >/dev/null || fail "these are missing, and this machine has no apt: ${wanted[*]//|/ or }" \
    "The names are Debian's; install what your system calls them, then run this again."
  choose_packages "${wanted[@]}"
  local by_hand="apt-get install ${packages[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "these packages are missing, and there is no sudo: ${packages[*]}" \
      "As root:  $by_hand"
    step "Installing ${packages[*]} (sudo may ask for your password)"
  else
    step "Installing ${packages[*]}"
  fi
  # --no-remove: never at the cost of something that is there, a desktop's PipeWire for example.
  local install=(install --no-install-recommends --no-remove)
  as_root_apt "${install[@]}" "${packages[@]}" && return
  note "Not in the package lists as they are: fetching new ones."
  if as_root_apt update; then
    choose_packages "${wanted[@]}"
    as_root_apt "${install[@]}" "${packages[@]}" && return
  fi
  fail "apt could not install ${packages[*]}" "What it said stands above. By hand:  sudo apt-get install ${packages[*]}"
}

# The archives this machine's apt has of its distribution, one line each as in sources.list. If apt is told to take them
# with an old date, so is whoever reads this.
archives() {
  local origin option=''
  if apt-config dump Acquire::Check-Valid-Until | grep -q '"false"'; then option='[check-valid-until=no] '; fi
  origin=$(sed -n 's/^ID=//p' /etc/os-release)
  # shellcheck disable=SC2016 # These are apt's variables.
  apt-get indextargets --format "deb $option"'$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' \
    "Origin: ${origin^}" | sort -u
}
