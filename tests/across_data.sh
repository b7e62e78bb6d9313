# What SUMMIT.md says of several GPUs is what data/across-h100.json has.
. "$srcdir/tests/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# The rows of the tables, made of the file.
perl -MJSON::PP -0777 -ne '
	my @all = @{decode_json($_)->{measured}};
	my @n = (4096, 8192, 16384);
	sub runs { my %w = @_; sort { $a->{seconds} <=> $b->{seconds} } grep {
		my $m = $_; !grep { ($m->{$_} // "") ne $w{$_} } keys %w } @all }
	sub best { (runs(@_))[0] }
	sub ms { my $v = 1e3 * shift; sprintf "%.*f", $v < .9995 ? 3 :
		$v < 9.995 ? 2 : $v < 99.95 ? 1 : 0, $v }
	sub samples { my $m = shift; sprintf "%s (%.0f %%)", ms($m->{seconds}),
		100 * $m->{spread} }
	sub row { my ($name, @v) = @_; print "| ", join(" | ", $name, @v), " |\n" }
	sub alone { my ($by, $n) = @_; best(by => $by, n => $n,
		panel => best(by => "across", n => $n)->{panel})->{seconds} }
	sub one { best(by => "sgemm", n => shift)->{seconds} }
	my ($most) = sort { $b->{bytes} <=> $a->{bytes} } runs(by => "copied");
	my $link = $most->{bytes} / $most->{seconds};

	row("cuBLAS, one GPU", map { ms(best(by => "cublas", n => $_)->{seconds}) } @n);
	row("`sgemm`, one GPU", map { ms(one($_)) } @n);
	row("two GPUs", map { samples(best(by => "across", n => $_)) } @n);
	row("two GPUs, panels before products", map { samples(best(by => "first", n => $_)) } @n);
	row("their products alone", map { ms(alone("products", $_)) } @n);
	row("their panels alone", map { ms(alone("panels", $_)) } @n);
	row("the link at its best", map { ms(4 * $_ * $_ / 2 / $link) } @n);
	row("one against two", map { sprintf "%.2f, %.2f", (
		one($_) / best(by => "across", n => $_)->{seconds},
		one($_) / best(by => "first", n => $_)->{seconds}) } @n);
	row("... by products alone", map { sprintf "%.2f", one($_) / alone("products", $_) } @n);
	for my $by ("copied", "broadcast") {
		row($by, map { sprintf "%.0f", ($_ << 20) / best(by => $by,
			bytes => $_ << 20)->{seconds} / 1e9 } 1024, 256, 64, 16, 4);
	}
	for my $n (@n) {
		row($n, map { my $m = best(by => "products", n => $n, panel => $_);
			$m ? ms($m->{seconds}) : "-" } 4096, 2048, 1024, 512);
	}' "$srcdir/data/across-h100.json" >"$tmp/rows"
is "$(wc -l <"$tmp/rows")" 14 "the file has what the tables are made of"
sed -n '/^## Several GPUs/,/^## /p' "$srcdir/data/SUMMIT.md" | grep '^| [^|]' |
	grep -v '^| \(ms\|GB/s\|products alone, ms\) ' >"$tmp/said"
diff "$tmp/rows" "$tmp/said" >"$tmp/diff"
is $? 0 "SUMMIT.md has these rows and no others"
sed 's/^/# /' "$tmp/diff" | head -n 8
done_testing
