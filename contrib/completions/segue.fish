# Completions of segue(1) for fish. To install them, put this file into ~/.config/fish/completions.
#
# Verbs, options and fixed words are taken from `segue --help` and `segue help VERB`, so that they match the installed
# program. Queue entries, playlists, albums and other items are requested from the daemon with a timeout of two seconds.

complete -c segue -f -a '(__segue_complete)'

function __segue_complete
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    # The words before the current one without options. The first of them is the verb.
    set -l given
    set -l pending
    set -l ended
    set -l socket
    for word in $words[2..]
        if set -q pending[1]
            test $pending = --socket; and set socket --socket $word
            set pending
        else if set -q ended[1]
            set -a given $word
        else
            switch $word
                case --
                    set ended 1
                case '--socket=*'
                    set socket $word
                case --socket --color --colour --size --output --format --kind --provider --genre --country --limit --page --sort
                    set pending $word
                case '-*'
                    # A negative number is not an option.
                    string match -qr '^-[0-9.]' -- $word; and set -a given $word
                case '*'
                    set -a given $word
            end
        end
    end
    set -g __segue_command timeout 2 (string replace -r '^~/' "$HOME/" -- $words[1]) $socket

    switch "$pending"
        case --socket
            __fish_complete_path $token
        case --color --colour
            printf '%s\n' auto always never
        case --size
            printf '%s\n' small medium full
        case --kind
            __segue_kinds
        case --provider
            __segue_run providers | cut -f 1,2
        case --genre
            set -l kind $given[2]
            test "$given[1]" = radio; and set kind station
            set -q kind[1]; or set kind song
            __segue_run genres --online --kind $kind[1] | cut -f 2
        case --sort
            __segue_orders $given[1]
        case --country --limit --page
        case --output
            printf '%s\n' plain json waybar polybar i3blocks i3status-rs yambar eww tmux
        case --format
        case '*'
            if not set -q given[1]
                __segue_rows options; and __segue_rows verbs
            else
                set -l usage (string split -m 1 ' ' -- (__segue_run help $given[1] | string replace -rf '^[^ ]*:  segue ' '' | head -n 1))
                set -q usage[1]; or return
                if not set -q ended[1]; and string match -q -- '-*' $token
                    __segue_rows options
                    # The options after a pipe belong to other programs.
                    __segue_run help $given[1] | sed '1!{/|/d}' | string match -ar -- '--[a-z][a-z-]+' | awk '!seen[$0]++'
                else
                    __segue_complete_argument "$token" $usage[1] "$usage[2]" $given
                end
            end
    end
end

# Completes an argument of the verb `name`. `rest` is its usage after the name; the other arguments are the typed words.
function __segue_complete_argument -a token name rest
    set -l given $argv[4..]
    set -l count (count $given)
    switch $name:$count
        case play:1 list:1 move:1 move:2 'remove:*'
            __segue_run list 1-1000 | awk -F '\t' '{ print $1 "\t" $2 ($3 == "" ? "" : " - " $3) }'
        case chapters:1
            __segue_run chapters | cut -f 1,3
        case album:1 artist:1
            __segue_named $name
        case play:2 add:2 insert:2 replace:2 info:2 art:2
            switch $given[2]
                case album artist
                    __segue_named $given[2]
                case playlist
                    __segue_playlists
                case genre
                    __segue_run genres | cut -f 2
            end
        case playlist:1
            echo list
            __segue_run help playlist | awk '$1 == "segue" && $4 == "NAME" && !seen[$3]++ { print $3 }'
        case playlist:2
            test $given[2] = list; or __segue_playlists
        case fav:2
            test $given[2] = list; and __segue_orders fav
        case sort:1
            __segue_orders sort
            __segue_words $rest
        case outputs:1
            __segue_run outputs | cut -f 1,2
            __segue_words $rest
        case settings:2
            test $given[2] = list; or __segue_settings $given[2]
        case settings:3
            test $given[2] = set; and __segue_values $given[3]
        case popular:1
            __segue_kinds
        case providers:2
            __segue_run providers | cut -f 1,2
        case rate:1
            seq 0 10
            __segue_words $rest
        case 'watch:*'
            printf '%s\n' player queue library output settings favorites playlists ratings history
        case rpc:1
            __segue_run rpc rpc.discover | sed 's/"paramStructure"/\n/g' | sed -n '$!s/.*{"name":"\([a-z.]*\)".*/\1/p'
        case help:1
            __segue_rows verbs
        case '*:1'
            __segue_words $rest
    end
    switch $name:$rest
        case 'fav:*'
            contains -- "$given[2]" add remove; and __segue_things $token
        case 'playlist:*'
            test $count -gt 2; and contains -- $given[2] save add; and __segue_things $token
        case '*PATH*'
            __segue_things $token
    end
end

# Completes playable items: files and URIs of the library.
function __segue_things -a token
    set -l kind (string match -r '^segue:([a-z]+)/' -- $token)[2]
    switch "$kind"
        case album artist genre
            __segue_run $kind"s" | cut -f 1,2
        case playlist
            __segue_run playlist list | cut -f 1,2
        case '*'
            __fish_complete_path $token
            printf 'segue:%s/\n' album artist genre playlist search
    end
end

# --- Candidates from the program and the daemon. Each function prints lines of the form "WORD<tab>description". The lines
# contain no control characters.

function __segue_run
    command $__segue_command $argv </dev/null 2>/dev/null
end

# Prints the rows of the options or of the verbs in `segue --help`, which is in the language of the user. The description of a
# long row is on the next line.
function __segue_rows -a wanted
    __segue_run --help | awk -v wanted=$wanted '
        /^[^ ]/ || /^  segue / { here = ""; next }
        /^  [^ ]/ { here = /^  -/ ? "options" : "verbs" }
        here != wanted || !/^  / { next }
        /^   / { sub(/^ +/, ""); if (left != "") row(left, $0); left = ""; next }
        { sub(/^  /, ""); at = match($0, /   *[^ ]/); left = at ? "" : $0
          if (at) row(substr($0, 1, at - 1), substr($0, at + RLENGTH - 1)) }
        function row(left, right) {
          n = split(left, words, /[ ,]+/)
          for (i = 1; i <= n; i++) if (i == 1 || words[i] ~ /^-/) print words[i] "\t" right }'
end

# Prints the fixed words in the usage of a verb.
function __segue_words -a rest
    string split ' ' -- $rest | string split '|' | string trim -c '[]' | string match -r '^[a-z]+$'
end

# Prints the orders of the lists that a verb prints or sorts.
function __segue_orders -a verb
    switch $verb
        case tracks songs
            printf '%s\n' album artist title year added rating random
        case albums
            printf '%s\n' title artist year added random
        case history
            printf '%s\n' time plays
        case sort
            printf '%s\n' album title artist date duration path
        case '*'
            printf '%s\n' date title year rating
    end
end

function __segue_kinds
    printf '%s\n' song album artist film audiobook podcast episode station person
end

# Prints the names of playlists, decoded from their URIs, because the list makes control characters in names visible.
function __segue_playlists
    __segue_run playlist list | cut -f 1 | string replace segue:playlist/ '' | string unescape --style=url
end

# Print the names of settings (for `set` only those that can be changed), and the accepted values of one.
function __segue_settings -a action
    __segue_run settings | awk -F '\t' -v action=$action 'action == "get" || $4 != "" { print $1 "\t" $5 }'
end

function __segue_values -a name
    string match -qi '*device' -- $name; and __segue_run outputs | cut -f 1,2
    __segue_run settings | awk -F '\t' -v name=(string lower -- $name) '
        { full = tolower($1); part = full; sub(/.*\./, "", part) }
        (full == name || part == name) && $4 ~ /\|/ { gsub(/\|/, "\n", $4); print $4 }'
end

# Prints the names of albums or artists, or the numbers of those whose names contain control characters.
function __segue_named -a what
    __segue_run $what"s" | awk -F '\t' -v what=$what '
        $2 ~ /\^[?-_]|<U\+/ { sub(/.*\//, "", $1); print $1 "\t" $2; next }
        !seen[$2]++ { print $2 "\t" (what == "album" ? $3 : "") }'
end
