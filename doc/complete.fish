# Whether the command on the line is this one; "": none is yet.
function __gemmviz_is
	set -l words (commandline -opc)
	if set -q words[2]; and not string match -q -- '-*' $words[2]
		test "$words[2]" = "$argv[1]"
	else
		test -z "$argv[1]"
	end
end

# What completes a name such as KERNEL|FILE.cu.
function __gemmviz_complete
	set -l kinds (string replace -a FILE.cu 'FILE.cu|FILE.py|FILE.ipynb' -- $argv[1] |
		string split '|')
	for kind in $kinds
		set -l found (__gemmviz_list $kind)
		if set -q found[1]
			printf '%s\n' $found
			continue
		end
		switch $kind
			case FILE
				__fish_complete_path (commandline -ct)
			case FOLDER
				__fish_complete_directories (commandline -ct) ''
			case '*.cu' '*.py' '*.ipynb' '*.gvt' '*.md' '*.txt'
				set -l token (commandline -ct)
				set found $token*.(string split -r -m1 . $kind)[2] $token*/
				printf '%s\n' $found
			case 'MACRO=VALUE'
				for word in (commandline -opc)
					set -l macros (__gemmviz_macros $word)
					set -q macros[1]; and set found $macros
				end
				printf '%s\n' $found
			case '*'
				if string match -qr '^[a-z-]+$' -- $kind
					echo $kind
				else if set -q kinds[2]
					string match -r '^[a-z0-9-]+$' -- $kind
				end
		end
	end
end
