# shellcheck shell=bash
# Talking to the person in front of the terminal. Sourced, never run.

if [[ -t 2 && -z ${NO_COLOR:-} ]]; then
  bold=$'\e[1m' plain=$'\e[0m'
else
  bold='' plain=''
fi

# A step that begins.
step() { printf '%s==> %s%s\n' "$bold" "$*" "$plain" >&2; }

# More about it, a line an argument.
note() { printf '    %s\n' "$@" >&2; }

# What went wrong and, in the further arguments, what to do about it; the end.
fail() {
  printf '%serror: %s%s\n' "$bold" "$1" "$plain" >&2
  shift
  (($# == 0)) || note "$@"
  exit 1
}
