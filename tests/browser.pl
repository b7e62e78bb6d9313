#!/usr/bin/perl
# browser.pl CHROMIUM FOLDER PAGE: opens a file, or what a server of this
# machine has at an address; reads commands from standard input, a line
# each, and prints what came of them, as JSON, a line each:
#
#   open WIDTH HEIGHT [SCALE]
#                        opens the page in a window of this size; zoomed so
#   at FRAGMENT          what `open` opens has this fragment from now on
#   before SCRIPT        runs in each page that is opened from now on, before its
#                        own scripts; in place of an earlier one
#   eval EXPRESSION      its value in the page; of a promise, once it has one
#   click SELECTOR       the mouse's button on the middle of the first of these
#   move SELECTOR        the mouse there
#   key KEY              presses a key
#   wait MILLISECONDS
#   shot FILE.png        a picture of the window
#   print FILE.pdf       the page on A4
#   theme dark|light     what the reader's machine asks for
#   roles                what assistive technology is told: "ROLE NAME" of each
#                        part that is named, or can have the focus
#   trouble              exceptions, messages of the console, and requests for
#                        anything but the page, or its server
#
# It speaks the DevTools protocol through pipes: no port is open, and nothing but
# Perl is needed. The browser's own files are in FOLDER.
use strict;
use warnings;
use Cwd qw(abs_path);
use Fcntl;
use JSON::PP;
use MIME::Base64;
use POSIX ();

my ($chromium, $folder, $page) = @ARGV;
my $url = $page =~ m,^http://, ? $page : 'file://' . abs_path($page);
my ($origin) = $url =~ m,^(http://[^/]*/),;
my $json = JSON::PP->new->utf8->allow_nonref->canonical;
my ($id, $session, @trouble, $buffer) = (0, undef);
$buffer = '';

# The browser reads from its descriptor 3 and writes to 4.
pipe my $its_in, my $out or die;
pipe my $in, my $its_out or die;
my $pid = fork // die;
if (!$pid) {
    # out of the way of 3 and 4
    my $a = POSIX::dup2(fileno $its_in, 30);
    my $b = POSIX::dup2(fileno $its_out, 31);
    POSIX::dup2(30, 3);
    POSIX::dup2(31, 4);
    POSIX::close($_) for 30, 31;
    $^F = 4;
    open STDOUT, '>', '/dev/null';
    open STDERR, '>', "$folder/browser.log";
    $ENV{HOME} = $folder;
    exec $chromium, '--headless', '--no-sandbox', '--disable-gpu',
        '--disable-dev-shm-usage', '--remote-debugging-pipe',
        '--hide-scrollbars', "--user-data-dir=$folder/profile", 'about:blank'
        or POSIX::_exit(127);
}
close $its_in;
close $its_out;
$SIG{ALRM} = sub { kill 'KILL', $pid; die "browser.pl: no answer\n" };

# Whether an address is neither the page, nor of its server, nor inside it.
sub foreign {
    my ($to) = @_;
    $to =~ s/#.*//s;
    return $to ne $url =~ s/#.*//sr && $to !~ /^(?:data|blob|about):/
        && !(defined $origin && index($to, $origin) == 0);
}

sub note_trouble {
    my ($m) = @_;
    my ($what, $p) = ($m->{method} // '', $m->{params});
    push @trouble, $p->{exceptionDetails}{exception}{description}
        // $p->{exceptionDetails}{text} if $what eq 'Runtime.exceptionThrown';
    push @trouble, "console: " . ($p->{args}[0]{value} // '?')
        if $what eq 'Runtime.consoleAPICalled';
    push @trouble, "log: $p->{entry}{text}" if $what eq 'Log.entryAdded';
    push @trouble, "request: $p->{request}{url}"
        if $what eq 'Network.requestWillBeSent' && foreign($p->{request}{url});
}

sub message {
    while ($buffer !~ /\0/) {
        sysread $in, $buffer, 65536, length $buffer or die "it is gone\n";
    }
    $buffer =~ s/^(.*?)\0//s;
    my $m = $json->decode($1);
    note_trouble($m);
    return $m;
}

sub call {
    my ($method, %params) = @_;
    my $want = ++$id;
    my $m = { id => $want, method => $method, params => \%params };
    $m->{sessionId} = $session if $session;
    my $data = $json->encode($m) . "\0";
    alarm 60;
    while (length $data) {
        my $n = syswrite($out, $data) // die "cannot write: $!\n";
        substr $data, 0, $n, '';
    }
    while (1) {
        my $m = message();
        next unless ($m->{id} // 0) == $want;
        alarm 0;
        die "$method: $m->{error}{message}\n" if $m->{error};
        return $m->{result};
    }
}

sub value {
    my $r = call('Runtime.evaluate', expression => $_[0],
                 awaitPromise => JSON::PP::true,
                 returnByValue => JSON::PP::true);
    return "exception: $r->{exceptionDetails}{exception}{description}"
        if $r->{exceptionDetails};
    return $r->{result}{value};
}

sub attach {
    my $target = call('Target.createTarget', url => 'about:blank');
    $session = call('Target.attachToTarget', flatten => JSON::PP::true,
                    targetId => $target->{targetId})->{sessionId};
    call("$_.enable") for qw(Page Runtime Log Network);
}

sub open_page {
    my ($w, $h, $scale) = @_;
    attach() unless $session;
    call('Emulation.setDeviceMetricsOverride', width => $w + 0,
         height => $h + 0, deviceScaleFactor => ($scale // 1) + 0, mobile => JSON::PP::false);
    # A page whose address differs in its fragment alone would stay.
    for my $to ('about:blank', $url) {
        call('Page.navigate', url => $to);
        alarm 60;
        1 until (message()->{method} // '') eq 'Page.loadEventFired';
        alarm 0;
    }
    return value('document.title');
}

# Runs a script in each page, first of all.
my $before;
sub before {
    attach() unless $session;
    call('Page.removeScriptToEvaluateOnNewDocument', identifier => $before)
        if defined $before;
    $before = call('Page.addScriptToEvaluateOnNewDocument',
                   source => $_[0])->{identifier};
    return 'done';
}

sub mouse {
    my ($selector, @events) = @_;
    my $quoted = $json->encode($selector);
    my $at = value("(() => { const e = document.querySelector($quoted);"
        . " if (!e) return null; e.scrollIntoView({block: 'center'});"
        . " const r = e.getBoundingClientRect();"
        . " return [r.x + r.width / 2, r.y + r.height / 2]; })()");
    return "no $selector" unless ref $at;
    call('Input.dispatchMouseEvent', type => $_, x => $at->[0],
         y => $at->[1], button => $_ eq 'mouseMoved' ? 'none' : 'left',
         clickCount => 1) for 'mouseMoved', @events;
    return 'done';
}

sub key {
    my ($key) = @_;
    my %named = (ArrowRight => 39, ArrowLeft => 37, Tab => 9, Enter => 13,
                 PageDown => 34, PageUp => 33, Home => 36, End => 35,
                 Escape => 27, ArrowDown => 40, ArrowUp => 38);
    my %code = ('.' => 190, '-' => 189, '!' => 49);
    $key = ' ' if $key eq 'Space';
    my %text = $named{$key} ? () : (text => $key);
    %text = (text => "\r") if $key eq 'Enter';
    call('Input.dispatchKeyEvent', type => 'keyDown', key => $key, %text,
         windowsVirtualKeyCode => $named{$key} // $code{$key} // ord uc $key);
    call('Input.dispatchKeyEvent', type => 'keyUp', key => $key);
    return 'done';
}

sub shot {
    my $r = call('Page.captureScreenshot', format => 'png');
    open my $f, '>:raw', $_[0] or die "$_[0]: $!\n";
    print $f decode_base64($r->{data});
    close $f;
    return 'done';
}

sub print_pdf {
    my $r = call('Page.printToPDF', paperWidth => 8.27, paperHeight => 11.69,
                 printBackground => JSON::PP::false);
    open my $f, '>:raw', $_[0] or die "$_[0]: $!\n";
    print $f decode_base64($r->{data});
    close $f;
    return 'done';
}

sub theme {
    attach() unless $session;
    call('Emulation.setEmulatedMedia', features => [
        { name => 'prefers-color-scheme', value => $_[0] } ]);
    return 'done';
}

sub roles {
    my @all;
    for my $n (@{ call('Accessibility.getFullAXTree')->{nodes} }) {
        my ($role, $name) = map { $n->{$_}{value} // '' } qw(role name);
        my %is = map { $_->{name} => $_->{value}{value} }
            @{ $n->{properties} // [] };
        next if $n->{ignored} || $role =~ /^(RootWebArea|StaticText|Inline)/;
        push @all, "$role $name" if $name ne '' || $is{focusable};
    }
    return \@all;
}

sub trouble {
    value('0');    # what was sent before this has arrived then
    my @all = @trouble;
    @trouble = ();
    return \@all;
}

$| = 1;
while (my $line = <STDIN>) {
    chomp $line;
    my ($what, $rest) = $line =~ /^(\w+)\s*(.*)$/ or next;
    my $r = $what eq 'open' ? open_page(split ' ', $rest) :
            $what eq 'at' ? do { $url =~ s/(#.*)?$/$rest/; 'done' } :
            $what eq 'before' ? before($rest) :
            $what eq 'eval' ? value($rest) :
            $what eq 'click' ? mouse($rest, 'mousePressed', 'mouseReleased') :
            $what eq 'move' ? mouse($rest) :
            $what eq 'key' ? key($rest) :
            $what eq 'wait' ? do { select undef, undef, undef, $rest / 1000;
                                   'done' } :
            $what eq 'shot' ? shot($rest) :
            $what eq 'print' ? print_pdf($rest) :
            $what eq 'theme' ? theme($rest) :
            $what eq 'roles' ? roles() :
            $what eq 'trouble' ? trouble() : die "browser.pl: $what?\n";
    print $json->encode($r), "\n";
}
$session = undef;
call('Browser.close');
waitpid $pid, 0;
