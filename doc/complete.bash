
# What completes a name such as KERNEL|FILE.cu, into COMPREPLY.
_gemmviz_complete()
{
	local all=$1 kind words=()
	while read -r kind; do
		case $kind in
		FILE | *.cu | *.py | *.ipynb | *.gvt | *.md | *.txt)
			compopt -o filenames
			local suffix=${kind#FILE}
			mapfile -O ${#COMPREPLY[@]} -t COMPREPLY < <(
				compgen -d -- "$cur"
				compgen -f -X "!*${suffix#F}" -- "$cur") ;;
		FOLDER)
			compopt -o filenames
			mapfile -O ${#COMPREPLY[@]} -t COMPREPLY < <(
				compgen -d -- "$cur") ;;
		MACRO=VALUE)
			_gemmviz_macro "$cur" ;;
		*)
			mapfile -t words < <(_gemmviz_list "$kind")
			[[ ${#words[@]} -eq 0 && ($all == *'|'* ||
				$kind != *[!a-z-]*) &&
				$kind != *[!a-z0-9-]* ]] && words=("$kind") ;;
		esac
		local word
		for word in "${words[@]}"; do
			[[ $word == "$cur"* ]] && COMPREPLY+=("${word// /\\ }")
		done
		words=()
	done < <(tr '|' '\n' <<<"${all//FILE.cu/FILE.cu|FILE.py|FILE.ipynb}")
	# A folder may have been found twice.
	mapfile -t COMPREPLY < <(printf '%s\n' "${COMPREPLY[@]}" |
		awk 'NF && !seen[$0]++')
}

# A macro of the last kernel on the line; of TILE=1 the shell holds the 1 alone
# where = parts words.
_gemmviz_macro()
{
	local word kernel='' head=''
	for word in "${words_all[@]:1:cword-1}"; do
		[[ -n $(_gemmviz_macros "$word") ]] && kernel=$word
	done
	[[ $1 == *=* && $COMP_WORDBREAKS == *=* ]] && head=${1%%=*}=
	while read -r word; do
		[[ $word == "$1"* ]] && COMPREPLY+=("${word#"$head"}")
	done < <(_gemmviz_macros "$kernel")
}

_gemmviz()
{
	local cur prev words cword split
	_init_completion -s -n : || return
	# With = in words that are no options, such as TILE=16.
	local words_all=("${words[@]}")
	local command='' at=0 i takes='' option argument
	local -A arguments=()
	for ((i = 1; i < cword; i++)); do
		[[ ${words[i]} != -* ]] && {
			[[ $i -eq 1 ]] && command=${words[1]}
			break
		}
	done
	while IFS=' ' read -r option argument; do
		arguments[$option]=$argument
	done < <(_gemmviz_options "$command")
	if [[ -n ${arguments[$prev]-} ]]; then
		_gemmviz_complete "${arguments[$prev]}"
		return
	fi
	$split && return
	if [[ $cur == -D* && -n ${arguments[-D]-} ]]; then
		_gemmviz_macro "${cur#-D}"
		[[ $cur == *=* ]] || COMPREPLY=("${COMPREPLY[@]/#/-D}")
		return
	fi
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "${!arguments[*]}" -- "$cur")
		return
	fi
	if [[ -z $command ]]; then
		[[ $cword -eq 1 ]] && mapfile -t COMPREPLY < <(
			compgen -W "$(_gemmviz_commands)" -- "$cur")
		return
	fi
	for ((i = 2; i < cword; i++)); do
		if [[ ${words[i]} == -* ]]; then
			[[ -n ${arguments[${words[i]}]-} ]] && ((i++))
		else
			((at++))
		fi
	done
	mapfile -t takes < <(_gemmviz_arguments "$command")
	if [[ ${takes[-1]-} == ... ]]; then
		unset 'takes[-1]'
		((at >= ${#takes[@]})) && at=$((${#takes[@]} - 1))
	fi
	[[ -n ${takes[at]-} ]] && _gemmviz_complete "${takes[at]}"
} &&
	complete -F _gemmviz gemmviz
