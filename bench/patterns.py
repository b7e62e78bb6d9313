#!/usr/bin/env python3
"""patterns: the access patterns that are measured, and their measurements.

patterns.py make                    patterns, one JSON object a line
patterns.py plain <JSONL            the same for the program `patterns`
patterns.py metrics global|shared   what ncu is to count, separated by commas
patterns.py join JSONL CSV...       the patterns with what ncu counted: each
                                    CSV is one run over all of them

A pattern is what `gemmviz access --stdin` reads: space, op, size and 32
addresses in bytes, null for an inactive lane; ldmatrix may have "trans".
Repeated runs of a pattern can differ by other traffic in the counters, which
only adds: the least of the runs counts.
"""
import csv
import json
import sys

LANES = 32
WINDOW = 128 * 1024
BANK_ROW = 128          # bytes of one word in each bank
ALL = (1 << LANES) - 1
SIZES = (1, 2, 4, 8, 16)

# By space, what the data calls a count and what ncu does; then comes the
# operation. A line is one access of the cache's tags. ldmatrix is counted
# among the loads.
SHARED = {"wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_"}
METRICS = {
    "shared": SHARED,
    "ldmatrix": SHARED,
    "global": {"requests": "l1tex__t_requests_pipe_lsu_mem_global_op_",
               "sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_",
               "lines": "l1tex__t_set_accesses_pipe_lsu_mem_global_op_"},
}


class Draw:
    """A generator whose numbers are the same everywhere."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 +
                      1442695040888963407) % (1 << 64)
        return (self.state >> 33) % n

    def pick(self, choices):
        return choices[self.below(len(choices))]

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


class Patterns:
    """The patterns so far, each once."""

    def __init__(self):
        self.seen = set()
        self.rows = []

    def add(self, space, op, size, elements, mask=ALL, trans=False):
        """`elements` are of `size` bytes, one a lane."""
        row = {"space": space, "op": op, "size": size}
        if trans:
            row["trans"] = True
        row["addresses"] = [e * size % WINDOW if mask >> lane & 1 else None
                            for lane, e in enumerate(elements)]
        key = json.dumps(row)
        if key not in self.seen:
            self.seen.add(key)
            self.rows.append(row)


# ---- what lanes ask for ----

def strides(size):
    words = max(1, 4 // size)
    return (0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 32 * words,
            33 * words, 64, 65)


def without_bits(lane, bits):
    """The lane's number with these of its bits taken out."""
    number = place = 0
    for bit in range(5):
        if bits >> bit & 1:
            continue
        number |= (lane >> bit & 1) << place
        place += 1
    return number


def few_banks(draw, size, banks):
    """A random element that lies in the first few banks."""
    row = BANK_ROW // size
    return (draw.below(WINDOW // BANK_ROW) * row +
            draw.below(max(1, banks * 4 // size)))


def masks(draw):
    """Masks of every kind that a rule may depend on."""
    some = [1 << draw.below(LANES) for _ in range(3)]
    some += [0x55555555, 0xaaaaaaaa, 0x33333333, 0xcccccccc, 0x99999999,
             0x66666666, 0x11111111, 0x22222222, 0x44444444, 0x88888888,
             0x0f0f0f0f, 0xf0f0f0f0, 0x00ff00ff, 0xff00ff00, 0x0000ffff,
             0xffff0000, 0x000000ff, 0xff000000, 0x00ffff00, 0xff0000ff,
             0x0000f00f, 0x01010101, 0x80000001, 0x00030000]
    some += [(1 << draw.below(LANES)) - 1 & ALL for _ in range(3)]
    some += [ALL ^ 1 << draw.below(LANES) for _ in range(2)]
    some += [draw.below(1 << 31) << 1 | draw.below(2) for _ in range(4)]
    some += [draw.below(1 << 31) & draw.below(1 << 31) & draw.below(1 << 31)
             for _ in range(3)]
    return [m for m in some if m]


def bases(draw, size):
    """Full patterns that masks are put on, by what they share."""
    n = WINDOW // size
    row = BANK_ROW // size
    r = [draw.below(n) for _ in range(LANES)]
    return [
        list(range(LANES)),
        [lane * row for lane in range(LANES)],
        r,
        [r[lane >> 1] for lane in range(LANES)],
        [r[lane >> 2 << 1 | lane & 1] for lane in range(LANES)],
    ]


# ---- shared memory ----

def add_strides(p):
    for size in SIZES:
        for op in ("ld", "st"):
            for s in strides(size):
                p.add("shared", op, size, [lane * s for lane in range(LANES)])
            for k in range(1, 6):
                p.add("shared", op, size, [lane >> k for lane in range(LANES)])
                p.add("shared", op, size,
                      [lane % (1 << k) * 33 for lane in range(LANES)])


def add_sharing(p, draw):
    """Lanes that differ only in some bits of their number ask for the same."""
    for size in (8, 16):
        row = BANK_ROW // size
        for bits in range(32):
            random = [draw.below(WINDOW // size) for _ in range(LANES)]
            stack = [few_banks(draw, size, 8) for _ in range(LANES)]
            spread = draw.shuffled(range(LANES))
            for values in (list(range(LANES)), spread, random, stack,
                           [lane * row for lane in range(LANES)]):
                e = [values[without_bits(lane, bits)] for lane in range(LANES)]
                p.add("shared", "ld", size, e)
                if values is spread or values is random:
                    p.add("shared", "st", size, e)


def add_broken(p, draw):
    """One lane of a pattern that shares pairs is out of step, by one bit of
    its address or by any amount."""
    for size in (8, 16):
        for bit in (1, 2, 4):
            for values in ([lane for lane in range(LANES)],
                           [draw.below(WINDOW // size)
                            for _ in range(LANES)]):
                e = [values[without_bits(lane, bit)] for lane in range(LANES)]
                for change in range(0, (WINDOW // size).bit_length() - 1):
                    out = list(e)
                    out[draw.below(LANES)] ^= 1 << change
                    p.add("shared", draw.pick(("ld", "ld", "st")), size, out)
                for lane in (0, 5, 15, 16, 31):
                    out = list(e)
                    out[lane] = draw.below(WINDOW // size)
                    p.add("shared", "ld", size, out)
                    p.add("shared", "ld", size, out, ALL ^ 1 << lane)


def add_mixed(p, draw):
    """Other pairs share in other halves, quarters or quads."""
    kinds = (0, 1, 2, 3, 4, 8)
    for size in (8, 16):
        for group in (16, 8, 4):
            for _ in range(24):
                e = []
                for start in range(0, LANES, group):
                    bits = draw.pick(kinds)
                    values = [few_banks(draw, size, draw.pick((8, 32)))
                              for _ in range(LANES)]
                    e += [values[without_bits(lane, bits)]
                          for lane in range(start, start + group)]
                p.add("shared", draw.pick(("ld", "ld", "st")), size, e)


def add_undivided(p, draw):
    """As add_mixed, but a quad has two neighbouring elements, so that nothing
    but the merging of phases decides the cost: by quad, lane i shares with
    i^1, i^2, i^3, with all of its quad, or only the quad's ends do."""
    kinds = ((0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0), (0, 0, 0, 0),
             (0, 1, 1, 1))
    for size in (8, 16):
        chosen = [[a] * 4 + [b] * 4 for a in kinds for b in kinds]
        chosen += [[draw.pick(kinds[:2]) for _ in range(8)] for _ in range(10)]
        chosen += [[draw.pick(kinds) for _ in range(8)] for _ in range(10)]
        chosen += [[kinds[i]] * 2 + [kinds[1 - i]] * 2 + [kinds[j]] * 4
                   for i in range(2) for j in range(2)]
        for quads in chosen:
            e = [lane // 4 * 2 + quads[lane // 4][lane % 4]
                 for lane in range(LANES)]
            p.add("shared", "ld", size, e)
            p.add("shared", "ld", size, e, ALL ^ 1 << draw.below(LANES))
            p.add("shared", "ld", size, e, draw.pick(masks(draw)))
            if draw.below(4) == 0:
                p.add("shared", "st", size, e)


def add_masked(p, draw):
    for size in (4, 8, 16):
        for i, base in enumerate(bases(draw, size)):
            for j, mask in enumerate(masks(draw)):
                if size == 4 and (i + j) % 3:
                    continue
                p.add("shared", "ld" if (i + j) % 4 else "st", size, base,
                      mask)
    for size in (1, 2):
        for i, mask in enumerate(masks(draw)):
            base = [few_banks(draw, size, 4) for _ in range(LANES)]
            p.add("shared", "st" if i % 2 else "ld", size, base, mask)


def add_among_active(p, draw):
    """Pairs share wherever both lanes are active, or all but one do."""
    for size in (8, 16):
        for bit in (1, 2):
            for i in range(30):
                mask = draw.below(1 << 31) << 1 | draw.below(2)
                mask |= draw.below(1 << 31) if i % 2 else 0
                values = [few_banks(draw, size, 32) for _ in range(LANES)]
                e = [values[lane & ~bit] if mask >> (lane ^ bit) & 1
                     else draw.below(WINDOW // size) for lane in range(LANES)]
                if i % 3 == 0:
                    e[draw.below(LANES)] = draw.below(WINDOW // size)
                p.add("shared", "st" if i % 5 == 0 else "ld", size, e, mask)


def add_random(p, draw):
    for size in SIZES:
        for banks in (1, 2, 4, 8, 16, 32):
            for i in range(8):
                e = [few_banks(draw, size, banks) for _ in range(LANES)]
                p.add("shared", "st" if i % 3 == 0 else "ld", size, e)
        for range_ in (2, 3, 5, 8, 13, 21, 34, 55, 89):
            for op in ("ld", "st"):
                p.add("shared", op, size,
                      [draw.below(range_) for _ in range(LANES)])


def add_quads(p, draw):
    """Lanes permuted within and among quads, with columns on top."""
    for size in (4, 8, 16):
        for i in range(14):
            order = draw.shuffled(range(4))
            quads = draw.shuffled(range(8))
            pitch = draw.pick((4, 8, 12, 16, 20, 32, 36, 64, 68))
            share = draw.pick((1, 1, 2))
            e = [quads[lane >> 2] * pitch + order[lane & 3] // share
                 for lane in range(LANES)]
            p.add("shared", "st" if i % 3 == 0 else "ld", size, e)


def add_ldmatrix(p, draw):
    """Rows of 16 bytes; only whole matrices are active."""
    for mask in (0xff, 0xffff, ALL):
        for s in (0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 24):
            p.add("ldmatrix", "ld", 16, [lane * s for lane in range(LANES)],
                  mask)
        for k in range(1, 5):
            p.add("ldmatrix", "ld", 16, [lane >> k for lane in range(LANES)],
                  mask)
            p.add("ldmatrix", "ld", 16,
                  [lane % (1 << k) * 9 for lane in range(LANES)], mask)
        for banks in (4, 8, 16, 32):
            for i in range(5):
                p.add("ldmatrix", "ld", 16,
                      [few_banks(draw, 16, banks) for _ in range(LANES)],
                      mask, i == 0)
        for pitch in (8, 9, 16):
            for i in range(2):
                swizzle = draw.below(8)
                e = [lane * pitch + (lane // 8 ^ lane & swizzle)
                     for lane in range(LANES)]
                p.add("ldmatrix", "ld", 16, e, mask)
                p.add("ldmatrix", "ld", 16, draw.shuffled(e), mask, i == 0)


# ---- global memory ----

def add_global(p, draw):
    for size in SIZES:
        n = WINDOW // size
        for op in ("ld", "st"):
            for s in (0, 1, 2, 3, 4, 5, 8, 16, 32, 33):
                p.add("global", op, size, [lane * s for lane in range(LANES)])
            for start in (1, 2, 3, 7):
                p.add("global", op, size,
                      [start + lane for lane in range(LANES)])
        for i in range(8):
            op = "st" if i % 3 == 0 else "ld"
            range_ = draw.pick((8, 32, 128, 1024, n))
            start = draw.below(64)
            e = [start + draw.below(range_) for _ in range(LANES)]
            p.add("global", op, size, [start + i for i in
                                       draw.shuffled(range(LANES))])
            p.add("global", op, size, e)
            p.add("global", op, size, e, draw.pick(masks(draw)))
        for i, mask in enumerate(masks(draw)):
            p.add("global", "st" if i % 3 == 0 else "ld", size,
                  bases(draw, size)[i % 5], mask)


def make():
    p, draw = Patterns(), Draw(1)
    add_strides(p)
    add_sharing(p, draw)
    add_broken(p, draw)
    add_mixed(p, draw)
    add_masked(p, draw)
    add_among_active(p, draw)
    add_random(p, draw)
    add_quads(p, draw)
    add_ldmatrix(p, draw)
    add_global(p, draw)
    add_undivided(p, draw)
    return p.rows


# ---- files ----

def write(row):
    print(json.dumps(row, separators=(",", ":")))


def plain(row):
    at = ["-" if a is None else str(a) for a in row["addresses"]]
    print(row["space"], row["op"], row["size"], int(row.get("trans", False)),
          *at)


def counts(path):
    """Of each launch in turn, the metrics by name."""
    with open(path, newline="") as f:
        lines = [line for line in f if line.startswith('"')]
    launches = csv.DictReader(lines)
    return [r for r in launches if r["ID"]]     # the first row has the units


def metric(space, op, name):
    return METRICS[space][name] + op + ".sum"


def join(path, runs):
    with open(path) as f:
        rows = [json.loads(line) for line in f]
    runs = [counts(run) for run in runs]
    unsteady = 0
    for run in runs:
        if len(run) != len(rows):
            sys.exit("patterns.py: a run of %d launches for %d patterns" %
                     (len(run), len(rows)))
    for i, row in enumerate(rows):
        for name in METRICS[row["space"]]:
            ncu = metric(row["space"], row["op"], name)
            seen = [int(run[i][ncu].replace(",", "")) for run in runs]
            row[name] = min(seen)
            unsteady += min(seen) != max(seen)
        write(row)
    print("%d patterns, %d counts differ between runs" %
          (len(rows), unsteady), file=sys.stderr)


def main(argv):
    if argv[1:] == ["make"]:
        for row in make():
            write(row)
    elif argv[1:] == ["plain"]:
        for line in sys.stdin:
            plain(json.loads(line))
    elif argv[1:2] == ["metrics"] and argv[2:] in (["global"], ["shared"]):
        print(",".join(metric(argv[2], op, name) for op in ("ld", "st")
                       for name in METRICS[argv[2]]))
    elif argv[1:2] == ["join"] and len(argv) > 3:
        join(argv[2], argv[3:])
    else:
        sys.exit(__doc__.strip())


if __name__ == "__main__":
    main(sys.argv)
