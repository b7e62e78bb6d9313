#!/usr/bin/perl
# check.pl FOLDER: whether every link of a site leads to a file, and to an
# anchor, in its folder; nothing is asked of a network; and every page can be
# reached from index.html, has a language, a title, and words for its pictures,
# and has at most 2 MB. A line for each fault; fails if there are any.
use strict;
use warnings;
use File::Find;
use File::Spec;

use constant MOST_BYTES => 2_000_000;

my $root = shift // die "usage: check.pl FOLDER\n";
my (%page, %file, %fault);

sub fault { $fault{"$_[0]: $_[1]"}++ }

sub slurp {
    open my $f, '<:encoding(UTF-8)', $_[0] or die "$_[0]: $!\n";
    local $/;
    return <$f>;
}

sub unescape {
    my ($s) = @_;
    $s =~ s/&lt;/</g; $s =~ s/&gt;/>/g; $s =~ s/&quot;/"/g; $s =~ s/&amp;/&/g;
    return $s;
}

# Scripts and styles: no address, no import. The SVG namespace is a name.
sub check_inner {
    my ($name, $text) = @_;
    $text =~ s,http://www\.w3\.org/\d+/(svg|xlink)\b,,g;
    fault($name, "refers to $1") while $text =~ m,((?:https?|wss?)://[^\s"'<]*),g;
    fault($name, "imports $1") while $text =~ m,(\@import[^;]*),g;
    fault($name, "refers to $1") while $text =~ m,url\(\s*["']?([^#"')][^)]*)\),g;
}

# A tag's attributes.
sub attributes {
    my ($tag) = @_;
    my %a;
    $a{lc $1} = unescape($2 // $3 // $4 // '')
        while $tag =~ /\s([-\w:]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;
    return %a;
}

sub read_page {
    my ($name) = @_;
    my $text = slurp("$root/$name");
    my %p = (links => [], ids => {});

    check_inner($name, $1)
        while $text =~ m,<(?:script|style)\b[^>]*>(.*?)</(?:script|style)>,gs;
    $text =~ s,(<(script|style)\b[^>]*>).*?</\2>,$1,gs;
    fault($name, 'has no language') unless $text =~ /<(html|svg)[^>]*\slang="\w/
        || $name =~ /\.svg$/;
    fault($name, 'has no title') unless $text =~ m,<title>[^<]+</title>,;
    while ($text =~ /<(\w+)(\s[^>]*)?>/g) {
        my ($tag, %a) = (lc $1, attributes($2 // ''));

        if (defined $a{id} && $a{id} ne '') {
            fault($name, "two of #$a{id}") if $p{ids}{$a{id}}++;
        }
        fault($name, 'a picture without words') if $tag eq 'img' && !$a{alt};
        check_inner($name, $a{style}) if defined $a{style};
        push @{ $p{links} }, grep defined, @a{qw(href src srcset xlink:href
            data action poster)};
    }
    return \%p;
}

# The name in the folder that a link of a page leads to, or undef: outside.
sub resolve {
    my ($from, $to) = @_;
    my @way = split m,/,, $from;

    pop @way;
    for (split m,/,, $to) {
        next if $_ eq '.' || $_ eq '';
        if ($_ ne '..') {
            push @way, $_;
        } elsif (!@way) {
            return undef;
        } else {
            pop @way;
        }
    }
    return join '/', @way;
}

find({ no_chdir => 1, wanted => sub {
    my $name = File::Spec->abs2rel($_, $root);
    return unless -f;
    $file{$name} = 1;
    fault($name, 'has more than 2 MB')
        if -s > MOST_BYTES && $name !~ m,^web/shelf/,;
    $page{$name} = read_page($name) if /\.(html|svg)$/;
    check_inner($name, slurp($_)) if /\.css$/;
} }, $root);

my (%reached, @todo);
for my $name (keys %page) {
    for my $link (@{ $page{$name}{links} }) {
        my ($path, $anchor) = $link =~ /^([^#]*)(?:#(.*))?$/s;
        my $to = $path eq '' ? $name : resolve($name, $path);

        next if $link eq 'data:,';	# no icon
        if ($link =~ m,^(?:[a-z][-+.a-z0-9]*:|//),i) {
            fault($name, "leads elsewhere: $link");
        } elsif (!defined $to || !$file{$to}) {
            fault($name, "leads nowhere: $link");
        } elsif (defined $anchor && !$page{$to}{ids}{$anchor}) {
            fault($name, "no such anchor: $link");
        } else {
            push @{ $reached{$name} }, $to;
        }
    }
}
my %seen = ('index.html' => 1);
@todo = ('index.html');
while (defined(my $name = shift @todo)) {
    push @todo, grep !$seen{$_}++, @{ $reached{$name} // [] };
}
fault($_, 'cannot be reached from index.html')
    for grep !$seen{$_} && /\.html$/, keys %file;
fault('index.html', 'is not there') unless $file{'index.html'};

binmode STDOUT, ':encoding(UTF-8)';
print "$_\n" for sort keys %fault;
my $links = 0;
$links += @{ $_->{links} } for values %page;
printf "%d pages, %d links, %d faults\n", scalar keys %page, $links,
    scalar keys %fault;
exit(%fault ? 1 : 0);
