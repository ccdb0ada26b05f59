# shellcheck shell=bash
# Completions of segue(1) for bash 4.4 and later. To load them into the current shell:  source segue.bash
#
# Verbs, options and fixed words are taken from `segue --help` and `segue help VERB`, so that they match the installed
# program. Queue entries, playlists, albums and other items are requested from the daemon with a timeout of two seconds.
# Typed text is never evaluated.

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
    --kind) _segue_offer < <(_segue_kinds) ;;
    --provider) _segue_offer < <(_segue_run providers | cut -f 1,2) ;;
    --genre) _segue_offer < <(_segue_genres) ;;
    --sort) _segue_offer < <(_segue_orders) ;;
    --country | --limit | --page) ;;
    --output) _segue_offer < <(printf '%s\n' plain json waybar polybar i3blocks i3status-rs yambar eww tmux) ;;
    --format) ;;
    *) _segue_complete_word ;;
  esac
}

# Reads the words before the current one without options into `given`, which starts with the verb. bash splits words at
# colons and equals signs; they are joined again here. The part of the current word before such a sign is stored in `head`.
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
        --socket | --color | --colour | --size | --output | --format | --kind | --provider | --genre | --country | --limit | --page | --sort)
          pending=$word
          ;;
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

# Reads the typed part of the current word into `typed`, without quotes, and its opening quote into `quote`.
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
  # Without -r, read removes the backslashes.
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
    _segue_offer < <(_segue_options && _segue_flags)
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

# Completes an argument of the verb `name`. `rest` is its usage after the name.
_segue_complete_argument() {
  case $name:${#given[@]} in
    # An argument that is not a number is a file.
    play:1) [[ $typed == *[!0-9]* ]] || _segue_offer < <(_segue_entries) ;;
    chapters:1) [[ $typed == *[!0-9]* ]] || _segue_offer < <(_segue_chapters) ;;
    list:1 | move:[12] | remove:*) _segue_offer < <(_segue_entries) ;;
    album:1 | artist:1) _segue_offer < <(_segue_named) ;;
    play:2 | add:2 | insert:2 | replace:2 | info:2 | art:2)
      name=${given[1]}
      case $name in
        album | artist) _segue_offer < <(_segue_named) ;;
        playlist) _segue_offer < <(_segue_playlists) ;;
        genre) _segue_offer < <(_segue_run genres | cut -f 2) ;;
      esac
      ;;
    playlist:1) _segue_offer < <(_segue_playlist_verbs) ;;
    playlist:2) [[ ${given[1]} == list ]] || _segue_offer < <(_segue_playlists) ;;
    fav:2) [[ ${given[1]} != list ]] || _segue_offer < <(_segue_orders) ;;
    sort:1) _segue_offer < <(_segue_orders && _segue_words "$rest") ;;
    outputs:1) _segue_offer < <(_segue_run outputs | cut -f 1,2 && _segue_words "$rest") ;;
    settings:2) [[ ${given[1]} == list ]] || _segue_offer < <(_segue_settings) ;;
    settings:3) [[ ${given[1]} != set ]] || _segue_offer < <(_segue_values "${given[2]}") ;;
    popular:1) _segue_offer < <(_segue_kinds) ;;
    providers:2) _segue_offer < <(_segue_run providers | cut -f 1,2) ;;
    rate:1) _segue_offer < <(printf '%s\n' {0..10} && _segue_words "$rest") ;;
    watch:*) _segue_offer < <(printf '%s\n' player queue library output settings favorites playlists ratings history) ;;
    rpc:1) _segue_offer < <(_segue_methods) ;;
    help:1) _segue_offer < <(_segue_verbs) ;;
    *:1) _segue_offer < <(_segue_words "$rest") ;;
  esac
}

# Completes a URI of the library. bash treats the part before the colon as a separate word.
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

# Completes files like elsewhere in the shell, with its own quoting.
_segue_files() { compopt -o default -o bashdefault; }

# --- Candidates from the program and the daemon. Each function prints lines of the form "WORD<tab>description". The lines
# contain no control characters.

_segue_run() { timeout 2 "${program/#\~\//$HOME/}" "${socket[@]}" "$@" </dev/null 2>/dev/null; }

# Prints the rows of the options or of the verbs in `segue --help`, which is in the language of the user. The description of a
# long row is on the next line.
_segue_help_rows() {
  _segue_run --help | awk -v wanted="$1" '
    /^[^ ]/ || /^  segue / { here = ""; next }
    /^  [^ ]/ { here = /^  -/ ? "options" : "verbs" }
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

# Print the fixed words in the usage of a verb, and the options in its help. The options after a pipe belong to other programs.
_segue_words() { tr -s ' |[]' '\n' <<<"$1" | grep -x '[a-z][a-z]*'; }
_segue_flags() {
  _segue_run help "${given[0]}" | sed '1!{/|/d}' | grep -oe '--[a-z][a-z-]*' | awk '!seen[$0]++'
}

# Prints the orders of the lists that the verb prints or sorts.
_segue_orders() {
  case ${given[0]} in
    tracks | songs) printf '%s\n' album artist title year added rating random ;;
    albums) printf '%s\n' title artist year added random ;;
    history) printf '%s\n' time plays ;;
    sort) printf '%s\n' album title artist date duration path ;;
    *) printf '%s\n' date title year rating ;;
  esac
}

_segue_kinds() { printf '%s\n' song album artist film audiobook podcast episode station person; }

# Prints the names of the genres of an online catalogue for the kind that was typed.
_segue_genres() {
  local kind=song
  [[ ${given[0]} != radio ]] || kind=station
  _segue_run genres --online --kind "${given[1]:-$kind}" | cut -f 2
}

_segue_playlist_verbs() {
  echo list
  _segue_run help playlist | awk '$1 == "segue" && $4 == "NAME" && !seen[$3]++ { print $3 }'
}

_segue_entries() { _segue_run list 1-1000 | awk -F '\t' '{ print $1 "\t" $2 ($3 == "" ? "" : " - " $3) }'; }

_segue_chapters() { _segue_run chapters | cut -f 1,3; }

# Prints the names of playlists, decoded from their URIs, because the list makes control characters in names visible.
_segue_playlists() {
  local uri rest name
  while IFS=$'\t' read -r uri rest; do
    name=${uri#segue:playlist/}
    printf '%b\n' "${name//%/\\x}"
  done < <(_segue_run playlist list)
}

# Prints the names of albums or artists, or the numbers of those whose names contain control characters.
_segue_named() {
  _segue_run "${name}s" | awk -F '\t' -v what="$name" '
    $2 ~ /\^[?-_]|<U\+/ { sub(/.*\//, "", $1); print $1 "\t" $2; next }
    !seen[$2]++ { print $2 "\t" (what == "album" ? $3 : "") }'
}

# Print the names of settings (for `set` only those that can be changed), and the accepted values of one.
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

# --- Output to the shell.

# Offers the candidates on standard input that start with the typed text. If there are several, their common prefix is
# inserted first. Then they are listed with their descriptions; an additional candidate that is a space prevents bash from
# inserting the descriptions.
_segue_offer() {
  local word about common='' quoted i
  local -a words=() abouts=()
  while IFS=$'\t' read -r word about; do
    [[ ${word,,} == "${typed,,}"* && $word ]] || continue
    # The program would treat such a name as an option.
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
    # Two different candidates prevent the shell from closing the quotes.
    COMPREPLY=("$quoted" "$quoted…")
  else
    COMPREPLY=(' ')
    for i in "${!words[@]}"; do COMPREPLY+=("${words[i]}${abouts[i]:+  (${abouts[i]})}"); done
  fi
}

# Stores a word in `quoted`, quoted for the open quote of the command line.
_segue_quote() {
  case $quote in
    \') quoted=${1//\'/\'\\\'\'} ;;
    \")
      quoted=${1//\\/\\\\}
      quoted=${quoted//\"/\\\"}
      quoted=${quoted//\$/\\\$}
      quoted=${quoted//\`/\\\`}
      # A backslash does not protect this character in double quotes.
      quoted=${quoted//!/\"\'!\'\"}
      ;;
    *)
      printf -v quoted %q "$1"
      # bash splits words at these characters.
      [[ $quoted == "\$'"* ]] || { quoted=${quoted//:/\\:} && quoted=${quoted//=/\\=}; }
      ;;
  esac
}

complete -F _segue segue
