#!/usr/bin/env bash
# --memory is a limit of all that the recorder's processes take: pages, page
# tables, files in memory. Each of tests/hostile/memory_*.cu takes memory in
# another way, mostly no more than 2 GB; meanwhile the whole is measured here,
# process by process, and by another way than the recorder's own.
# sanitized: never (the runtime takes more than the limits allow)
. "$srcdir/tests/tap.sh"
build=$(cd "$builddir" && pwd)
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/work"
export TMPDIR=$tmp/work
limit=200	# MB, and what may be above it, of which libraries are a part
above=200

if grep -q '^#define SANITIZED 1' "$build/config.h"; then
	skip "--memory" "the address sanitizer takes more"
	done_testing
	exit
fi
if ! "$build/gemmviz" --version | grep -q Landlock; then
	skip "--memory" "this system cannot confine a file"
	done_testing
	exit
fi
if [ "$(id -u)" = 0 ]; then
	# What tries to do harm is not run by root.
	chmod -R a+rwX "$tmp"
	if ! as=$(command -v setpriv) ||
	   ! setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$build/gemmviz" --version >/dev/null 2>&1; then
		skip "--memory" "another user cannot start gemmviz"
		done_testing
		exit
	fi
	as="$as --reuid 65534 --regid 65534 --clear-groups"
fi

# measure PID: until PID has ended, the most MB that the recorders below it take
# together, and how many these were.
measure() {
	perl -e '
	my ($root, $most, $count) = ($ARGV[0], 0, 0);
	while (kill(0, $root) || -d "/proc/$root") {
		my (%parent, %kb);
		for my $status (glob "/proc/[0-9]*/status") {
			open my $f, "<", $status or next;
			my %v = map { /^(\w+):\s+(\S+)/ ? ($1, $2) : () } <$f>;
			next if !$v{Pid};
			$parent{$v{Pid}} = $v{PPid};
			next if $v{Name} ne "gemmviz-emu";
			$kb{$v{Pid}} = ($v{RssAnon} || 0) + ($v{VmPTE} || 0) +
				       ($v{VmSwap} || 0);
			# Each file in memory once, mapped or not.
			for (glob "/proc/$v{Pid}/fd/*") {
				next if (readlink($_) // "") !~ /^\/memfd:/;
				my @st = stat;
				$kb{"file $st[1]"} = $st[12] / 2 if @st;
			}
		}
		my ($sum, $n) = (0, 0);
		for my $pid (keys %kb) {
			my $p = $pid;
			$p = $parent{$p} while $p =~ /^\d+$/ && $p != $root &&
					       $parent{$p};
			next if $p =~ /^\d+$/ && $p != $root;
			$sum += $kb{$pid};
			$n++ if $pid =~ /^\d+$/;
		}
		$most = $sum if $sum > $most;
		$count = $n if $n > $count;
		last if !-d "/proc/$root";
		open my $f, "<", "/proc/$root/stat" or last;
		last if <$f> =~ /\) Z/;
		select undef, undef, undef, 0.005;
	}
	printf "%d %d\n", $most / 1024, $count;' "$1"
}

# try FILE: $status, $most, $count; what is said in $tmp/err.
try() {
	local launch
	launch=$(sed -n '2s,^// run ,,p' "$1")
	# shellcheck disable=SC2086
	$as "$build/gemmviz" report "$1" $launch --memory $limit --seconds 30 \
		>"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
	measure $pid >"$tmp/measured"
	wait $pid
	status=$?
	read -r most count <"$tmp/measured"
}

judged=0
for file in "$srcdir"/tests/hostile/memory_*.cu; do
	name=${file##*/}
	cp "$file" "$tmp/$name"
	chmod a+r "$tmp/$name"
	try "$tmp/$name"
	judged=$((judged + 1))
	want=$(sed -n '1s,^// expect \([^:]*\):.*,\1,p' "$file")
	case "|$want|" in
	*"|$status|"*) ok 0 "$name: status $status" ;;
	*) is $status "$want" "$name: $(head -c 200 "$tmp/err")" ;;
	esac
	[ "$most" -gt 0 ] && [ "$most" -le $((limit + above)) ]
	ok $? "$name: $most MB in $count processes"
	if [ "$status" = 8 ]; then
		is "$(cat "$tmp/err")" "gemmviz: $name took more than $limit MB of memory (--memory raises the limit)" \
			"$name: says which limit"
	fi
	case $name in
	memory_descriptors.cu)
		like "$(cat "$tmp/out")" '^\| bounded$' "$name: open files are bounded"
		;;
	memory_parts.cu)
		if [ "$(nproc)" -gt 1 ]; then
			[ "$count" -gt 2 ]
			ok $? "$name: helpers are measured"
		fi
		;;
	esac
done
[ $judged -ge 9 ]
ok $? "$judged ways to take memory"
is "$(ls -A "$tmp/work")" "" "nothing is left"
done_testing
