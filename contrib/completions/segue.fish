# Completions of segue(1) for fish. To install them, put this file into ~/.config/fish/completions.
#
# The program finds the candidates (`segue complete WORD…`): a line each, with a tab and a description. An empty line
# stands for files.

complete -c segue -f -a '(__segue_complete)'

function __segue_complete
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    # A quote of the typed word may be open.
    set -l typed (string unescape -- $token; or string unescape -- $token\'; or string unescape -- $token\")
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    for line in (command $program complete $words[2..] "$typed" </dev/null 2>/dev/null)
        test -n "$line"; and printf '%s\n' $line; or __fish_complete_path $token
    end
end
