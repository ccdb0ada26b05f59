# shellcheck shell=bash
# Finding Swift and building with it. Sourced, never run; wants say.sh and packages.sh, and the repository as the
# current folder.

swift_needed=6.2

# Puts `swift` on the PATH, or says how to come by it.
require_swift() {
  local swiftly=${SWIFTLY_BIN_DIR:-$HOME/.local/share/swiftly/bin}
  if ! command -v swift >/dev/null && [[ -x $swiftly/swift ]]; then
    PATH=$swiftly:$PATH
  fi
  command -v swift >/dev/null || fail "there is no Swift toolchain on the PATH" \
    "Segue needs Swift $swift_needed or newer: see https://www.swift.org/install/linux" \
    "Unpacked already? Then:  export PATH=/where/it/is/usr/bin:\$PATH" \
    ${SUDO_USER:+"sudo has a PATH of its own; yours is kept by:  sudo env PATH=\"\$PATH\" …"}

  require "${toolchain_needs[@]}"
  require_toolchain_libraries
  local version
  version=$(swift --version 2>&1 | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
  [[ -n $version ]] || fail "$(command -v swift) does not run" "Try  swift --version  and see what it says."
  if ! printf '%s\n%s\n' "$swift_needed" "$version" | sort --check=quiet --version-sort; then
    fail "Swift $version is too old; Segue needs $swift_needed or newer" "See https://www.swift.org/install/linux"
  fi
}

# Installs the libraries that the toolchain's own programs do not find.
require_toolchain_libraries() {
  local programs missing need needs=()
  programs=$(dirname "$(readlink -f "$(command -v swift)")")
  missing=$(ldd "$programs"/{swift-build,swift-frontend,lld} 2>/dev/null | sed -n 's/^[[:space:]]*\(.*\) => not found$/\1/p')
  for need in "${toolchain_libraries[@]}"; do
    [[ $'\n'$missing$'\n' != *$'\n'"${need%% *}"$'\n'* ]] || needs+=("$need")
  done
  ((${#needs[@]} == 0)) || require "${needs[@]}"
}

# Dated to the begin of the build whose programs lie beside it.
stamp=.build/release/.segue-built

# Whether the three programs in .build/release are as new as their sources.
is_built() { [[ -e $stamp && -z $(find Package.swift Sources -newer "$stamp" -print -quit) ]]; }

# Builds them, unless they are.
build_release() {
  if is_built; then return 0; fi
  require_swift
  require "${build_needs[@]}"
  step "Building Segue (some minutes the first time, seconds later)"
  # Dated before the build, so that a source saved during it counts as newer.
  local begun product
  mkdir -p .build
  begun=$(mktemp .build/begun.XXXXXX)
  for product in segue-worker segued segue; do
    # The flags are those of an ordinary build, whoever calls this: others would compile everything again.
    if ! env -u SEGUE_WARNINGS_AS_ERRORS swift build -c release --static-swift-stdlib --product "$product" >&2; then
      rm -f "$begun"
      fail "the build of $product failed" "The compiler's words stand above."
    fi
  done
  mv "$begun" "$stamp"
}
