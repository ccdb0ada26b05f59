# shellcheck shell=bash
# Finds Swift and builds with it. This file is sourced, after say.sh and packages.sh, in the root folder of the repository.

swift_needed=6.2

# Puts `swift` on the PATH, or exits and says how to get it.
require_swift() {
  local swiftly=${SWIFTLY_BIN_DIR:-$HOME/.local/share/swiftly/bin}
  if ! command -v swift >/dev/null && [[ -x $swiftly/swift ]]; then
    PATH=$swiftly:$PATH
  fi
  command -v swift >/dev/null || fail "$(t "there is no Swift toolchain on the PATH")" \
    "$(t "Segue needs Swift %s or newer: see https://www.swift.org/install/linux" "$swift_needed")" \
    "$(t "If it is installed:  export PATH=/path/to/swift/usr/bin:\$PATH")" \
    ${SUDO_USER:+"sudo resets PATH. To keep yours:  sudo env PATH=\"\$PATH\" …"}

  require "${toolchain_needs[@]}"
  require_toolchain_libraries
  local version
  version=$(swift --version 2>&1 | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
  [[ -n $version ]] || fail "$(t "%s does not run" "$(command -v swift)")" "$(t "Run  swift --version  to see why.")"
  if ! printf '%s\n%s\n' "$swift_needed" "$version" | sort --check=quiet --version-sort; then
    fail "$(t "Swift %s is too old; Segue needs %s or newer" "$version" "$swift_needed")" "$(t "See https://www.swift.org/install/linux")"
  fi
}

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

# Its modification time is the start of the last build. Programs that are not optimized do not count as built for users.
stamp=.build/release/.segue-built${SEGUE_UNOPTIMIZED:+-unoptimized}

# Succeeds if the programs in .build/release are newer than their sources.
is_built() { [[ -e $stamp && -z $(find Package.swift Sources -newer "$stamp" -print -quit) ]]; }

# Compiles the translations to the folder in which the programs in the folder `$1` look for them.
compile_translations() {
  local file language folder
  for file in Sources/Translations/*.po; do
    language=${file##*/}
    folder=$(readlink -f "$1")/../share/locale/${language%.po}/LC_MESSAGES
    mkdir -p "$folder"
    msgfmt --output-file="$folder/segue.mo.new" "$file" || fail "$(t "%s could not be compiled" "$file")"
    mv "$folder/segue.mo.new" "$folder/segue.mo"
  done
}

# Makes the stub libraries of the worker again if FFmpeg or the list of stubs is newer than they are.
update_stubs() {
  local libraries stubs=.build/release/stubs
  libraries=$(ldd .build/release/segue-worker | sed -n 's/.* => \(\/.*lib\(av\|sw\)[a-z]*\.so[^ ]*\) .*/\1/p')
  # shellcheck disable=SC2086 # One path a line.
  if [[ -d $stubs && -z $(find -L contrib/lib/make-stubs $libraries -newer "$stubs" -print -quit) ]]; then return 0; fi
  contrib/lib/make-stubs .build/release
}

# Builds the programs if they are out of date. SEGUE_UNOPTIMIZED, which contrib/portability sets, saves most of the time.
build_release() {
  if is_built; then update_stubs && return 0; fi
  require_swift
  require "${build_needs[@]}"
  step "$(t "Building Segue (the first build takes some minutes)")"
  # The stamp is made before the build, so that a source saved during the build counts as newer.
  local begun product flags=(--static-swift-stdlib ${SEGUE_UNOPTIMIZED:+-Xswiftc -Onone --disable-index-store})
  mkdir -p .build
  begun=$(mktemp .build/begun.XXXXXX)
  rm -f .build/release/.segue-built*
  for product in segue-worker segue-fetch segued segue segue-ui; do
    # The flags are the same for every caller, because other flags would compile everything again.
    if ! env -u SEGUE_WARNINGS_AS_ERRORS swift build -c release "${flags[@]}" --product "$product" >&2; then
      rm -f "$begun"
      fail "$(t "the build of %s failed" "$product")" "$(t "See the compiler's messages above.")"
    fi
  done
  compile_translations .build/release
  contrib/lib/make-stubs .build/release
  mv "$begun" "$stamp"
}
