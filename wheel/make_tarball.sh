#!/bin/sh
# make_tarball.sh VERSION: unpacks the wheel in the build folder, as pip does, and
# packs it as gemmviz-VERSION-linux-MACHINE.tar.gz, which needs no Python.
set -eu
name=gemmviz-$1-linux-$(uname -m)
tree=wheel/$name

rm -rf "$tree"
wheel/tools/bin/pip -q --disable-pip-version-check install --no-index --no-deps \
	--no-compile --target "$tree" gemmviz-"$1"-*.whl
# The start script of Python; the program finds the rest by its own place.
ln -sf ../gemmviz/bin/gemmviz "$tree/bin/gemmviz"
rm "$tree"/gemmviz/*.py
mv "$tree/gemmviz-$1.dist-info/licenses" "$tree/licenses"
rm -r "$tree/gemmviz-$1.dist-info"
tar -C wheel --owner=0 --group=0 --sort=name -czf "$name.tar.gz" "$name"
rm -r "$tree"
