#!/bin/bash
# every_size.sh [SEED [STEP]]: prints 60 sizes, a line each, "M N K CLASS": ten
# of each class, drawn by the seed so that powers of two between 64 and 16384
# are equally likely. N and K are multiples of STEP, 1 unless given (hgemm
# needs 8). At most 2^38 products each, so that all of them take seconds.
awk -v state="${1:-17}" -v step="${2:-1}" '
# From 0 up to 1.
function draw() {
	state = state * 16807 % 2147483647
	return state / 2147483647
}
function side(low, high) {
	return int(exp(log(low) + draw() * log(high / low)) + 0.5)
}
function to(v, unit) {
	v = int(v / unit + 0.5) * unit
	return v < 64 ? int(63 / unit + 1) * unit : v > 16384 ? 16384 : v
}
function is_prime(v,	i) {
	for (i = 2; i * i <= v; i++)
		if (v % i == 0)
			return 0
	return 1
}
function prime(v) {
	while (!is_prime(v))
		v++
	return v > 16384 ? 16381 : v
}
function one(class) {
	m = side(64, 16384)
	n = side(64, 16384)
	k = side(64, 16384)
	if (class == "round") {
		m = to(m, 64)
		n = to(n, 64)
		k = to(k, 64)
	} else if (class == "prime") {
		m = prime(m)
		n = prime(n)
		k = prime(k)
	} else if (class == "square") {
		n = k = m
	} else if (class == "tall") {
		m = side(4096, 16384)
		n = side(64, 512)
	} else if (class == "wide") {
		m = side(64, 512)
		n = side(4096, 16384)
	} else if (class == "deep") {
		m = side(64, 1024)
		n = side(64, 1024)
		k = side(4096, 16384)
	}
	n = to(n, step)
	k = to(k, step)
}
BEGIN {
	count = split("round square prime tall wide deep", classes, " ")
	for (i = 0; i < 60; i++) {
		do
			one(classes[i % count + 1])
		while (m * n * k > 2 ^ 38)
		print m, n, k, classes[i % count + 1]
	}
}'
