#!/usr/bin/env python3
"""readers.py [OPTIONS] [LIST]: runs programs of public repositories as they are,
and holds what comes of each kernel to a list (data/readers.tsv).

  --gemmviz FILE   the program (build/gemmviz)
  --folder DIR     where repositories are kept (a temporary one)
  --from PREFIX    what stands before OWNER/NAME (https://github.com/)
  --only TEXT      only programs whose path has this text
  --seconds S      limit of a program's time (6)
  --write FILE     write a list of what came, of all programs of the repositories

The list's lines, with tabs between their parts:
  repository  OWNER/NAME  COMMIT  OPTIONS    ./ is the repository's root
  program     PATH        OUTCOME WORDS      ran, cut or refused; why, or with what
              else: a refusal says to add it
  kernel      NAME        FINDINGS           kinds, or clean; of the program above:
              open: not launched without more arguments or time, refused: with it
Nothing that is fetched is kept without --folder. Exits with 1 if something is
not as listed, 3 if a repository could not be fetched.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile


def fetch(prefix, folder, name, commit):
    """The work tree of a commit, or None."""
    to = os.path.join(folder, name.replace("/", "+"))
    if os.path.isdir(os.path.join(to, ".git")):
        return to
    for command in (["init", "-q", to],
                    ["-C", to, "fetch", "-q", "--depth", "1",
                     prefix + name, commit],
                    ["-C", to, "checkout", "-q", "FETCH_HEAD"]):
        if subprocess.run(["git", *command], check=False).returncode:
            return None
    return to


def programs(root):
    """Paths of the files with a main()."""
    found = []
    for folder, _, files in os.walk(root):
        for name in files:
            path = os.path.join(folder, name)
            if name.endswith(".cu") and re.search(
                    rb"\bmain\s*\(", open(path, "rb").read()):
                found.append(os.path.relpath(path, root))
    return sorted(found)


def others(path):
    """The other sources of a program that has a folder of its own."""
    folder = os.path.dirname(path)
    files = sorted(n for n in os.listdir(folder)
                   if re.search(r"\.(cu|cpp|cc)$", n))
    files = [n for n in files if not n.startswith("LICENSE")]
    texts = {n: open(os.path.join(folder, n), "rb").read()
             for n in os.listdir(folder)
             if re.search(r"\.(cu|cpp|cc|h|hpp|cuh)$", n)}
    mains = [n for n in files if re.search(rb"\bmain\s*\(", texts[n])]
    own = os.path.basename(path)
    # What includes another as a text does not link with it.
    included = [n for n in files
                for t in texts.values() if b'"%s"' % n.encode() in t]
    return [n for n in files if n != own and n not in included] \
        if mains == [own] else []


def told(text):
    """The options and the files that a refusal says to add."""
    if "(--allow-write FOLDER allows it)" in text:
        return ["--allow-write", "."], []
    m = re.search(r"; -I (\S+) finds \S+$|; allow it with -I (.*)$", text, re.M)
    if m:
        return ["-I", shlex.split(m[1] or m[2])[0]], []
    m = re.search(r"; (\S+) defines it: add it after ", text)
    return [], [m[1]] if m else []


def added(why):
    """What a program's words say that it was given."""
    return why if why.startswith("with ") else ""


def output(command, folder):
    with tempfile.TemporaryFile() as out:
        subprocess.run(command, stdout=out, stderr=subprocess.STDOUT,
                       stdin=subprocess.DEVNULL, check=False, cwd=folder)
        out.seek(0)
        return out.read().decode("utf-8", "replace")


def run(gemmviz, root, path, options, seconds):
    """(outcome, why, {kernel: kinds}) of a program; what a refusal says to add
    is added, and stands in the place of why."""
    words = [root + w[1:] if w.startswith("./") else w
             for w in options.split()]
    own = os.path.join(root, path)
    files = [os.path.basename(own), *others(own)]
    given = [], []
    for _ in range(6):
        text = output([gemmviz, "run", "--seconds", str(seconds), *words,
                       *given[0], *files, *given[1]], os.path.dirname(own))
        more = told(text)
        if set(more[0] + more[1]) <= set(given[0] + given[1]):
            break
        given = given[0] + more[0], given[1] + more[1]
    kernels = {}
    for m in re.finditer(r"^ +\d+  \S+:\d+  (.*?)  <<<.*>>>.*  recorded", text,
                         re.M):
        kernels.setdefault(m[1], set())
    for name, kinds in kernels.items():
        for m in re.finditer(r"^%s: ([a-z-]+): " % re.escape(name), text,
                             re.M):
            if m[1] not in ("note", "cap"):
                kinds.add(m[1])
    why = " ".join(["with", *given[0], *given[1]]) if any(given) else ""
    lines = [l for l in text.splitlines()
             if not l.startswith(("| ", "gemmviz: taken from the launch at ",
                              "gemmviz: added "))]
    first = next((l for l in lines if re.search(
        r": the program (ended|took|was)", l)), None) or next(
            (l for l in lines if l.startswith("gemmviz: ")),
            "".join(lines[:1]))
    if (not re.search(r": the program (ended|took|was)", first) or
            ": the program was stopped: " in first):
        return "refused", first.replace("gemmviz: ", "", 1), kernels
    cut = "the launch took too long" in text or "took too long and" in first
    return "cut" if cut else "ran", why, kernels


def read(path):
    """[(repository, commit, options, {program: (outcome, {kernel: kinds}, words)})]"""
    repositories = []
    for line in open(path, encoding="utf-8"):
        part = line.rstrip("\n").split("\t")
        if part[0] == "repository":
            repositories.append((part[1], part[2], part[3], {}))
        elif part[0] == "program":
            kernels = {}
            repositories[-1][3][part[1]] = (part[2], kernels,
                                            part[3] if len(part) > 3 else "")
        elif part[0] == "kernel":
            kernels[part[1]] = part[2]
    return repositories


def words(kinds):
    return ",".join(sorted(kinds)) or "clean"


def hold(path, listed, came):
    """Prints what is not as listed; how many that are."""
    outcome, why, kernels = came
    wrong = []
    # How far a program comes in its time is the machine's.
    if {outcome, listed[0]} not in ({"ran"}, {"cut"}, {"ran", "cut"},
                                    {"refused"}):
        wrong.append(f"{outcome}, listed as {listed[0]} {why}")
    if added(why) != added(listed[2]):
        wrong.append(f"needs '{added(why)}', listed with '{added(listed[2])}'")
    for name, kinds in kernels.items():
        must = listed[1].get(name, "open")
        if must not in ("open", "refused", words(kinds)):
            wrong.append(f"{name} is {words(kinds)}, listed as {must}")
    for w in wrong:
        print(f"{path}: {w}", flush=True)
    return len(wrong)


def write(out, path, came):
    outcome, why, kernels = came
    print("program", path, outcome, why, sep="\t", file=out)
    for name in sorted(kernels):
        print("kernel", name, words(kernels[name]), sep="\t", file=out)
    out.flush()


def main():
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--gemmviz", default="build/gemmviz")
    p.add_argument("--folder")
    p.add_argument("--from", dest="prefix", default="https://github.com/")
    p.add_argument("--only", default="")
    p.add_argument("--seconds", type=int, default=6)
    p.add_argument("--write")
    p.add_argument("list", nargs="?", default="data/readers.tsv")
    a = p.parse_args()
    own = None if a.folder else tempfile.TemporaryDirectory()
    gemmviz = os.path.abspath(a.gemmviz)
    out = open(a.write, "w", encoding="utf-8") if a.write else None
    wrong = missing = 0
    count = {}
    for name, commit, options, listed in read(a.list):
        root = fetch(a.prefix, a.folder or own.name, name, commit)
        if not root:
            print(f"{name}: not fetched: {len(listed)} programs", flush=True)
            missing += 1
            continue
        if out:
            print("repository", name, commit, options, sep="\t", file=out)
        for path in programs(root) if out else listed:
            if a.only not in path:
                continue
            came = run(gemmviz, root, path, options, a.seconds)
            count[came[0]] = count.get(came[0], 0) + 1
            count["kernels"] = count.get("kernels", 0) + len(came[2])
            if out:
                write(out, path, came)
            else:
                wrong += hold(path, listed[path], came)
    print(", ".join(f"{k} {v}" for k, v in sorted(count.items())))
    sys.exit(3 if missing else 1 if wrong else 0)


if __name__ == "__main__":
    main()
