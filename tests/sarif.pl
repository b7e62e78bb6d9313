#!/usr/bin/perl
# Holds SARIF on standard input to what the schema of version 2.1.0 (OASIS) says
# of the objects in it: their required members, which there are (the schema
# allows no others), and their values. Prints what is wrong, a line each.
use strict;
use warnings;
use JSON::PP;

# Of each object its members: * is required; then a type, [type] an array of it,
# or a pattern of strings.
my %objects = (
	sarifLog => { '*version' => qr/^2\.1\.0$/, '*runs' => ['run'],
		'$schema' => qr/^https:\S+sarif\S*2\.1\.0\S*$/ },
	run => { '*tool' => 'tool', invocations => ['invocation'],
		results => ['result'], columnKind =>
		qr/^(utf16CodeUnits|unicodeCodePoints)$/ },
	tool => { '*driver' => 'toolComponent' },
	toolComponent => { '*name' => qr/./, version => qr/./,
		rules => ['reportingDescriptor'] },
	reportingDescriptor => { '*id' => qr/./,
		shortDescription => 'multiformatMessageString' },
	multiformatMessageString => { '*text' => qr/./ },
	invocation => { '*executionSuccessful' => 'boolean' },
	result => { '*message' => 'message', ruleId => qr/./,
		ruleIndex => 'index', level => qr/^(none|note|warning|error)$/,
		locations => ['location'], suppressions => ['suppression'] },
	message => { '*text' => qr/./ },
	location => { physicalLocation => 'physicalLocation' },
	physicalLocation => { '*artifactLocation' => 'artifactLocation',
		region => 'region' },
	artifactLocation => { '*uri' => qr/^[\w.~%\/-]+$/ },
	region => { '*startLine' => 'number', startColumn => 'number' },
	suppression => { '*kind' => qr/^(inSource|external)$/,
		justification => qr/./ },
);
my $wrong = 0;

sub wrong { print "@_\n"; $wrong++ }

sub check {
	my ($at, $type, $v) = @_;

	if (ref $type eq 'ARRAY') {
		return wrong("$at: no array") if ref $v ne 'ARRAY';
		check("$at\[$_\]", $type->[0], $v->[$_]) for 0 .. $#$v;
	} elsif (ref $type eq 'Regexp') {
		wrong("$at: ", $v // 'null') if !defined $v || ref $v ||
			$v !~ $type;
	} elsif ($type eq 'boolean') {
		wrong("$at: no boolean") if !JSON::PP::is_bool($v);
	} elsif ($type eq 'number' || $type eq 'index') {
		my $least = $type eq 'number' ? 1 : 0;
		wrong("$at: no number") if JSON::PP->new->allow_nonref->encode($v)
			!~ /^\d+$/ || $v < $least;
	} else {
		return wrong("$at: no object") if ref $v ne 'HASH';
		my %members = %{$objects{$type}};
		for (sort keys %members) {
			wrong("$at: no ", s/^\*//r)
				if /^\*/ && !exists $v->{s/^\*//r};
		}
		for (sort keys %$v) {
			my $of = $members{$_} // $members{"*$_"};
			$of ? check("$at.$_", $of, $v->{$_}) :
				wrong("$at: unknown $_");
		}
	}
}

my $s = decode_json(do { local $/; <STDIN> });
check('log', 'sarifLog', $s);
for my $run (@{$s->{runs}}) {
	my $rules = $run->{tool}{driver}{rules} // [];
	my %ids = map { $_->{id} => 1 } @$rules;

	wrong("rules twice") if keys %ids != @$rules;
	for (@{$run->{results}}) {
		my $rule = $rules->[$_->{ruleIndex} // 0];
		wrong("rule $_->{ruleId}") if !$rule ||
			$rule->{id} ne $_->{ruleId};
	}
}
exit($wrong > 0);
