#!/bin/sh
# Makes configure and its helpers from configure.ac and Makefile.am.
set -e
cd "$(dirname "$0")"
mkdir -p build-aux
exec autoreconf --install --force
