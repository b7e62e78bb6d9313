# complete.zsh FOLDER LINE: what zsh, at a terminal of its own, completes a line
# with, one a line. FOLDER has _gemmviz.
zmodload zsh/zpty || exit
rc=$(mktemp) || exit
cat >$rc <<'END'
PROMPT=
autoload -U compinit
compinit -u -D
bindkey '^I' complete-word
# What is found is printed, and nothing is put into the line.
compadd() {
	if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
		builtin compadd "$@"
		return
	fi
	local -a hits
	builtin compadd -A hits "$@"
	builtin compadd "$@"
	(( $#hits )) && print -rl -- '<'$^hits'>'
}
tell() { print '<<end>>' }
comppostfuncs=(tell)
print '<<ready>>'
END
zpty z "exec zsh -f -i"
zpty -w z "stty -echo; fpath=(${(q)1} \$fpath); . ${(q)rc}"
zpty -r -m z ready '*<<ready>>*'
zpty -w -n z "$2"$'\t'
zpty -r -m z given '*<<end>>*'
zpty -d z
rm -f $rc
print -r -- $given | tr -d '\r' | grep -o '<[^<>]*>' | tr -d '<>' | grep -v '^end$'
