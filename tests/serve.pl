#!/usr/bin/perl
# serve.pl FOLDER: a web server for the folder's files, on a port of this machine
# that it prints; for requests one after the other. It ends when its standard
# input does.
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;

my $root = shift // die "usage: serve.pl FOLDER\n";
my %type = (html => 'text/html', js => 'text/javascript', css => 'text/css',
            gz => 'application/gzip', svg => 'image/svg+xml');
my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 64)
    or die "serve.pl: $!\n";
my $ready = IO::Select->new($server, \*STDIN);

sub answer {
    my ($client) = @_;
    my $request = <$client> // return;
    while (defined(my $line = <$client>)) {
        last if $line =~ /^\r?$/;
    }
    my ($path) = $request =~ m,^GET /([^ ?#]*),;

    $path .= 'index.html' if defined $path && $path =~ m,(^|/)$,;
    my ($kind) = ($path // '') =~ /\.(\w+)$/;
    if (!defined $path || $path =~ m,(^|/)\.\.(/|$), || !-f "$root/$path" ||
        !open my $f, '<:raw', "$root/$path") {
        print $client "HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n";
    } else {
        local $/;
        my $all = <$f>;
        print $client "HTTP/1.0 200 OK\r\nContent-Type: ",
            $type{$kind // ''} // 'application/octet-stream',
            "\r\nContent-Length: ", length $all, "\r\n\r\n", $all;
    }
}

$| = 1;
$SIG{PIPE} = 'IGNORE';
print $server->sockport, "\n";
while (1) {
    for my $on ($ready->can_read) {
        exit if $on != $server && !sysread STDIN, my $byte, 1;
        next if $on != $server;
        my $client = $server->accept or next;
        answer($client);
        close $client;
    }
}
