#!/bin/sh
# Installs what assay's own programs need and the machine lacks: git and a C
# compiler to run; for the tests also what the sample instances are built with.
# Environments of instances install their own packages. Needs root only where
# something is missing.
set -eu

missing=""
need() { # command package
	command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}
need git git
need g++ g++
if [ "${1:-run}" = test ]; then
	need cmake cmake
	need ninja ninja-build
	need mvn maven
	dpkg-query -W -f='${Status}' python3-venv 2>/dev/null | grep -q "ok installed" || missing="$missing python3-venv"
	for p in libgtest-dev doctest-dev catch2; do
		dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q "ok installed" || missing="$missing $p"
	done
fi
if ! command -v go >/dev/null 2>&1; then
	echo "assay needs Go (see go.mod for the version); install it and try again" >&2
	exit 1
fi
[ -n "$missing" ] || exit 0
echo "installing:$missing"
if [ "$(id -u)" -ne 0 ]; then
	echo "not root: run  apt-get install$missing" >&2
	exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086
apt-get install -y -qq --no-install-recommends $missing >/dev/null
