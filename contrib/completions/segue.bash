# shellcheck shell=bash
# Completions of segue(1) for bash 4.4 and later. To load them into the current shell:  source segue.bash
#
# The program finds the candidates (`segue complete WORD…`): a line each, with a tab and a description. An empty line
# stands for files. Typed text is never evaluated.

_segue() {
  local i word about common quoted unquoted files='' head='' typed=$2 quote=''
  local -a given=() words=() abouts=()
  COMPREPLY=()
  # bash splits words at colons and equals signs. `head` is the part of the last word that bash does not complete.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((${#given[@]} > 0)) && [[ $word == [:=]* || ${given[-1]} == *[:=] ]]; then
      head=${given[-1]}
      given[-1]+=$word
    else
      head=''
      given+=("$word")
    fi
  done
  case $word in
    [:=]*) head+=$word typed='' ;;
    \'*) quote=\' typed=${typed#\'} ;;
    *)
      [[ $word != \"* ]] || quote=\" typed=${typed#\"}
      # Without -r, read removes the backslashes.
      # shellcheck disable=SC2162
      IFS= read -d '' typed <<<"$typed"
      typed=${typed%$'\n'}
      ;;
  esac
  given[-1]=$head$typed
  for ((i = 0; i < ${#given[@]} - 1; i++)); do
    _segue_unquote "${given[i]}"
    given[i]=$unquoted
  done
  while IFS=$'\t' read -r word about; do
    # The candidates after files would hide them.
    [[ $word ]] || { files=1 && break; }
    [[ ${word,,} == "${head,,}${typed,,}"* ]] || continue
    words+=("${word:${#head}}")
    abouts+=("$about")
  done < <(command "${1/#\~\//$HOME/}" complete "${given[@]}" </dev/null 2>/dev/null)
  ((${#words[@]} > 0)) || { [[ ! $files ]] || compopt -o default -o bashdefault; return; }

  compopt -o nosort
  # The identifier of an item follows.
  [[ $head != segue:* || ${words[0]} != */ ]] || compopt -o nospace
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
    # The common start is inserted first. Two different candidates prevent the shell from closing the quotes.
    _segue_quote "$common"
    COMPREPLY=("$quoted" "$quoted…")
  else
    # A candidate that is a space prevents the shell from inserting the descriptions.
    COMPREPLY=(' ')
    for i in "${!words[@]}"; do COMPREPLY+=("${words[i]}${abouts[i]:+  (${abouts[i]})}"); done
  fi
}

# Stores a word in `unquoted` without its quotes and backslashes. Nothing in it is expanded.
_segue_unquote() {
  local at char open=''
  unquoted=''
  for ((at = 0; at < ${#1}; at++)); do
    char=${1:at:1}
    case $open$char in
      \'\' | \"\") open='' ;;
      [\'\"]) open=$char ;;
      \\ | \"\\)
        char=${1: ++at:1}
        # In double quotes, a backslash protects only these characters.
        [[ ! $open || $char == [\"\$\`\\] ]] || char=\\$char
        unquoted+=$char
        ;;
      *) unquoted+=$char ;;
    esac
  done
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
