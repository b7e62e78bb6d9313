# limit.pl SECONDS COMMAND...: runs one test for tests/run and judges how it
# ends, apart from its own results. It fails a test
# - that uses more than SECONDS of processor time, counting all processes below
#   it, or four times that by the clock;
# - whose TAP has no plan, or not as many results as the plan promises;
# - that calls a command that does not exist (tests/tap.sh records these);
# - that leaves a process running.
# Whatever happens, all its processes are ended. Needs Linux's /proc.
use strict;
use warnings;
use File::Temp;
use POSIX ();
use Time::HiRes qw(sleep time);

my ($seconds, @command) = @ARGV;
my $ticks = POSIX::sysconf(POSIX::_SC_CLK_TCK());
my $grace = 5;		# seconds in which a test's processes may still end

# Orphans become this process's children, so that none escapes.
my $prctl = (POSIX::uname())[4] eq 'x86_64' ? 157 : 167;
syscall($prctl, 36, 1, 0, 0, 0);	# PR_SET_CHILD_SUBREAPER

# Returns the content of a file in /proc, or '' if its process has ended.
sub read_proc {
	open my $file, '<', "/proc/$_[0]" or return '';
	local $/;
	return readline($file) // '';
}

# Returns the process IDs of all processes below the given one.
sub descendants {
	my @children = map { split ' ', read_proc("$_/children") }
		map { s,^/proc/,,r } glob "/proc/$_[0]/task/*";
	return map { ($_, descendants($_)) } @children;
}

# Returns the seconds of processor time that the test has used: that of the
# processes which live, and that of those which have been waited for.
sub processor_time {
	my (undef, undef, $user, $system) = times;
	my $all = $user + $system;
	for my $process (descendants($$)) {
		my $stat = read_proc("$process/stat") =~ s/.*\)//sr;
		my @fields = split ' ', $stat;
		$all += ($_ // 0) / $ticks for @fields[11 .. 14];
	}
	return $all;
}

# Kills everything below this process; gives up after $grace seconds.
sub end_all {
	my $end = time + $grace;
	while (time < $end) {
		kill 'KILL', descendants($$);
		1 while waitpid(-1, POSIX::WNOHANG()) > 0;
		return if waitpid(-1, POSIX::WNOHANG()) < 0;
		sleep 0.01;
	}
}

for my $signal (qw(HUP INT PIPE TERM)) {
	$SIG{$signal} = sub { end_all(); POSIX::_exit(1) };
}
$SIG{CHLD} = sub { };	# interrupts select()

my ($missing_file, $missing) = File::Temp::tempfile(UNLINK => 1);
chmod 0666, $missing;	# a test may run a part of itself as another user
$ENV{TAP_MISSING} = $missing;
pipe my $output, my $input or die "pipe: $!\n";
my $test = fork // die "fork: $!\n";
if (!$test) {
	setpgrp;
	POSIX::dup2(fileno $input, 1);
	close $_ for $output, $input;
	exec { $command[0] } @command or print STDERR "$command[0]: $!\n";
	POSIX::_exit(127);
}
close $input;
$| = 1;

my ($status, $plan, $skipped, $results, $failed, $line) = (undef, undef, 0, 0, 0, '');

# Passes on what the test has written, and counts its results. Returns false at
# the end of the output or, with a wait of 0 seconds, when nothing is there.
sub pass_output {
	my ($wait) = @_;
	vec(my $ready = '', fileno $output, 1) = 1;
	return 1 if select($ready, undef, undef, $wait) <= 0 && $wait;
	return 0 if !vec($ready, fileno $output, 1);
	my $got = sysread $output, my $bytes, 65536;
	return 1 if !defined $got;	# interrupted
	print $bytes;
	$line .= $got ? $bytes : "\n";
	while ($line =~ s/^(.*)\n//) {
		local $_ = $1;
		$results++ if /^(not )?ok\b/;
		$failed++ if /^not ok\b/;
		($plan, $skipped) = ($1, !!$2) if /^1\.\.(\d+)( *# *SKIP)?/i;
	}
	return $got;
}

my @faults;
my ($begun, $looked, $open) = (time, 0, 1);
while (!defined $status && !@faults) {
	if ($open) {
		$open = pass_output(0.2);
	} else {
		sleep 0.02;
	}
	while ((my $ended = waitpid(-1, POSIX::WNOHANG())) > 0) {
		$status = $? if $ended == $test;
	}
	next if time - $looked < 0.5;
	$looked = time;
	push @faults, "took more than $seconds s of processor time"
		if processor_time() > $seconds;
	push @faults, 'took more than ' . 4 * $seconds . ' s by the clock'
		if time - $begun > 4 * $seconds;
}
my $limited = @faults;

# What ends by itself a little later is no fault.
my $end = time + $grace;
while (!$limited && descendants($$) && time < $end) {
	sleep 0.02;
	1 while waitpid(-1, POSIX::WNOHANG()) > 0;
}
if (!$limited) {
	push @faults, map { 'left running: ' . (read_proc("$_/cmdline") =~
		tr/\0/ /r || read_proc("$_/comm")) } descendants($$);
}
end_all();
1 while $open && pass_output(0);

my %seen;
push @faults, map { chomp; "command not found: $_" }
	grep { !$seen{$_}++ } readline $missing_file;
if (!$limited) {
	if (!defined $plan) {
		push @faults, 'ended before its plan';
	} elsif ($plan != $results) {
		push @faults, "$results results, but a plan of $plan";
	} elsif (!$results && !$skipped) {
		push @faults, 'tested nothing';
	}
	push @faults, 'ended by signal ' . ($status & 127) if $status & 127;
	push @faults, "status 0 in spite of $failed that failed"
		if !$status && $failed;
}
my $name = $command[0] =~ /bash$/ ? $command[1] : $command[0];
print STDERR "# $name: $_\n" for @faults;
unlink $missing;
POSIX::_exit($limited ? 124 : @faults ? 1 : $status >> 8);
