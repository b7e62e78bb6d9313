#!/usr/bin/env bash
# Thirty files that people have handed in, of which some are hostile: each has
# its line, with what was expected of it; nothing is left, and nothing is done.
. "$srcdir/tests/tap.sh"
course=$srcdir/doc/gemmviz-course
hostile=$srcdir/tests/hostile
export GEMMVIZ=$builddir/gemmviz
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
export TMPDIR=$tmp/work
mkdir "$TMPDIR" "$tmp/in" "$tmp/own"
# A user of its own has to get there.
chmod 755 "$tmp" "$TMPDIR"
chmod 777 "$tmp/own"
if ! "$GEMMVIZ" --version | grep -q Landlock ||
		grep -q '^#define SANITIZED 1' "$builddir/config.h"; then
	skip "thirty files" "a file is not confined here"
	done_testing
	exit
fi

# put NAME WANT TEXT: a file, and the result that it must have.
put() {
	printf '%s\n' "$3" >"$tmp/in/$1"
	files+=("$tmp/in/$1")
	wants+=("$2")
}

files=() wants=()
good='__global__ void k(float *A) { A[threadIdx.x] = threadIdx.x; }'
for i in 1 2 3 4 5; do
	put "student$i.cu" right "$good // $i"
done
put $'\xd7\xf7\xd2\xb5.cu' right "$good"		# GBK
put '学生.cu' right "$good"
put $'a "quoted" \e[31m\u202ename.cu' right "$good"
put '-rf.cu' right "$good"
for i in 1 2 3; do
	put "outside$i.cu" wrong \
		"__global__ void k(float *A) { __shared__ float s[32];
		s[threadIdx.x + $i] = 1; __syncthreads(); A[threadIdx.x] = s[9]; }"
	put "error$i.cu" unreadable \
		"__global__ void k(float *A) { A[threadIdx.x] = $i }"
done
echo 'the secret' >"$tmp/secret.cu"
ln -s "$tmp/secret.cu" "$tmp/in/link.cu"
files+=("$tmp/in/link.cu") wants+=(unreadable)
put none.cu usage 'int main() { return 0; }'
put gbk_text.cu unreadable $'\xbe\xd8'
for name in kernel_system kernel_fork kernel_open_read load_exit load_forge \
		include_passwd include_zero kernel_socket kernel_forge \
		load_write_file kernel_exit; do
	put "$name.cu" refused "$(sed "s,@DIR@,$tmp/own," "$hostile/$name.cu")"
done
files+=("$tmp/in/not-there.cu") wants+=(unreadable)
is "${#files[@]}" 30 "thirty files"

# thirty HOW: all of them.
thirty() {
	rm -rf "$tmp/kept"
	(cd "$tmp/in" && "$course" -i "$1" -t 10 -j 2 -o "$tmp/kept" --json \
		"${files[@]}" -- --block 32 --grid 1) >"$tmp/out" 2>"$tmp/err"
	is "$?:$(cat "$tmp/err")" "0:" "$1: no complaint"
	is "$(wc -l <"$tmp/out")" 30 "$1: a line for each"
	is "$(perl -MJSON::PP -ne 'print decode_json($_)->{result}, "\n"' \
		<"$tmp/out")" "$(printf '%s\n' "${wants[@]}")" \
		"$1: the results, in order, as JSON"
	like "$(grep '"kernel_system.cu"' "$tmp/out")" \
		'it tried to start a process' "$1: what was tried"
	like "$(grep '"outside2.cu"' "$tmp/out")" 'writes s\[32\]' \
		"$1: what is wrong"
	like "$(grep '"gbk_text.cu"' "$tmp/out")" 'file.cu:1: ' \
		"$1: the reason, whatever else is said before it"
	is "$(ls "$tmp/kept" | wc -l)" 30 "$1: a report of each is kept"
	is "$(LC_ALL=C grep -c $'\e\|\xe2\x80\xae\|\xd7\xf7' "$tmp/out")" 0 \
		"$1: names and words are only text"
	is "$(grep -c secret "$tmp/out" "$tmp/kept"/* | grep -cv ':0$')" 0 \
		"$1: a link leads nowhere"
	is "$(ls "$tmp/own")" "" "$1: nothing was done"
	is "$(ls -A "$TMPDIR")" "" "$1: no folder is left"
	is "$(processes_of "$tmp/work")" "" \
		"$1: no process is left"
}

# As root with the tree below a home that is root's alone, no user gets there.
if [ "$(id -u)" -ne 0 ]; then
	skip "a user for each" "not root"
	thirty none
elif setpriv --reuid 61000 --regid 61000 --clear-groups timeout 10 \
		"$GEMMVIZ" --version >/dev/null 2>&1; then
	thirty user
else
	skip "a user for each" "no other user may go to $builddir"
	"$course" -i user "${files[0]}" >"$tmp/out" 2>&1
	is "$?:$(cat "$tmp/out")" "2:gemmviz-course: -i user does not work here; see the first lines of $course" \
		"and none is asked to"
	thirty none
fi
# peep HOW: how much one file's report tells of what another one handed in,
# whose place it knows.
peep() {
	local in
	in=$(mktemp -d "$builddir/course.XXXXXX")
	echo '#error the secret is told' >"$in/secret.h"
	printf '#include "%s"\n%s\n' "$(realpath -m --relative-to \
		"$TMPDIR/work/1" "$in/secret.h")" "$good" >"$in/peep.cu"
	"$course" -i "$1" -o "$tmp/peep" "$in/peep.cu" -- \
		--block 32 --grid 1 >/dev/null
	rm -r "$in"
	tr -s '\n ' ' ' <"$tmp/peep/1.txt" | grep -cE 'secret is told|tried to read'
}
if ! command -v bwrap >/dev/null; then
	skip "a container for each" "no bubblewrap"
elif ! bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
	skip "a container for each" "bubblewrap is not permitted here"
elif [[ $builddir == /tmp/* || $srcdir == /tmp/* ]]; then
	skip "a container for each" "the program is in /tmp, which is hidden"
else
	thirty container
	is "$(peep none)" 1 "where nothing hides it, a file reads another"
	is "$(peep container)" 0 "but not in a container"
fi

# The table, and one that has no end.
"$course" -t 2 "$hostile/load_loop.cu" "${files[0]}" -- --block 32 --grid 1 \
	>"$tmp/out" 2>/dev/null
like "$(sed -n 1p "$tmp/out")" \
	'^   1  load_loop.cu  .*refused .* more than 2 seconds' "an endless file"
like "$(sed -n 2p "$tmp/out")" '^   2  student1.cu  .*right' "and the next"
"$course" -t none x.cu >"$tmp/out" 2>&1
is $? 2 "wrong usage"
done_testing
