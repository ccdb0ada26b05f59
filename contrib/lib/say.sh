# shellcheck shell=bash
# Messages to the user, in the language of the user. This file is sourced, in the root folder of the repository.

if [[ -t 2 && -z ${NO_COLOR:-} ]]; then
  bold=$'\e[1m' plain=$'\e[0m'
else
  bold='' plain=''
fi

# The translations of the messages of the scripts.
declare -A translations=()

# Reads the translations for the language that the environment asks for, as the programs do. They are read from their source,
# because the build and gettext may be missing.
read_translations() {
  local locale=${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} languages=${LANGUAGE:-} name file message translation
  case $locale in '' | C | POSIX) return 0 ;; esac
  [[ ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} == *[Uu][Tt][Ff]* ]] || return 0
  for name in ${languages//:/ } "$locale"; do
    name=${name%%[.@]*}
    case $name in en | en_* | C) return 0 ;; esac
    for file in "Sources/Translations/$name.po" "Sources/Translations/${name%%_*}.po"; do
      [[ $name != */* && -e $file ]] || continue
      while IFS=$'\t' read -r message translation; do
        translations[$message]=$translation
      done < <(awk '
        function text(line) {
          sub(/^[a-z]* "/, "", line)
          sub(/"$/, "", line)
          gsub(/\\"/, "\"", line)
          gsub(/\\\\/, "\\", line)
          return line
        }
        /^#: / { ours = /contrib/ }
        ours && /^msgid "./ { message = text($0) }
        ours && /^msgstr "./ { print message "\t" text($0) }' "$file")
      return 0
    done
  done
}
read_translations

# Prints a message in the language of the user. %s stands for the further arguments.
t() {
  local message=$1
  shift
  # shellcheck disable=SC2059 # The message is the format.
  printf -- "${translations[$message]:-$message}" "$@"
}

# Announces a step.
step() { printf '%s==> %s%s\n' "$bold" "$*" "$plain" >&2; }

# Prints details, one line per argument.
note() { printf '    %s\n' "$@" >&2; }

# Prints an error and, from the further arguments, how to solve it, and exits.
fail() {
  printf '%s%s%s\n' "$bold" "$(t "error: %s" "$1")" "$plain" >&2
  shift
  (($# == 0)) || note "$@"
  exit 1
}
