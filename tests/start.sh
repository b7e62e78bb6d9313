#!/usr/bin/env bash
# The start script, in a tree of its own with stand-ins for the package
# manager, the build and the program.
# sanitized: never (it reads texts)
. "$srcdir/tests/tap.sh"

tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/tree" "$tmp/bin" "$tmp/else where"
cp "$srcdir/start" "$tmp/tree/start"

cat >"$tmp/tree/autogen.sh" <<'END'
#!/bin/sh
cp configure.in configure
END
cat >"$tmp/tree/configure.in" <<'END'
#!/bin/sh
echo run >>configured
cp ../Makefile.in Makefile
END
cat >"$tmp/tree/Makefile.in" <<'END'
all: gemmviz
gemmviz: ../program
	cp ../program gemmviz
prove:
	@echo Result: PASS
END
cat >"$tmp/tree/program" <<'END'
#!/bin/sh
printf '<%s>' "$PWD" "$@"
exit 3
END
chmod +x "$tmp"/tree/*

# Packages in $tmp/have are installed; $tmp/log has what was asked of apt-get.
cat >"$tmp/bin/dpkg-query" <<END
#!/bin/sh
for last; do :; done
grep -qxF -e "\$last" "$tmp/have" && echo installed || echo config-files
END
cat >"$tmp/bin/apt-get" <<END
#!/bin/sh
echo "\${DEBIAN_FRONTEND-} \$*" >>"$tmp/log"
[ ! -e "$tmp/broken" ]
END
cat >"$tmp/bin/id" <<END
#!/bin/sh
cat "$tmp/uid"
END
cat >"$tmp/bin/sudo-stand-in" <<END
#!/bin/sh
echo sudo >>"$tmp/log"
exec "\$@"
END
chmod +x "$tmp"/bin/*
PATH=$tmp/bin:/usr/bin:/bin
all=$(sed -n "/packages='/,/'/p" "$srcdir/start" | sed "s/.*='//; s/'//" |
	tr -s ' \t' '\n' | sed '/^$/d')

# started ARGUMENT...: sets status, out and err; the log starts empty.
started() {
	: >"$tmp/log"
	out=$(cd "$tmp/else where" && "$tmp/tree/start" "$@" 2>"$tmp/err")
	status=$?
	err=$(cat "$tmp/err")
	log=$(cat "$tmp/log")
}

echo 0 >"$tmp/uid"
printf '%s\n' "$all" >"$tmp/have"
started --lesson 'two words'
is "$status" 3 "the program's status is the script's"
is "$out" "<$tmp/else where><--lesson><two words>" \
	"the program gets the arguments, in the directory of the caller"
is "$log" "" "no package manager when all packages are there"
ok "$([ -x "$tmp/tree/build/gemmviz" ]; echo $?)" "built in ./build"
is "$(echo "$err" | sed 's/: [^:]*$//' | tr '\n' ' ')" \
	"start: step 2 of 4 start: step 3 of 4 start: step 4 of 4 " \
	"each step says which of how many it is"

started list
is "$err" "" "the second time nothing is said"
is "$(wc -l <"$tmp/tree/build/configured")" 1 "nor configured again"

started test
is "$out" "Result: PASS" "start test ends in prove's summary"
is "$status" 0 "and in its status"

grep -vx -e tmux -e libdw-dev "$tmp/have" >"$tmp/less"
mv "$tmp/less" "$tmp/have"
started list
like "$log" '^noninteractive install .* libdw-dev$' \
	"only what is missing is installed, without questions"
started test
like "$log" 'libdw-dev tmux' "the tests' packages are for the tests"

touch "$tmp/broken"
started list
is "$status" 1 "a package manager that fails ends it"
like "$err" '^start: failed: apt-get update$' "and is named"
rm "$tmp/broken"

echo 1000 >"$tmp/uid"
if command -v sudo >/dev/null; then
	skip "neither root nor sudo" "there is a sudo"
else
	started list
	is "$status $out" "1 " "neither root nor sudo: nothing is run"
	is "$err" "start: neither root nor sudo: install these first: libdw-dev" \
		"and one line says what to install"
fi
mv "$tmp/bin/sudo-stand-in" "$tmp/bin/sudo"
started list
like "$log" '^sudo' "an ordinary user installs with sudo"

printf '%s\n' "$all" >"$tmp/have"
echo 'all: ; @echo the reason; exit 1' >"$tmp/tree/build/Makefile"
started list
is "$status $out" "1 " "a build that fails runs nothing"
like "$err" '^the reason' "and shows why"

done_testing
