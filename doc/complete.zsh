# What completes a name such as KERNEL|FILE.cu.
_gemmviz_complete()
{
	local kind ret=1
	local -a found
	for kind in ${(s:|:)${1//FILE.cu/FILE.cu|FILE.py|FILE.ipynb}}; do
		case $kind in
		FILE) _files && ret=0 ;;
		FOLDER) _files -/ && ret=0 ;;
		*.(cu|py|ipynb|gvt|md|txt)) _files -g "*.${kind##*.}" && ret=0 ;;
		MACRO=VALUE)
			local word
			for word in $words; do
				[[ -n $(_gemmviz_macros $word) ]] &&
					found=(${(f)"$(_gemmviz_macros $word)"})
			done
			compadd -a found && ret=0 ;;
		*)
			found=(${(f)"$(_gemmviz_list $kind)"})
			(( $#found )) || [[ $kind == *[^a-z0-9-]* ]] ||
				[[ $1 != *'|'* && $kind == *[0-9]* ]] ||
				found=($kind)
			compadd -a found && ret=0 ;;
		esac
	done
	return ret
}

_gemmviz()
{
	local -a specs commands
	if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
		_gemmviz_commands
		_describe -t commands command commands
		return
	fi
	if [[ $words[2] == -* ]]; then
		_gemmviz_specs ''
	else
		_gemmviz_specs $words[2]
		shift words
		(( CURRENT-- ))
	fi
	_arguments $specs
}

_gemmviz "$@"
