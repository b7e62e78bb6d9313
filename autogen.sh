#!/bin/sh
# Makes configure and its helpers from configure.ac and Makefile.am.
set -e
cd "$(dirname "$0")"
exec autoreconf --install --force
