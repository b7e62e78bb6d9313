#!/usr/bin/perl
# one.pl FOLDER: the page of FOLDER/web as one file, on standard output: styles
# and scripts are inside, and allowed by their hashes alone; the files that it
# would fetch are, too, in base64. `gemmviz export --format page` adds
# recordings.
use strict;
use warnings;
use Digest::SHA qw(sha256_base64);
use MIME::Base64;

my $web = shift;

sub slurp {
    open my $f, '<:raw', "$web/$_[0]" or die "one.pl: $web/$_[0]: $!\n";
    local $/;
    return <$f>;
}

sub hash_of {
    my $h = sha256_base64($_[0]);
    return "'sha256-$h" . '=' x (-length($h) % 4) . "'";
}

my $page = slurp('index.html');
my $style = slurp('page.css');
my @scripts = map slurp($_), qw(gemmviz.js page.js);
my $files = join '', map {
    qq(<script type="text/plain" data-file="$_">) .
        encode_base64(slurp($_), '') . "</script>\n"
} qw(gemmviz.wasm.gz en.pack.gz zh.pack.gz rest.pack.gz);

/<\/(script|style)/i and die "one.pl: a script ends itself\n"
    for @scripts, $style;
my $hashes = join ' ', map hash_of($_), @scripts;
$page =~ s/script-src 'self'/script-src $hashes/;
$page =~ s/style-src 'self'/"style-src " . hash_of($style)/e;
$page =~ s/connect-src 'self'/connect-src 'none'/;
$page =~ s/<link rel="stylesheet"[^>]*>/<style>$style<\/style>/;
$page =~ s/<script src="gemmviz\.js"><\/script>\n/$files<!-- recordings -->\n<script>$scripts[0]<\/script>\n/;
$page =~ s/<script src="page\.js"><\/script>/<script>$scripts[1]<\/script>/;
print $page;
