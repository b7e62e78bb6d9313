# Reads the table in kernels.c for make: prints what is built of each kernel, as
# "any/naive", "any/tiled-TILE.32", "80/mma", "90a/hgemm": behind the lowest
# architecture that has it, or its only one, the kernel with the default values
# of its parameters and with each other value.
$1 == ".name" {
	split($0, quoted, "\"")
	count = 1
	builds[1] = name = quoted[2]
	arch = "any"
}
match($0, /\{ "[A-Z]+", \{ [0-9, ]+ \}/) {
	split(substr($0, RSTART, RLENGTH), quoted, "\"")
	gsub(/[^0-9 ]/, "", quoted[3])
	values = split(quoted[3], value, " ")
	for (i = 2; i <= values; i++)
		builds[++count] = name "-" quoted[2] "." value[i]
}
$1 == ".arch" { arch = $3 + 0 }
$1 == ".arch_only" { arch = arch "a" }
/^\t},/ {
	for (i = 1; i <= count; i++)
		print arch "/" builds[i]
	count = 0
}
