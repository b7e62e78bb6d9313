#!/bin/bash
# gemmviz calibrate against a runner that measures nothing.
. "${srcdir:=.}/tests/tap.sh"
cd "${builddir:-.}" || exit
gemmviz=./gemmviz
fake=tests/fake_gpu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export XDG_DATA_HOME=$tmp/data
kept=$tmp/data/gemmviz/calibrated/test-machine--made-up-.json
patterns=$(grep -c . "$srcdir/data/access-h200.jsonl")

# json EXPRESSION: of the value on standard input, $_.
json() {
	perl -MJSON::PP -0777 -e \
		'$_ = JSON::PP->new->decode(<STDIN>); print eval $ARGV[0]' "$1"
}

# run ARGUMENT...: sets out, err and status.
run() {
	out=$("$gemmviz" calibrate "$@" 2>"$tmp/err")
	status=$?
	err=$(cat "$tmp/err")
}

run --runner $fake
is "$status $err" "0 " "a GPU that is as the model says has status 0"
like "$out" '^test machine \(made up\), 20' "the machine stands above the table"
like "$out" 'clock, one SM busy +999\.9 MHz +±1\.0 % +1000 MHz +-0\.0 %$' \
	"measured, its spread, the model, how far they are apart"
like "$out" 'sector, fetched by one load +32 B +32 B +\+0\.0 %$' \
	"the sector is that after which a load takes longer"
like "$out" 'threads per SM +2048 +2048 ' \
	"what the driver says stands beside the table of occupancy"
like "$out" 'shared memory, bandwidth +6\.31[23] TB/s .* 12\.28 TB/s +-48\.6 %' \
	"a bandwidth stands beside what the SMs could move at their clock"
like "$out" 'shared ld 8 +721 +2\.00 \+ 1\.00 \* wavefronts +0\.00 +0 +0$' \
	"the rule for a kind of access, and how far its patterns are from it"
like "$out" 'global ld 4 +55 +max\(3\.00, 2\.00 \+ 1\.00 \* lines\) +0\.00 +26 +0$' \
	"of global memory, beside what hides it"
like "$out" "^All 2884 access patterns that are not hidden cost what the model predicts\.\$" \
	"how many patterns say something"
like "$out" "^Saved in $kept\.\$" "the file is where the program looks"
is "$(json 'join " ", length $_->{date}, exists $_->{patterns} || 0,
	scalar @{$_->{rules}}, scalar @{$_->{deviations}}, eval {
	my $n = 0; $n += $_->{patterns} for @{$_->{rules}}; $n }' <"$kept")" \
	"10 0 22 0 $patterns" \
	"and holds what came of the patterns, not the patterns"

run --runner "$fake deviates"
is $status 1 "another has status 1"
like "$out" "^1 of the 2884 access patterns " "and is told how many"
like "$out" '^shared ld 1: 7\.00 cycles, or 5\.00 by the line above; the model predicts 2:$' \
	"with which"
line=$(echo "$out" | grep '^{')
is "$(echo "$line" | "$gemmviz" access --stdin | json '$_->{wavefronts}')" 2 \
	"in a line that gemmviz access reads"
is "$(json '$_->{deviations}[0]{model}' <"$kept")" 2 "the file has it too"

run --runner $fake -o "$tmp/own.json"
is "$status $(json '$_->{machine}{gpu}' <"$tmp/own.json")" \
	"0 test machine (made up)" "-o writes elsewhere"
run --runner $fake -o "$tmp/own.json"
is "$status" 2 "but not over a file"
run --runner $fake -o "$tmp/own.json" --force
is "$status" 0 "unless with --force"
run --runner $fake -o -
is "$status $(echo "$out" | json '$_->{machine}{gpu}')" \
	"0 test machine (made up)" "- is standard output"
run --runner $fake --json
is "$(echo "$out" | json 'scalar @{$_->{rules}}')" 22 "--json prints the same"

# What was measured of a GPU is used where its race is shown.
"$gemmviz" time naive --size 64 --runner $fake --json -o "$tmp/race.json" \
	>/dev/null 2>&1
like "$("$gemmviz" race --plain naive --from "$tmp/race.json")" \
	'TFLOP/s of fp32, and 0\.10 TB/s that you have measured from DRAM\.' \
	"the roof of DRAM is what DRAM gave"
like "$(XDG_DATA_HOME=$tmp/none "$gemmviz" race --plain naive \
	--from "$tmp/race.json")" 'TB/s from DRAM\.' "or what its pins can do"

run --runner "$fake no-gpu"
is "$status" 6 "without a GPU the status is 6"
is "$out$(wc -l <"$tmp/err")" 1 "with one line"
run --runner "$fake die=2"
is "$status" 5 "a runner that is lost has status 5"
run naive
is "$status" 2 "it takes no names"
run --runner tests/nothing
is "$status" 5 "a runner that is not there"
XDG_DATA_HOME=/proc/nothing run --runner $fake
is "$status" 7 "a file that cannot be written is told"
# What others go by: an H200's calibration, and later one of another GPU.
rm -rf "$tmp/data" && mkdir -p "${kept%/*}" || exit
cp "$srcdir/data/calibration-h200.json" "${kept%/*}/nvidia-h200.json"
like "$("$gemmviz" occupancy --threads 256 --registers 64)" \
	'^limits of an SM of NVIDIA H200, calibrated on 2026-11-23$' \
	"occupancy is of the GPU that was calibrated, and says so"
json 'my $c = $_; $c->{date} = "2026-11-24";
	@{$c->{machine}}{"gpu", "compute"} = ("Altered", "8.6");
	$c->{limits}{shared} = 65536;
	$_->{cycles} = 500 for grep { $_->{name} eq "l2" } @{$c->{levels}};
	JSON::PP->new->encode($c)' \
	<"$srcdir/data/calibration-h200.json" >"${kept%/*}/altered.json"
is "$("$gemmviz" occupancy --threads 256 --shared 20000 --json | json '
	join " ", @$_{"arch", "calibrated", "active_blocks"}')" "sm_86 Altered 3" \
	"of the last one, with its limits"
is "$("$gemmviz" occupancy --arch sm_90 --threads 256 --json |
	json '$_->{calibrated} // "none"')" none \
	"another architecture has those of the table"
"$gemmviz" export --lesson memory --format txt --size 120x36 -o "$tmp/memory"
frames=$(cat "$tmp/memory")
like "$frames" 'L2 +60 MiB +500 ' "the lesson memory has the last one's levels"
like "$frames" 'floors: Altered, calibrated' "and names it"
like "$frames" 'traffic: NVIDIA H200; floors: Altered, calibrated 2026-11-24' \
	"the traffic stays that of the race's GPU"
"$gemmviz" export --lesson occupancy --format txt --size 120x36 -o "$tmp/occupancy"
like "$(cat "$tmp/occupancy")" 'an SM of Altered fills' \
	"occupancy's picture is of it, too"

done_testing
