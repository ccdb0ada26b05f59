# shellcheck shell=bash
# Completes segue(1) in bash, from 4.4 on. To have it in this shell:  source segue.bash
#
# Verbs, options and fixed words come from `segue --help` and `segue help VERB`, so that they are those of the program
# that is there; queue, playlists, albums and the like from the daemon, if one answers within two seconds. Nothing that
# was typed is ever evaluated.

_segue() {
  local program=$1 typed='' quote='' pending='' ended='' head=''
  local -a socket=() given=()
  COMPREPLY=()
  _segue_read_words
  _segue_read_typed "$2"
  case $pending in
    --socket) _segue_files ;;
    --color | --colour) _segue_offer < <(printf '%s\n' auto always never) ;;
    --size) _segue_offer < <(printf '%s\n' small medium full) ;;
    --output) _segue_offer < <(printf '%s\n' plain json waybar polybar i3blocks i3status-rs yambar eww tmux) ;;
    --format) ;;
    *) _segue_complete_word ;;
  esac
}

# The words before the one that is typed: options are left out, `given` begins with the verb. bash splits a word at its
# colons and equals signs; here it is one again. What stands of the typed word before such a sign is `head`.
_segue_read_words() {
  local i word glued=''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $pending ]]; then
      [[ $word != '=' ]] || continue
      [[ $pending != --socket || ! $word =~ ^[[:alnum:]_/.,+@%-]+$ ]] || socket=(--socket "$word")
      pending=''
    elif [[ $glued || $word == [:=]* ]] && ((${#given[@]} > 0)); then
      given[-1]+=$word
      glued=''
      [[ $word != *[:=] ]] || glued=1
    elif [[ $ended ]]; then
      given+=("$word")
    else
      case $word in
        --) ended=1 ;;
        --socket | --color | --colour | --size | --output | --format) pending=$word ;;
        -[0-9.]*) given+=("$word") ;;
        -?*) ;;
        *) given+=("$word") ;;
      esac
    fi
  done
  [[ $glued || ${COMP_WORDS[COMP_CWORD]} == [:=]* ]] || return 0
  ((${#given[@]} > 0)) || return 0
  head=${given[-1]}
  [[ $glued ]] || head+=${COMP_WORDS[COMP_CWORD]:0:1}
  unset 'given[-1]'
}

# What was typed of the word, without its quotes, and in which quotes it stands.
_segue_read_typed() {
  typed=$1
  case ${COMP_WORDS[COMP_CWORD]} in
    \'*)
      quote=\'
      typed=${typed#\'}
      return
      ;;
    \"*)
      quote=\"
      typed=${typed#\"}
      ;;
    [:=]) typed='' ;;
  esac
  # Without -r: this is what takes the backslashes out.
  # shellcheck disable=SC2162
  IFS= read -d '' typed <<<"$typed"
  typed=${typed%$'\n'}
}

_segue_complete_word() {
  local verb=${given[0]:-} name rest
  if [[ ! $verb ]]; then
    if [[ $typed == -* ]]; then _segue_offer < <(_segue_options); else _segue_offer < <(_segue_verbs); fi
    return
  fi
  read -r _ _ name rest < <(_segue_run help "$verb")
  if [[ ! $name ]]; then
    return
  elif [[ $typed == -* && ! $ended ]]; then
    _segue_offer < <(_segue_options && _segue_flags "$rest")
  elif [[ $head == segue:* ]]; then
    _segue_complete_uri
  else
    _segue_complete_argument
    ((${#COMPREPLY[@]} > 0)) || case $name:$rest in
      fav:*) [[ ${given[1]:-list} == list ]] || _segue_files ;;
      playlist:*) [[ ${#given[@]} -lt 3 || ${given[1]} != @(save|add) ]] || _segue_files ;;
      *PATH*) _segue_files ;;
    esac
  fi
}

# An argument of the verb `name`, whose usage goes on with `rest`.
_segue_complete_argument() {
  case $name:${#given[@]} in
    # Whatever is no number is a file.
    play:1) [[ $typed == *[!0-9]* ]] || _segue_offer < <(_segue_entries) ;;
    list:1 | move:[12] | remove:*) _segue_offer < <(_segue_entries) ;;
    album:1 | artist:1) _segue_offer < <(_segue_named) ;;
    playlist:1) _segue_offer < <(_segue_playlist_verbs) ;;
    playlist:2) [[ ${given[1]} == list ]] || _segue_offer < <(_segue_playlists) ;;
    fav:2) [[ ${given[1]} != list ]] || _segue_offer < <(printf '%s\n' date title year rating) ;;
    outputs:1) _segue_offer < <(_segue_run outputs | cut -f 1,2 && _segue_words "$rest") ;;
    settings:2) [[ ${given[1]} == list ]] || _segue_offer < <(_segue_settings) ;;
    settings:3) [[ ${given[1]} != set ]] || _segue_offer < <(_segue_values "${given[2]}") ;;
    rate:1) _segue_offer < <(printf '%s\n' {0..10} && _segue_words "$rest") ;;
    watch:*) _segue_offer < <(printf '%s\n' player queue library output settings) ;;
    rpc:1) _segue_offer < <(_segue_methods) ;;
    help:1) _segue_offer < <(_segue_verbs) ;;
    *:1) _segue_offer < <(_segue_words "$rest") ;;
  esac
}

# What the library calls things. bash has taken what stands before the colon for a word of its own.
_segue_complete_uri() {
  case $typed in
    album/* | artist/* | genre/*) _segue_offer < <(_segue_run "${typed%%/*}s" | cut -f 1,2 | sed 's/^segue://') ;;
    playlist/*) _segue_offer < <(_segue_run playlist list | cut -f 1,2 | sed 's/^segue://') ;;
    *)
      compopt -o nospace
      _segue_offer < <(printf '%s/\n' album artist genre playlist search)
      ;;
  esac
}

# As the shell completes files elsewhere, with its own quotes.
_segue_files() { compopt -o default -o bashdefault; }

# --- What the program says, and what the daemon has: each prints "WORD<tab>what it is", a line each. The lines hold no
# control characters, whatever names do.

_segue_run() { timeout 2 "${program/#\~\//$HOME/}" "${socket[@]}" "$@" </dev/null 2>/dev/null; }

# The rows of `segue --help`, those of the options or those of the verbs. What is long has its right side a line below.
_segue_help_rows() {
  _segue_run --help | awk -v wanted="$1" '
    /^[^ ].*:$/ || /^Options/ { here = /^Options/ ? "options" : /^Getting/ ? "" : "verbs" }
    here != wanted || !/^  / { next }
    /^   / { sub(/^ +/, ""); if (left != "") print left "\t" $0; left = ""; next }
    { sub(/^  /, ""); at = match($0, /   *[^ ]/); left = at ? "" : $0
      if (at) print substr($0, 1, at - 1) "\t" substr($0, at + RLENGTH - 1) }'
}

_segue_verbs() { _segue_help_rows verbs | awk -F '\t' '{ sub(/ .*/, "", $1); print $1 "\t" $2 }'; }

_segue_options() {
  _segue_help_rows options | awk -F '\t' '{
    n = split($1, words, /[ ,]+/)
    for (i = 1; i <= n; i++) if (words[i] ~ /^-/) print words[i] "\t" $2 }'
}

# The fixed words, and the options, of a verb's usage.
_segue_words() { tr -s ' |[]' '\n' <<<"$1" | grep -x '[a-z][a-z]*'; }
_segue_flags() { tr -s ' |[]' '\n' <<<"$1" | grep -xe '--[a-z-]*'; }

_segue_playlist_verbs() {
  echo list
  _segue_run help playlist | awk '$1 == "segue" && $4 == "NAME" && !seen[$3]++ { print $3 }'
}

_segue_entries() { _segue_run list 1-1000 | awk -F '\t' '{ print $1 "\t" $2 ($3 == "" ? "" : " - " $3) }'; }

# The list shows a name, its URI says it.
_segue_playlists() {
  local uri rest name
  while IFS=$'\t' read -r uri rest; do
    name=${uri#segue:playlist/}
    printf '%b\n' "${name//%/\\x}"
  done < <(_segue_run playlist list)
}

# Albums or artists by name; by their numbers those whose name holds what a terminal cannot show.
_segue_named() {
  _segue_run "${name}s" | awk -F '\t' -v what="$name" '
    $2 ~ /\^[?-_]|<U\+/ { sub(/.*\//, "", $1); print $1 "\t" $2; next }
    !seen[$2]++ { print $2 "\t" (what == "album" ? $3 : "") }'
}

# Of the names those that can be set; of one, what it can be set to.
_segue_settings() { _segue_run settings | awk -F '\t' -v action="${given[1]}" '
  action == "get" || $4 != "" { print $1 "\t" $5 }'; }

_segue_values() {
  [[ ${1,,} != *device ]] || _segue_run outputs | cut -f 1,2
  _segue_run settings | awk -F '\t' -v name="${1,,}" '
    { full = tolower($1); part = full; sub(/.*\./, "", part) }
    (full == name || part == name) && $4 ~ /\|/ { gsub(/\|/, "\n", $4); print $4 }'
}

_segue_methods() {
  _segue_run rpc rpc.discover | sed 's/"paramStructure"/\n/g' | sed -n '$!s/.*{"name":"\([a-z.]*\)".*/\1/p'
}

# --- What the shell is told.

# Offers what is read, as far as what was typed begins it. Of several, first what they have in common is put in; then they
# are shown with what they are, which must not be put in: a blank among them, with which nothing begins, sees to that.
_segue_offer() {
  local word about common='' quoted i
  local -a words=() abouts=()
  while IFS=$'\t' read -r word about; do
    [[ ${word,,} == "${typed,,}"* && $word ]] || continue
    # After a name like that the program would look for an option.
    [[ $word != -* || $typed == -* || $ended ]] || continue
    words+=("$word")
    abouts+=("$about")
  done
  ((${#words[@]} > 0)) || return 0
  compopt -o nosort
  common=${words[0]}
  for word in "${words[@]}"; do
    while [[ $word != "$common"* ]]; do common=${common%?}; done
  done
  if ((${#words[@]} == 1)) || [[ $COMP_TYPE != @(9|33|63|64) ]]; then
    for word in "${words[@]}"; do
      _segue_quote "$word"
      COMPREPLY+=("$quoted")
    done
  elif ((${#common} > ${#typed})); then
    _segue_quote "$common"
    # Two that differ: of a single one the shell would close the quotes.
    COMPREPLY=("$quoted" "$quoted…")
  else
    COMPREPLY=(' ')
    for i in "${!words[@]}"; do COMPREPLY+=("${words[i]}${abouts[i]:+  (${abouts[i]})}"); done
  fi
}

# A word as it must stand on the line, in the quotes that are open there: in `quoted`.
_segue_quote() {
  case $quote in
    \') quoted=${1//\'/\'\\\'\'} ;;
    \")
      quoted=${1//\\/\\\\}
      quoted=${quoted//\"/\\\"}
      quoted=${quoted//\$/\\\$}
      quoted=${quoted//\`/\\\`}
      # No backslash protects this one between such quotes.
      quoted=${quoted//!/\"\'!\'\"}
      ;;
    *)
      printf -v quoted %q "$1"
      # bash splits words there.
      [[ $quoted == "\$'"* ]] || { quoted=${quoted//:/\\:} && quoted=${quoted//=/\\=}; }
      ;;
  esac
}

complete -F _segue segue
