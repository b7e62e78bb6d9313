#!/usr/bin/perl
# Stands in for ssh and srun, by the name that it is called by: starts the
# command as if it were elsewhere, in a session of its own that ends only when
# its input does, and relays the bytes of both directions. What goes wrong on
# the way is in $FAKE_SSH, words with ; between them:
#
#   chunk=SEED    a few bytes at a time, each after a moment
#   cut=N         behind N bytes the connection is lost
#   stall=N       behind N bytes nothing comes any more
#   stubborn      nor does SIGTERM end it
#   banner=TEXT   a login script prints this; \n, \e as in C
#   splice=N:TEXT stands in the answer behind N bytes
#   over=N:TEXT   stands over what was there
#   hello=A=B     A in the hello reads B
#   ask=A=B       A in what is asked reads B: another question is answered
#   say=TEXT      what is asked is answered by this alone
#   babble=TEXT   ... again and again
#   queue=S       srun waits for so many seconds
#   denied, missing  there is no login; there is no such command
#   log=FILE      the processes' numbers
use strict;
use warnings;
use IO::Handle;
use POSIX qw(setsid _exit);
use Time::HiRes qw(sleep);

my %how = map { /^(\w+)=(.*)$/s ? ($1, $2) : ($_, 1) }
	split /;/, $ENV{FAKE_SSH} // '';
my $srun = $0 =~ /srun$/;

STDERR->autoflush(1);
srand($how{chunk} // 1);
$SIG{TERM} = 'IGNORE' if $how{stubborn};

sub note {
	my ($pid) = @_;

	return unless $how{log};
	open(my $log, '>>', $how{log}) or die "$how{log}: $!";
	syswrite $log, "$pid\n";
}

sub leave {
	my ($status, $words) = @_;

	print STDERR $words;
	_exit($status);
}

sub bytes_of {
	my ($text) = @_;

	$text =~ s/\\n/\n/g;
	$text =~ s/\\e/\e/g;
	return $text;
}

sub put {
	my ($to, $bytes) = @_;

	while (length $bytes) {
		my $n = syswrite $to, $bytes,
			$how{chunk} ? 1 + int rand 3000 : 65536;

		return unless $n;
		substr($bytes, 0, $n) = '';
		sleep(rand 0.002) if $how{chunk};
	}
}

note($$);
if ($srun) {
	shift while @ARGV && $ARGV[0] =~ /^-/;
} else {
	shift;
}
leave(255, "reader\@lab: Permission denied (publickey).\r\n")
	if $how{denied};
leave(127, "bash: line 1: gemmviz-gpu: command not found\n")
	if $how{missing};
if ($how{queue}) {
	print STDERR "srun: job 4711 queued and waiting for resources\n";
	sleep $how{queue};
	print STDERR "srun: job 4711 has been allocated resources\n";
}
put(\*STDOUT, bytes_of($how{banner})) if $how{banner};

pipe(my $far_in, my $to) or die;
pipe(my $from, my $far_out) or die;
my $far = fork // die "fork: $!";
if (!$far) {
	setsid;
	open STDIN, '<&', $far_in;
	open STDOUT, '>&', $far_out;
	close $_ for $far_in, $far_out, $to, $from;
	$SIG{TERM} = 'DEFAULT';
	exec @ARGV or _exit(127);
}
note($far);
close $_ for $far_in, $far_out;
$SIG{PIPE} = 'IGNORE';

my $at = 0;			# bytes of the answer so far
my $greeted = 0;
my ($place, $garbage) = ($how{splice} // $how{over} // '') =~ /^(\d+):(.*)$/s;
$garbage = bytes_of($garbage) if defined $garbage;

sub answer {
	my ($bytes) = @_;
	my $end = $at + length $bytes;
	my ($lost, $stalls) = (0, 0);

	$greeted = 1 if $bytes =~ /\n/;

	if (!$at && $how{hello}) {
		my ($old, $new) = split /=/, $how{hello};

		$bytes =~ s/\Q$old\E/$new/;
	}
	if (defined $place && $place < $end) {
		my $here = $place - $at;

		substr($bytes, $here, $how{over} ? length $garbage : 0) =
			$garbage;
		undef $place;
	}
	if (defined $how{cut} && $how{cut} <= $end) {
		$bytes = substr $bytes, 0, $how{cut} - $at;
		$lost = 1;
	}
	if (defined $how{stall} && $how{stall} <= $end) {
		$bytes = substr $bytes, 0, $how{stall} - $at;
		$stalls = 1;
	}
	$at = $end;
	put(\*STDOUT, $bytes);
	leave(255, "client_loop: send disconnect: Broken pipe\r\n") if $lost;
	sleep 3600 while $stalls;
}

# What stands for the answer, if anything does.
sub say_instead {
	my $text = $how{say} // $how{babble} // return 0;

	put(\*STDOUT, bytes_of($text));
	while ($how{babble}) {
		sleep 0.02;
		put(\*STDOUT, bytes_of($text));
		leave(255, "") if getppid == 1;
	}
	return 1;
}

sub ended {
	waitpid $far, 0;
	leave(128 + ($? & 127), "srun: error: lab: task 0: Killed\n")
		if $? & 127;
	_exit($? >> 8);
}

answer('');
for (;;) {
	my $want = '';

	vec($want, fileno STDIN, 1) = 1
		if defined fileno STDIN &&
		($greeted || !($how{say} || $how{babble}));
	vec($want, fileno $from, 1) = 1;
	next if select($want, undef, undef, undef) <= 0;
	if (defined fileno STDIN && vec($want, fileno STDIN, 1)) {
		if (sysread STDIN, my $bytes, 65536) {
			next if say_instead();
			if ($how{ask}) {
				my ($old, $new) = split /=/, $how{ask};

				$bytes =~ s/\Q$old\E/$new/;
			}
			put($to, $bytes);
		} else {
			close STDIN;
			close $to;
		}
	}
	if (vec($want, fileno $from, 1)) {
		my $n = sysread $from, my $bytes, 65536;

		$n ? answer($bytes) : ended();
	}
}
