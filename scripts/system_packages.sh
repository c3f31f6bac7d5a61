#!/bin/sh
# Installs what the tests need from the system: chromium for the pages, Java for Spark. Does so only as root or with
# passwordless sudo on a Debian-like system; otherwise says what is missing and leaves it to the tests to skip.
set -u
missing=""
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || missing="$missing chromium"
command -v java >/dev/null 2>&1 || missing="$missing default-jre-headless"
[ -z "$missing" ] && exit 0
as_root=""
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then as_root="sudo -n"; else
        echo "Not installed, and not allowed to install:$missing. Tests that need them will skip."
        exit 0
    fi
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "Please install with your package manager:$missing. Tests that need them will skip."
    exit 0
fi
echo "Installing$missing"
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null || echo "Could not install$missing. Tests that need them will skip."
exit 0
