# shellcheck shell=bash
# Messages to the user. This file is sourced.

if [[ -t 2 && -z ${NO_COLOR:-} ]]; then
  bold=$'\e[1m' plain=$'\e[0m'
else
  bold='' plain=''
fi

# Announces a step.
step() { printf '%s==> %s%s\n' "$bold" "$*" "$plain" >&2; }

# Prints details, one line per argument.
note() { printf '    %s\n' "$@" >&2; }

# Prints an error and, from the further arguments, how to solve it, and exits.
fail() {
  printf '%serror: %s%s\n' "$bold" "$1" "$plain" >&2
  shift
  (($# == 0)) || note "$@"
  exit 1
}
