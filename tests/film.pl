#!/usr/bin/perl
# What tests ask of exported films, held to the frames that the canvas had, which
# film_pages writes into PAGES:
#
#   film.pl times PAGES         when to look: of each motion its first frame, its
#       last, and what is half way, of each rest the middle; in milliseconds
#   film.pl page PAGES MS       the frame that is to be seen then, as ANSI
#   film.pl cast PAGES F.cast   what a terminal that plays it shows at each frame
#   film.pl words PAGES         reads lines "MS [[X, BASELINE, TEXT], ...]", the
#       texts that a browser shows then, in units of the picture
#   film.pl gif DUMP MS F.rgb   the pixels that stand then, of what gifbuild -d
#       says of a GIF
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));
use Encode qw(encode_utf8);
use JSON::PP;

my ($W, $H, $BASELINE) = (8, 16, 12);	# of a cell; of a text in it

sub whole {
    my ($path) = @_;
    open my $f, '<:encoding(UTF-8)', $path or die "$path: $!\n";
    local $/;
    return <$f>;
}

sub read_pages {
    my @pages;
    for (split /\f/, whole($_[0])) {
        s/^(\d+) (\d+) (\w+)\n// or die "no head\n";
        push @pages, { at => $1, stays => $2, moves => $3 eq 'moving',
                       ansi => $_ };
    }
    return @pages;
}

sub page_at {
    my ($ms, @pages) = @_;
    my ($page) = grep { $_->{at} <= $ms } reverse @pages;
    return $page;
}

sub moments {
    my @pages = @_;
    my (@motion, %at);
    for my $page (@pages, undef) {
        if ($page && $page->{moves}) {
            push @motion, $page;
            next;
        }
        $at{ $_->{at} } = 1 for @motion ? @motion[0, $#motion / 2, -1] : ();
        # not within the hundredth that a GIF's next frame may come early
        $at{ $motion[-1]{at} + $motion[-1]{stays} - 11 } = 1 if @motion;
        $at{ $page->{at} + int($page->{stays} / 2) } = 1 if $page;
        @motion = ();
    }
    return sort { $a <=> $b } keys %at;
}

# ---- a terminal ----

sub wide { $_[0] =~ /^[\p{Ea=W}\p{Ea=F}]$/ }

# Sends text to the screen [y][x] = "character look"; *$look is the terminal's.
sub send_text {
    my ($screen, $cursor, $text) = @_;
    while ($text =~ /\G(?:\e\[([0-9;?]*)([a-zA-Z])|(\n)|(.))/gs) {
        my ($n, $what, $newline, $ch) = ($1, $2, $3, $4);
        if ($newline) {
            @$cursor{qw(x y)} = (0, $cursor->{y} + 1);
        } elsif (defined $ch) {
            my $row = $screen->[ $cursor->{y} ] //= [];
            $row->[ $cursor->{x}++ ] = "$ch $cursor->{look}";
            $row->[ $cursor->{x}++ ] = '' if wide($ch);
        } elsif ($what eq 'm') {
            $cursor->{look} = $n eq '0' || $n eq '' ? '' : $n;
            $cursor->{look} =~ s/^0;//;
        } elsif ($what eq 'H') {
            @$cursor{qw(y x)} = map { $_ - 1 } split /;/, $n;
        } elsif ($what eq 'J') {
            @$screen = ();
        } elsif ($what !~ /[hl]/) {
            die "what is ESC [ $n $what?\n";
        }
    }
}

sub screen_of {
    my @screen;
    send_text(\@screen, { x => 0, y => 0, look => '' }, $_[0]);
    return \@screen;
}

sub show_screen {
    return join "\n", map { join '|', map { $_ // '' } @$_ } @{ $_[0] };
}

sub cast {
    my ($pages, $path) = @_;
    open my $f, '<:raw', $path or die "$path: $!\n";
    my ($head, @events) = map { decode_json($_) } <$f>;
    my ($screen, $cursor) = ([], { x => 0, y => 0, look => '' });
    my $wrong = 0;
    for my $page (@$pages) {
        while (@events && $events[0][0] * 1000 <= $page->{at} + 0.5) {
            my $event = shift @events;
            send_text($screen, $cursor, $event->[2]) if $event->[1] eq 'o';
        }
        next if show_screen($screen) eq show_screen(screen_of($page->{ansi}));
        print "at $page->{at} another picture\n" if $wrong++ < 5;
    }
    print scalar @$pages, " frames, $wrong differ\n";
}

# ---- a browser's texts ----

# The characters at [y][x] that must be text: lines, blocks and Braille are drawn.
sub letters {
    my ($screen) = @_;
    return map { [ map { my ($ch) = ($_ // '') =~ /^(.)/;
                         !defined $ch || $ch =~ /[\x{2500}-\x{259f}\x{2800}-\x{28ff}]/
                             ? ' ' : $ch } @$_ ] } @$screen;
}

sub words_differ {
    my ($page, $texts) = @_;
    my @rows = letters(screen_of($page->{ansi}));
    for (@$texts) {
        my ($x, $y, $text) = @$_;
        ($x, $y) = ($x / $W, ($y - $BASELINE) / $H);
        for my $ch (split //, $text) {
            my $want = $rows[$y][$x] // 'nothing';
            return "$x,$y: '$ch', not '$want'"
                if $ch ne $want && $ch ne ' ';
            $rows[$y][$x] = ' ';
            $x += wide($ch) ? 2 : 1;
        }
    }
    my $left = join '', map { @$_ } @rows;
    $left =~ tr/ //d;
    return $left eq '' ? undef : "not there: $left";
}

sub words {
    my @pages = @_;
    my ($seen, $wrong) = (0, 0);
    while (<STDIN>) {
        my ($ms, $json) = /^(\d+) (.*)/ or die "what is $_";
        my $why = words_differ(page_at($ms, @pages),
                               decode_json(encode_utf8($json)));
        $seen++;
        print "at $ms, $why\n" if $why && $wrong++ < 5;
    }
    print "$seen times, $wrong differ\n";
}

# ---- a GIF ----

sub gif {
    my ($path, $ms, $out) = @_;
    open my $f, '<', $path or die "$path: $!\n";
    my (%rgb, @letters, @picture, $w, $none, $left, $top);
    my ($over, $rows) = (0, 0);
    while (my $line = <$f>) {
        chomp $line;
        if ($rows) {
            $rows--;
            my $old = $picture[$top] // ' ' x $w;
            for my $i (0 .. length($line) - 1) {
                my $ch = substr $line, $i, 1;
                substr $old, $left + $i, 1, $ch if $ch ne $none;
            }
            $picture[$top++] = $old;
        }
        elsif ($line =~ /^screen width (\d+)/) { $w = $1 }
        elsif ($line =~ /^\s+rgb (\d+) (\d+) (\d+) is (.)/) {
            $rgb{$4} = pack 'CCC', $1, $2, $3;
            push @letters, $4;
        }
        elsif ($line =~ /^\s+transparent index (\d+)/) {
            $none = $letters[$1];
        }
        elsif ($line =~ /^\s+delay (\d+)/) {
            last if $over > int($ms / 10 + 0.5);
            $over += $1;
        }
        elsif ($line =~ /^image left (\d+)/) { $left = $1 }
        elsif ($line =~ /^image top (\d+)/) { $top = $1 }
        elsif ($line =~ /^image bits \d+ by (\d+)/) { $rows = $1 }
    }
    open my $o, '>:raw', $out or die "$out: $!\n";
    print $o map { $rgb{$_} // die "colour $_\n" } split //, $_ for @picture;
}

my ($what, $file, @args) = @ARGV;
if ($what eq 'times') { print "$_\n" for moments(read_pages($file)) }
elsif ($what eq 'page') {
    print page_at($args[0], read_pages($file))->{ansi};
}
elsif ($what eq 'cast') { cast([read_pages($file)], @args) }
elsif ($what eq 'words') { words(read_pages($file)) }
elsif ($what eq 'gif') { gif($file, @args) }
else { die "film.pl: $what?\n" }
