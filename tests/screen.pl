#!/usr/bin/perl
# What tests ask of exported files, with Perl's own modules alone.
#
#   screen.pl pixels PICTURE FILE.ansi   each cell of the one page of the ANSI
#       export has its colours in the picture that somebody else made of the
#       SVG export (FILE.png) or of the GIF (FILE.rgb); prints what differs
#   screen.pl cast FILE.cast          checks an asciicast and prints what is sent
#   screen.pl markers FILE.cast       prints its markers, "SECONDS TITLE"
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));
use Compress::Zlib qw(uncompress);
use JSON::PP;

my ($W, $H, $MARGIN) = (8, 16, 8);	# of SVG

# ---- PNG: 8 bits, RGB or RGBA, not interlaced ----

sub unfilter {
    my ($type, $row, $before, $bpp) = @_;
    for my $i (0 .. $#$row) {
        my $a = $i >= $bpp ? $row->[$i - $bpp] : 0;
        my $b = $before->[$i] // 0;
        my $c = $i >= $bpp ? $before->[$i - $bpp] // 0 : 0;
        my $p = $a + $b - $c;
        my ($pa, $pb, $pc) = (abs($p - $a), abs($p - $b), abs($p - $c));
        my $paeth = $pa <= $pb && $pa <= $pc ? $a : $pb <= $pc ? $b : $c;
        my $add = (0, $a, $b, int(($a + $b) / 2), $paeth)[$type];
        $row->[$i] = ($row->[$i] + $add) % 256;
    }
}

sub read_png {
    my ($path) = @_;
    open my $f, '<:raw', $path or die "$path: $!\n";
    local $/;
    my $data = <$f>;
    substr($data, 0, 8) eq "\x89PNG\r\n\x1a\n" or die "$path: no PNG\n";
    my ($at, $idat, $w, $h, $depth, $kind) = (8, '');
    while ($at < length $data) {
        my ($n, $name) = unpack 'Na4', substr($data, $at, 8);
        my $body = substr($data, $at + 8, $n);
        ($w, $h, $depth, $kind) = unpack 'NNCC', $body if $name eq 'IHDR';
        $idat .= $body if $name eq 'IDAT';
        $at += 12 + $n;
    }
    $depth == 8 && ($kind == 2 || $kind == 6) or die "$path: $depth $kind\n";
    my $bpp = $kind == 2 ? 3 : 4;
    my $raw = uncompress($idat);
    my (@rows, $before);
    $before = [];
    for my $y (0 .. $h - 1) {
        my @row = unpack 'C*', substr($raw, $y * ($w * $bpp + 1), $w * $bpp + 1);
        unfilter(shift @row, \@row, $before, $bpp);
        push @rows, $before = \@row;
    }
    return { w => $w, h => $h, bpp => $bpp, rows => \@rows };
}

# 960 x 576 pixels of three bytes, without a margin.
sub read_rgb {
    my ($path) = @_;
    my ($w, $h) = (960, 576);
    open my $f, '<:raw', $path or die "$path: $!\n";
    local $/;
    my $data = <$f>;
    length $data == 3 * $w * $h or die "$path: ", length $data, " bytes\n";
    $MARGIN = 0;
    return { w => $w, h => $h, bpp => 3, rows => [
        map { [unpack 'C*', substr $data, 3 * $w * $_, 3 * $w] } 0 .. $h - 1
    ] };
}

sub pixel {
    my ($png, $x, $y) = @_;
    return @{ $png->{rows}[$y] }[map { $x * $png->{bpp} + $_ } 0 .. 2];
}

sub colour {
    my ($i) = @_;
    if ($i >= 232) { return (8 + 10 * ($i - 232)) x 3 }
    my @level = (0, 95, 135, 175, 215, 255);
    $i -= 16;
    return ($level[$i / 36], $level[$i / 6 % 6], $level[$i % 6]);
}

sub far {
    my ($a, $b) = @_;
    my $far = 0;
    for (0 .. 2) {
        my $d = abs($a->[$_] - $b->[$_]);
        $far = $d if $d > $far;
    }
    return $far;
}

# ---- ANSI: rows of [character, foreground, background] ----

sub read_ansi {
    my ($path) = @_;
    open my $f, '<:encoding(UTF-8)', $path or die "$path: $!\n";
    my @rows;
    while (my $line = <$f>) {
        chomp $line;
        my (@row, $fg, $bg);
        while ($line =~ /\G(?:\e\[([0-9;]*)m|(.))/g) {
            if (defined $2) {
                push @row, [$2, $fg, $bg];
                next;
            }
            my $look = $1;
            ($fg) = $look =~ /38;5;(\d+)/;
            ($bg) = $look =~ /48;5;(\d+)/;
        }
        push @rows, \@row;
    }
    return @rows;
}

# The pixels of a cell that must be of its foreground, and of its background.
my %painted = (
    "\x{2588}" => [[3, 3], undef], "\x{2580}" => [[3, 3], [3, 12]],
    "\x{2584}" => [[3, 12], [3, 3]], "\x{2500}" => [[0, 8], [0, 3]],
    "\x{2502}" => [[4, 0], [1, 8]], "\x{258c}" => [[1, 8], [6, 8]],
    "\x{250c}" => [[7, 8], [1, 3]], "\x{2518}" => [[0, 8], [6, 12]],
    "\x{28ff}" => [[2, 2], [0, 0]],
);

sub cell_differs {
    my ($png, $x, $y, $cell) = @_;
    my ($ch, $fg, $bg) = @$cell;
    my @at = ($MARGIN + $W * $x, $MARGIN + $H * $y);
    my @fg = colour($fg);
    my @bg = colour($bg);
    my $points = $painted{$ch};
    if ($points) {
        my @want = (\@fg, \@bg);
        for my $i (0, 1) {
            my $p = $points->[$i] or next;
            my @is = pixel($png, $at[0] + $p->[0], $at[1] + $p->[1]);
            return "@is, not @{ $want[$i] }" if far(\@is, $want[$i]) > 3;
        }
        return;
    }
    return if ord($ch) >= 0x2500;
    my @is = pixel($png, $at[0], $at[1]);
    return "ground @is, not @bg" if far(\@is, \@bg) > 3;
    return if $ch eq ' ' || far(\@fg, \@bg) < 30;
    for my $dy (1 .. $H - 1) {
        for my $dx (0 .. $W - 1) {
            my @p = pixel($png, $at[0] + $dx, $at[1] + $dy);
            return if far(\@p, \@fg) < far(\@bg, \@fg) * 0.7;
        }
    }
    return "no ink of @fg";
}

sub pixels {
    my $png = $_[0] =~ /\.rgb$/ ? read_rgb($_[0]) : read_png($_[0]);
    my @rows = read_ansi($_[1]);
    my ($seen, $wrong) = (0, 0);
    for my $y (0 .. $#rows) {
        for my $x (0 .. $#{ $rows[$y] }) {
            my $why = cell_differs($png, $x, $y, $rows[$y][$x]);
            $seen++;
            print "cell $x,$y '$rows[$y][$x][0]': $why\n"
                if $why && $wrong++ < 10;
        }
    }
    print "$seen cells, $wrong differ\n";
}

# ---- asciicast ----

sub read_cast {
    my ($path) = @_;
    open my $f, '<:raw', $path or die "$path: $!\n";
    my ($head, @events) = map { decode_json($_) } <$f>;
    die "not version 2\n" unless $head->{version} == 2;
    die "no size\n" unless $head->{width} > 0 && $head->{height} > 0;
    my $at = 0;
    for (@events) {
        die "not [time, kind, data]\n" unless @$_ == 3;
        die "time goes back: $at, $_->[0]\n" if $_->[0] < $at;
        die "kind $_->[1]\n" unless $_->[1] =~ /^[om]$/;
        $at = $_->[0];
    }
    return @events;
}

my ($what, @args) = @ARGV;
if ($what eq 'pixels') { pixels(@args) }
elsif ($what eq 'cast') {
    print map { $_->[1] eq 'o' ? $_->[2] : () } read_cast(@args);
} elsif ($what eq 'markers') {
    print map { $_->[1] eq 'm' ? "$_->[0] $_->[2]\n" : () } read_cast(@args);
} else { die "screen.pl: $what?\n" }
