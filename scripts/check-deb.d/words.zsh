# What zsh completes a line with, by the installed completions: zsh -f words.zsh LINE
zmodload zsh/zpty
zpty shell zsh -f -i
# The marks are put together there, so that the echo of these lines has none.
zpty -w shell 'PS1= PS2=; typeset -Ua words_found; autoload -Uz compinit; compinit -u
compadd() { builtin compadd -A found "$@"; words_found+=($found); builtin compadd "$@"; }
ended() { print -r -- "<""<${(j: :)words_found}>"">"; words_found=(); }
comppostfuncs=(ended); print -r -- "<""<>"">"'
zpty -r shell said '*<<>>*'
zpty -w -n shell "$1"$'\t'
zpty -r shell said '*<<*>>*'
print -r -- "${${said##*<<}%%>>*}"
zpty -d shell
