# What SUMMIT.md says of several GPUs is what data/across-*.json have.
. "$srcdir/tests/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# rows FILE: the rows of the tables, made of the file, for GPUS of its GPUs.
rows() {
	perl -MJSON::PP -0777 -ne '
	my @all = @{decode_json($_)->{measured}};
	my @n = (4096, 8192, 16384);
	my %word = (2 => "two", 4 => "four");
	my @gpus = split / /, $ENV{GPUS};
	our $g;
	sub runs { my %w = @_; sort { $a->{seconds} <=> $b->{seconds} } grep {
		my $m = $_; !grep { ($m->{$_} // "") ne $w{$_} } keys %w } @all }
	sub best { (runs(@_))[0] }
	sub ms { my $v = 1e3 * shift; sprintf "%.*f", $v < .9995 ? 3 :
		$v < 9.995 ? 2 : $v < 99.95 ? 1 : 0, $v }
	sub samples { my $m = shift; sprintf "%s (%.0f %%)", ms($m->{seconds}),
		100 * $m->{spread} }
	sub row { my ($name, @v) = @_; print "| ", join(" | ", $name, @v), " |\n" }
	sub alone { my ($by, $n) = @_; best(by => $by, n => $n, gpus => $g,
		panel => best(by => "across", n => $n, gpus => $g)->{panel})->{seconds} }
	sub one { best(by => "sgemm", n => shift)->{seconds} }
	my ($most) = sort { $b->{bytes} <=> $a->{bytes} } runs(by => "copied");
	my $link = $most->{bytes} / $most->{seconds};

	row("cuBLAS, one GPU", map { ms(best(by => "cublas", n => $_)->{seconds}) } @n);
	row("`sgemm`, one GPU", map { ms(one($_)) } @n);
	for $g (@gpus) {
		row("$word{$g} GPUs", map { samples(best(by => "across", n => $_, gpus => $g)) } @n);
		row("$word{$g} GPUs, panels before products", map {
			samples(best(by => "first", n => $_, gpus => $g)) } @n);
		row("their products alone", map { ms(alone("products", $_)) } @n);
		row("their panels alone", map { ms(alone("panels", $_)) } @n);
		# What a GPU lacks is half of A, or a quarter each of A and B.
		row("the link at its best", map { ms(4 * $_ * $_ / 2 / $link) } @n);
		row("one against $word{$g}", map { sprintf "%.2f, %.2f", (
			one($_) / best(by => "across", n => $_, gpus => $g)->{seconds},
			one($_) / best(by => "first", n => $_, gpus => $g)->{seconds}) } @n);
		row("... by products alone", map { sprintf "%.2f", one($_) / alone("products", $_) } @n);
	}
	exit if @gpus > 1;
	$g = $gpus[0];
	for my $by ("copied", "broadcast") {
		row($by, map { sprintf "%.0f", ($_ << 20) / best(by => $by,
			bytes => $_ << 20)->{seconds} / 1e9 } 1024, 256, 64, 16, 4);
	}
	for my $n (@n) {
		row($n, map { my $m = best(by => "products", n => $n, gpus => $g, panel => $_);
			$m ? ms($m->{seconds}) : "-" } 4096, 2048, 1024, 512);
	}' "$srcdir/data/$1"
}
{
	export GPUS=2
	rows across-h100.json
	GPUS='2 4'
	rows across-h200.json
} >"$tmp/rows"
is "$(wc -l <"$tmp/rows")" 30 "the files have what the tables are made of"
sed -n '/^## Several GPUs/,/^## /p' "$srcdir/data/SUMMIT.md" | grep '^| [^|]' |
	grep -v '^| \(ms\|GB/s\|products alone, ms\) ' >"$tmp/said"
diff "$tmp/rows" "$tmp/said" >"$tmp/diff"
is $? 0 "SUMMIT.md has these rows and no others"
sed 's/^/# /' "$tmp/diff" | head -n 8
done_testing
