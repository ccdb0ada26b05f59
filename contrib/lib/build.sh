# shellcheck shell=bash
# Finds Swift and builds with it. This file is sourced, after say.sh and packages.sh, in the root folder of the repository.

swift_needed=6.0
# The version that `require_swift` has found.
swift_version=''
# Whether the compiler is installed without a question. Scripts with the option --yes set it.
assume_yes=''

# Puts `swift` on the PATH. If there is no compiler, installs that of the distribution, or exits and says how to get one.
require_swift() {
  find_swift || install_swift
  require "${toolchain_needs[@]}"
  require_toolchain_libraries
  choose_temporary_folder
  swift_version=$(swift --version 2>&1 | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
  [[ -n $swift_version ]] || fail "$(t "%s does not run" "$(command -v swift)")" "$(t "Run  swift --version  to see why.")"
  is_at_least "$swift_needed" "$swift_version" ||
    fail "$(t "Swift %s is too old; Segue needs %s or newer" "$swift_version" "$swift_needed")" "$(t "See https://www.swift.org/install/linux")"
}

# Succeeds if the version `$2` is `$1` or a newer one.
is_at_least() { printf '%s\n%s\n' "$1" "$2" | sort --check=quiet --version-sort; }

# Puts the first compiler that is found on the PATH: of the user, of swiftly, or of Debian. The latter has another name where the
# client of OpenStack, which is written in Python, is called swift.
find_swift() {
  local folder
  for folder in '' "${SWIFTLY_BIN_DIR:-${HOME:-}/.local/share/swiftly/bin}" /usr/libexec/swift/bin; do
    [[ -z $folder || -x $folder/swift ]] || continue
    if PATH=${folder:+$folder:}$PATH is_compiler; then
      PATH=${folder:+$folder:}$PATH
      return
    fi
  done
  return 1
}

# Succeeds if `swift` is a program and not a script.
is_compiler() { command -v swift >/dev/null && [[ $(head --bytes=2 "$(command -v swift)" | tr -d '\0') != '#!' ]]; }

# Installs the compiler of the distribution after the user has agreed, or exits and says how to get one.
install_swift() {
  local version='' sizes answer
  if command -v apt-get >/dev/null; then
    update_missing_lists
    version=$(LC_ALL=C apt-cache policy swiftlang 2>/dev/null | sed -n 's/^ *Candidate: \([0-9][0-9.]*\).*/\1/p')
  fi
  if [[ -z $version ]] || ! is_at_least "$swift_needed" "$version"; then
    fail "$(t "there is no Swift compiler, and %s has no package of Swift %s or newer" "$(system_name)" "$swift_needed")" \
      "$(t "Install it from https://www.swift.org/install/linux, and put it on the PATH:  export PATH=/path/to/swift/usr/bin:\$PATH")" \
      ${SUDO_USER:+"$(t "sudo resets PATH. To keep yours:  sudo env PATH=\"\$PATH\" …")"}
  fi
  sizes=$(LC_ALL=C apt-get -o Debug::NoLocking=1 --assume-no --no-install-recommends install swiftlang 2>/dev/null | sizes_of_packages) || true
  step "$(t "The Swift compiler is missing. %s has Swift %s (%s)." "$(system_name)" "$version" "${sizes:-swiftlang}")"
  if [[ ! $assume_yes ]]; then
    [[ -t 0 && -t 2 ]] || fail "$(t "the Swift compiler is missing")" "$(t "Install it by  apt-get install swiftlang  or with the option --yes.")"
    printf '    %s ' "$(t "Install it? [Y/n]")" >&2
    read -r answer || answer=n
    case $answer in
      '' | [Yy]* | Д* | д*) ;;
      *) fail "$(t "the Swift compiler is missing")" ;;
    esac
  fi
  require "swift-frontend swiftlang"
  hash -r
  find_swift || fail "$(t "the package swiftlang contains no compiler")"
}

# Prints what a package with its dependencies takes, as apt says: "0.4 GB to download, 2.1 GB on the disk".
sizes_of_packages() {
  sed -n -e 's/^Need to get \(.*\) of archives\.$/\1/p' -e 's/^After this operation, \(.*\) of additional .*/\1/p' |
    sed 's,.*/,,' | {
    local download disk
    read -r download && read -r disk && t "%s to download, %s on the disk" "$download" "$disk"
  }
}

# Prints the name of the system, such as "Debian GNU/Linux 13 (trixie)".
system_name() { sed -n 's/^PRETTY_NAME="\{0,1\}\([^"]*\)"\{0,1\}$/\1/p' /etc/os-release 2>/dev/null | grep . || printf 'Linux\n'; }

# Installs libraries that the programs of the toolchain need.
require_toolchain_libraries() {
  local programs missing need needs=()
  programs=$(dirname "$(readlink -f "$(command -v swift)")")
  missing=$(ldd "$programs"/{swift-build,swift-frontend,lld} 2>/dev/null | sed -n 's/^[[:space:]]*\(.*\) => not found$/\1/p')
  for need in "${toolchain_libraries[@]}"; do
    [[ $'\n'$missing$'\n' != *$'\n'"${need%% *}"$'\n'* ]] || needs+=("$need")
  done
  ((${#needs[@]} == 0)) || require "${needs[@]}"
}

# SwiftPM runs the compiled Package.swift in the folder for temporary files. If programs may not run there, exports another one.
choose_temporary_folder() {
  local options
  options=$(findmnt --noheadings --output OPTIONS --target "${TMPDIR:-/tmp}" 2>/dev/null) || return 0
  [[ ,$options, == *,noexec,* ]] || return 0
  mkdir -p .build/tmp
  export TMPDIR=$PWD/.build/tmp
}

# Its modification time is the start of the last build. Programs that are not optimized do not count as built for users.
stamp=.build/release/.segue-built${SEGUE_UNOPTIMIZED:+-unoptimized}

# The flags with which one process compiles a whole module, which takes a sixth less time than several that share its files, except
# after a change of a few files.
# shellcheck disable=SC2034 # The scripts that source this file use it.
whole_modules=(-Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2)

# Succeeds if no file in the other arguments is newer than `$1`. Symbolic links stand for their targets.
is_newest() { [[ -z $(find -L "${@:2}" -newer "$1" -print -quit) ]]; }

# Succeeds if the programs in .build/release are newer than their sources.
is_built() { [[ -e $stamp ]] && is_newest "$stamp" Package.swift Sources; }

# Makes the stub libraries of the worker again if FFmpeg or the list of stubs is newer than they are.
update_stubs() {
  local libraries stubs=.build/release/stubs
  libraries=$(ldd .build/release/segue-worker | sed -n 's/.* => \(\/.*lib\(av\|sw\)[a-z]*\.so[^ ]*\) .*/\1/p')
  # shellcheck disable=SC2086 # One path a line.
  if [[ -d $stubs ]] && is_newest "$stubs" contrib/lib/make-stubs $libraries; then return 0; fi
  contrib/lib/make-stubs .build/release
}

# Debian's compilers link some programs with libraries that are in no package, and of which they use nothing: static programs with
# ICU (Swift 6.0), and tests with the part of the test library for Foundation (6.2). Empty archives in this folder replace them.
unused_archives=.build/unused-archives
make_unused_archives() {
  local name
  mkdir -p "$unused_archives"
  for name in icui18nswift icuucswift icudataswift _Testing_Foundation; do
    [[ -e $unused_archives/lib$name.a ]] || ar rc "$unused_archives/lib$name.a"
  done
}

# Builds the programs if they are out of date. SEGUE_UNOPTIMIZED, which contrib/portability sets, saves most of the time.
build_release() {
  if is_built; then update_stubs && return 0; fi
  require_swift
  require "${build_needs[@]}"
  step "$(t "Building Segue (the first build takes some minutes)")"
  local begun
  mkdir -p .build
  # The stamp is made before the build, so that a source saved during the build counts as newer.
  begun=$(mktemp .build/begun.XXXXXX)
  rm -f .build/release/.segue-built*
  # The flags are the same for every caller, because other flags would compile everything again.
  if ! env -u SEGUE_WARNINGS_AS_ERRORS contrib/lib/compile ${SEGUE_UNOPTIMIZED:+-Xswiftc -Onone --disable-index-store}; then
    rm -f "$begun"
    fail "$(t "the build failed")" "$(t "See the compiler's messages above.")"
  fi
  mv "$begun" "$stamp"
}
