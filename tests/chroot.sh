#!/usr/bin/env bash
# chroot.sh [DIRECTORY]: README's two commands on a fresh Debian 12, as root
# and as an ordinary user with sudo. Needs root, debootstrap, tmux and the
# network; takes the tree of the last commit. Not part of make check.
. "$(dirname "$0")/tap.sh"
cd "$(dirname "$0")/.." || exit

base=${1:-$(mktemp -d)}
session=gemmviz-chroot-$$

# The mounts go before the files do.
cleanup() {
	tmux -L "$session" kill-server 2>/dev/null
	for root in "$base"/root "$base"/user; do
		for mount in dev/pts proc; do
			mountpoint -q "$root/$mount" && umount "$root/$mount"
		done
		mountpoint -q "$root/proc" || rm -rf --one-file-system "$root"
	done
}
trap cleanup EXIT
trap exit INT TERM HUP

# fresh NAME: a copy of the new system with the tree in it.
fresh() {
	root=$base/$1
	cp -a "$base/debian" "$root"
	mount -t proc proc "$root/proc" && mount --bind /dev/pts "$root/dev/pts"
	mkdir "$root/home/gemmviz"
	git archive HEAD | tar -x -C "$root/home/gemmviz"
}

# within COMMAND: as $user in $root, in the tree.
within() {
	chroot --userspec="$user" "$root" env -i HOME=/tmp LANG=C.UTF-8 \
		TERM="${TERM:-dumb}" PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		sh -c "cd /home/gemmviz && $1"
}

# screen_has PATTERN SECONDS: waits until the lesson's screen shows it.
screen_has() {
	local i
	for ((i = 0; i < $2 * 2; i++)); do
		screen=$(tmux -L "$session" capture-pane -p 2>/dev/null)
		grep -Eq -- "$1" <<<"$screen" && return
		sleep 0.5
	done
	sed 's/^/# /' <<<"$screen"
	return 1
}

# opens SECONDS WHAT: the lesson appears, and q leaves it with status 0.
opens() {
	export -f within
	export root user
	rm -f "$base/status"
	TERM=tmux-256color tmux -L "$session" -f /dev/null new-session -d \
		-x 100 -y 30 "bash -c 'within \"./start --lesson coalescing\"; \
		echo \$? >$base/status; sleep 1'"
	screen_has '│|┌|╭' "$1"
	ok $? "$2: the lesson opens"
	sed 's/^/# /' <<<"$screen"
	tmux -L "$session" send-keys q
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ -s "$base/status" ] && break
		sleep 0.5
	done
	is "$(cat "$base/status")" 0 "$2: q ends it"
	tmux -L "$session" kill-server 2>/dev/null
	sleep 1		# a server that is ending takes no session
}

# passes WHAT: the tests pass.
passes() {
	out=$(within './start test' 2>&1 </dev/null)
	ok $? "$1: the tests pass"
	tail -n 15 <<<"$out" | sed 's/^/# /'
	like "$out" '^Result: PASS$' "$1: and say so"
}

[ -e "$base/debian/etc/debian_version" ] ||
	debootstrap --variant=minbase bookworm "$base/debian" >"$base/log" 2>&1
ok $? "a new Debian 12" || exit

fresh root
user=root
opens 600 "root, nothing installed"
opens 5 "root, the second time"
passes "root"

fresh user
chroot "$root" sh -c 'apt-get -qq install -y --no-install-recommends sudo &&
	useradd reader && chown -R reader /home/gemmviz &&
	echo "reader ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/reader' \
	>>"$base/log" 2>&1
ok $? "an ordinary user with sudo"
user=reader:reader
passes "user, nothing installed"
opens 60 "user"

done_testing
