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

# Pixels of three bytes, without a margin, of so many cells.
sub read_rgb {
    my ($path, $columns, $lines) = @_;
    my ($w, $h) = ($columns * $W, $lines * $H);
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

# ---- ANSI: rows of [character, foreground, background]; of a wide character the
# second half has none ----

# A wide character fills its cells to the corner.
sub wide { $_[0] =~ /[\p{Ea=W}\p{Ea=F}]/ }

sub read_ansi {
    my ($path) = @_;
    open my $f, '<:encoding(UTF-8)', $path or die "$path: $!\n";
    my @rows;
    while (my $line = <$f>) {
        chomp $line;
        my (@row, $fg, $bg);
        while ($line =~ /\G(?:\e\[([0-9;]*)m|(.))/g) {
            if (defined $2) {
                my ($ch) = $2;
                push @row, [$ch, $fg, $bg];
                push @row, undef if wide($ch);
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

# Two pixels of a line of boxes: one of its foreground, one of its background.
my %line = (
    "\x{2500}" => [[0, 8], [0, 3]], "\x{2502}" => [[4, 0], [1, 8]],
    "\x{250c}" => [[7, 8], [1, 3]], "\x{2518}" => [[0, 8], [6, 12]],
);
# Upper left, upper right, lower left, lower right.
my @quadrants = map { [split //] } qw(0010 0001 1000 1011 1001 1110 1101 0100
                                      0110 0111);

# Whether a block or a sign of Braille has ink at a pixel of its cell.
sub inked {
    my ($ch, $x, $y) = @_;
    if ($ch >= 0x2800) {
        my $dot = [0, 1, 2, 6, 3, 4, 5, 7]->[4 * int($x / 4) + int($y / 4)];
        return $ch >> $dot & 1 && $x % 4 =~ /[12]/ && $y % 4 =~ /[12]/;
    }
    return $quadrants[$ch - 0x2596][2 * ($y >= 8) + ($x >= 4)]
        if $ch >= 0x2596;
    return $ch == 0x2580 ? $y < 8 : $ch == 0x2590 ? $x >= 4 :
           $ch == 0x2594 ? $y < 2 : $ch == 0x2595 ? $x == 7 :
           $ch <= 0x2588 ? $y >= 16 - 2 * ($ch - 0x2580) : $x < 0x2590 - $ch;
}

# A shade's cell is so much of the way from its background to its foreground, on
# the average: a GIF has patterns.
sub shade_differs {
    my ($png, $at, $fg, $bg, $part) = @_;
    my @want = map { $bg->[$_] + $part * ($fg->[$_] - $bg->[$_]) } 0 .. 2;
    my @is = (0) x 3;
    for my $i (0 .. $W * $H - 1) {
        my @p = pixel($png, $at->[0] + $i % $W, $at->[1] + int($i / $W));
        $is[$_] += $p[$_] / ($W * $H) for 0 .. 2;
    }
    return far(\@is, \@want) > 3 ? "shade @is, not @want" : undef;
}

sub drawn_differs {
    my ($png, $at, $fg, $bg, $ch) = @_;
    my $points = $line{ chr $ch };
    my @points = $points ? ([@{ $points->[0] }, 1], [@{ $points->[1] }, 0]) :
        $ch < 0x2580 ? () :
        map { my $y = 2 * $_ + 1; map { [$_, $y, inked($ch, $_, $y)] }
              0 .. $W - 1 } 0 .. $H / 2 - 1;
    for (@points) {
        my ($x, $y, $ink) = @$_;
        my @is = pixel($png, $at->[0] + $x, $at->[1] + $y);
        my $want = $ink ? $fg : $bg;
        return "@is at $x,$y, not @$want" if far(\@is, $want) > 3;
    }
    return;
}

sub cell_differs {
    my ($png, $x, $y, $cell) = @_;
    my ($ch, $fg, $bg) = @$cell;
    my @at = ($MARGIN + $W * $x, $MARGIN + $H * $y);
    my @fg = colour($fg);
    my @bg = colour($bg);
    my $drawn = ord $ch;
    return shade_differs($png, \@at, \@fg, \@bg, ($drawn - 0x2590) / 4)
        if $drawn >= 0x2591 && $drawn <= 0x2593;
    return drawn_differs($png, \@at, \@fg, \@bg, $drawn)
        if $drawn >= 0x2500 && $drawn < 0x25a0
           || $drawn >= 0x2800 && $drawn < 0x2900;
    my @is = pixel($png, $at[0], $at[1]);
    return "ground @is, not @bg" if !wide($ch) && far(\@is, \@bg) > 3;
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
    my @rows = read_ansi($_[1]);
    my $png = $_[0] =~ /\.rgb$/ ? read_rgb($_[0], scalar @{ $rows[0] },
                                          scalar @rows) : read_png($_[0]);
    my ($seen, $wrong) = (0, 0);
    for my $y (0 .. $#rows) {
        for my $x (0 .. $#{ $rows[$y] }) {
            $seen++;
            my $cell = $rows[$y][$x] or next;
            my $why = cell_differs($png, $x, $y, $cell);
            print "cell $x,$y '$cell->[0]': $why\n"
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
