#!/usr/bin/env bash
# What is missing, or limited, is reported as that: each row of the table in
# SECURITY.md has a function here that takes the thing away. What is said, and
# the status, are the table's. A row without a function fails, and so does a
# function without a row.
# sanitized: never (the runtime takes more than the limits allow)
. "$srcdir/tests/tap.sh"
build=$(cd "$builddir" && pwd)
security=$(cd "$srcdir" && pwd)/SECURITY.md
tmp=$(mktemp -d) || exit
trap 'chmod -R u+rwX "$tmp"; rm -rf "$tmp"' EXIT

if grep -q '^#define SANITIZED 1' "$build/config.h"; then
	skip "missing resources" "the address sanitizer takes more of each"
	done_testing
	exit
fi
if ! "$build/gemmviz" --version | grep -q Landlock; then
	skip "missing resources" "this system cannot confine a file"
	done_testing
	exit
fi
# Root may write everywhere, and has as many processes as it likes.
as=
if [ "$(id -u)" = 0 ]; then
	as="setpriv --reuid 65534 --regid 65534 --clear-groups"
	if ! $as "$build/gemmviz" --version >/dev/null 2>&1; then
		skip "missing resources" "another user cannot start gemmviz"
		done_testing
		exit
	fi
fi

gemmviz=$build/gemmviz
here=$tmp/here
mkdir "$here" "$here/work" "$here/mount" "$here/locked"
cat >"$here/own.cu" <<'X'
__global__ void f(const float *A, const float *B, float *C, int M, int N, int K)
{
	int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
	float s = 0;
	for (int k = 0; k < K; k++)
		s += A[i * K + k] * B[k * N + j];
	C[i * N + j] = s;
}
X
cat >"$here/prog.cu" <<'X'
__global__ void f(float *x) { x[threadIdx.x] += 1; }
int main()
{
	float *x;
	cudaMalloc(&x, 128);
	cudaMemset(x, 0, 128);
	f<<<1, 32>>>(x);
	cudaDeviceSynchronize();
	cudaFree(x);
}
X
cat >"$here/slow.cu" <<'X'
__global__ void f(float *x) { x[threadIdx.x] += 1; }
int main()
{
	for (volatile long i = 0; i < 1000000000000; i = i + 1)
		;
}
X
cat >"$here/slow_compile.cu" <<'X'
constexpr long sum(long a)
{
	long s = a;
	for (int i = 0; i < 2000; i++)
		for (int j = 0; j < 2000; j++)
			s += i ^ j;
	return s;
}
template<int N> struct sums { static constexpr long s = sum(N) + sums<N - 1>::s; };
template<> struct sums<0> { static constexpr long s = 0; };
__global__ void f(long *a) { a[0] = sums<200>::s; }
X
cat >"$here/takes.cu" <<'X'
#include <cstdlib>
__global__ void f(float *x) { x[threadIdx.x] += 1; }
int main()
{
	volatile char *p = (char *)malloc(1l << 30);
	for (long i = 0; i < 1l << 30; i += 4096)
		p[i] = 1;
}
X
"$gemmviz" record tiled -m 20 -n 20 -k 20 -o "$here/a.gvt" >/dev/null
chmod -R a+rwX "$tmp"
chmod 555 "$here/locked"
export gemmviz build here
own="own.cu --block 16x16 --grid 2x2 -m 32 -n 32 -k 32"
export own

# try COMMANDS: of bash; $status and $said.
try() {
	said=$(cd "$here" && env TMPDIR="$here/work" \
		$as bash -c "$1" 2>&1 >/dev/null)
	status=$?
}
# mounted COMMANDS: as root of a namespace, where things can be mounted.
mounted() {
	if ! $as unshare -rm true 2>/dev/null; then
		status=none
		return
	fi
	try "unshare -rm bash -c '$1'"
}

r_ulimit_v_record() { try 'ulimit -v 400000; $gemmviz report $own'; }
r_ulimit_v_compile() { try 'ulimit -v 50000; $gemmviz report $own'; }
r_ulimit_v_program() { try 'ulimit -v 400000; $gemmviz run prog.cu'; }
r_ulimit_d_record() { try 'ulimit -d 50000; $gemmviz report $own'; }
r_ulimit_d_compile() { try 'ulimit -d 10000; $gemmviz report $own'; }
r_memory() { try '$gemmviz run --memory 200 takes.cu'; }
r_ulimit_s() { try 'ulimit -s 64; $gemmviz report $own'; }
r_ulimit_f_compile() { try 'ulimit -f 16; $gemmviz report $own'; }
r_ulimit_f_output() { try 'ulimit -f 1; $gemmviz export a.gvt --format svg --steps 2-2 -o b.svg'; }
r_ulimit_n_start() { try 'ulimit -n 12; $gemmviz report $own'; }
r_ulimit_n_compile() { try 'ulimit -n 16; $gemmviz report $own'; }
r_ulimit_n_few() { try 'ulimit -n 64; $gemmviz report $own'; }
r_ulimit_u() {
	if ! $as unshare -r true 2>/dev/null; then
		status=none
		return
	fi
	try 'unshare -r bash -c "ulimit -u 2; $gemmviz report $own"'
}
r_ulimit_t_compile() { try 'ulimit -t 2; $gemmviz report slow_compile.cu --block 1 --grid 1'; }
r_ulimit_t_record() { try 'ulimit -t 5; $gemmviz run --seconds 600 slow.cu'; }
r_ulimit_l() { try 'ulimit -l 0; $gemmviz report $own'; }
r_tmp_missing() { try 'TMPDIR=/dev/null/none $gemmviz report $own'; }
r_tmp_locked() { try 'TMPDIR=$here/locked $gemmviz report $own'; }
r_tmp_full_compile() { mounted 'mount -t tmpfs -o size=16k none mount &&
	TMPDIR=$here/mount $gemmviz report $own'; }
r_tmp_full_program() { mounted 'mount -t tmpfs -o size=64k none mount &&
	TMPDIR=$here/mount $gemmviz run prog.cu'; }
r_tmp_full_trace() { mounted 'mount -t tmpfs -o size=16k none mount &&
	TMPDIR=$here/mount $gemmviz report tiled'; }
r_tmp_noexec() { mounted 'mount -t tmpfs -o noexec none mount &&
	TMPDIR=$here/mount $gemmviz report $own'; }
r_home() { try 'unset HOME XDG_DATA_HOME XDG_CONFIG_HOME; $gemmviz report $own'; }
r_proc() { mounted 'mount --bind mount /proc; $gemmviz report $own'; }
r_dev() { mounted 'mount -t tmpfs none /dev; $gemmviz report $own'; }
r_compiler() { try 'PATH=$here/work $gemmviz report $own'; }
r_compiler_part() { mounted 'mount -t tmpfs none "$(dirname "$(g++ -print-prog-name=cc1plus)")" &&
	$gemmviz report $own'; }
r_recorder() { try 'mkdir -p moved/bin; cp $gemmviz moved/bin; moved/bin/gemmviz report $own'; }
r_output_locked() { mounted 'mount --bind mount mount &&
	mount -o remount,ro,bind mount && $gemmviz export a.gvt --format svg --steps 2-2 -o mount/b.svg'; }
r_output_full() { mounted 'mount -t tmpfs -o size=4k none mount &&
	$gemmviz export a.gvt --format html --steps 2-2 -o mount/b.html'; }
r_stdout_full() { try '$gemmviz report tiled >/dev/full'; }

numberless() { sed 's/[0-9][0-9]*/N/g'; }

# rows: of the table, NAME|WORDS|STATUS; a column has its code between ` and `.
rows() {
	sed -n '/^| what is missing/,/^$/p' "$security" |
		perl -ne 'my @c = split / *\| */; next if $c[3] !~ /^\d+$/;
			my $words = $c[2] =~ /`(.*)`/ ? $1 : "";
			print "$1|$words|$c[3]\n" if $c[4] =~ /`(\w+)`/'
}
rows >"$tmp/rows"
seen=
while IFS='|' read -r name words want; do
	seen="$seen $name"
	if ! declare -F "r_$name" >/dev/null; then
		ok 1 "$name has a test"
		continue
	fi
	"r_$name"
	if [ "$status" = none ]; then
		skip "$name" "no user namespaces here"
		continue
	fi
	is "$status" "$want" "$name: status ($said)"
	if [ "$want" != 0 ]; then
		is "$(printf '%s\n' "$said" | wc -l)" 1 "$name: in one line"
		numberless <<<"$said" | grep -qF -- "$(numberless <<<"$words")"
		ok $? "$name: $words"
	fi
	is "$(ls -A "$here/work")" "" "$name: nothing is left"
done <"$tmp/rows"
for f in $(compgen -A function r_); do
	case " $seen " in
	*" ${f#r_} "*) ;;
	*) ok 1 "$f has a row in SECURITY.md" ;;
	esac
done
[ "$(wc -l <"$tmp/rows")" -ge 30 ]
ok $? "$(wc -l <"$tmp/rows") rows"
done_testing
