#!/bin/sh
# Installs patb-cli-bridge for the user who runs this, on Linux and macOS. It needs curl or wget,
# and tar. What it heeds:
#
#   PATBA_VERSION      the version to install, such as 1.0.0; the latest where it is not set
#   PATBA_INSTALL_DIR  the folder to install it into; ~/.local/bin where it is not set
#   PATBA_DOWNLOADS    another place that has the releases, as an https:// address
set -eu

program=patb-cli-bridge
downloads=${PATBA_DOWNLOADS:-@REPOSITORY@/releases}
work=
staged=
made=

say() {
  printf '%s\n' "$*"
}

fail() {
  printf '%s\n' "install.sh: $*" >&2
  exit 1
}

# Leaves nothing behind but what was installed.
clean_up() {
  if [ -n "$work" ]; then rm -rf "$work"; fi
  if [ -n "$staged" ]; then rm -f "$staged"; fi
  if [ -n "$made" ]; then rmdir "$made" 2>/dev/null || :; fi
}

has() {
  command -v "$1" >/dev/null 2>&1
}

find_platform() {
  system=$(uname -s)
  machine=$(uname -m)
  case $system-$machine in
    Linux-x86_64 | Linux-amd64) platform=linux-x86_64 ;;
    Linux-aarch64 | Linux-arm64) platform=linux-aarch64 ;;
    Darwin-x86_64) platform=darwin-x86_64 ;;
    Darwin-arm64) platform=darwin-aarch64 ;;
    *) fail "there is no $program for $system on $machine" ;;
  esac
  if [ "$system" = Linux ]; then
    case $(ldd --version 2>&1 || :) in
      *musl*) fail "there is no $program for a Linux with musl, such as Alpine; it needs glibc" ;;
    esac
  fi
}

# Everything is asked for over https; http is for this machine alone, and no address has a user in
# it. curl keeps to that when it is redirected; wget cannot be told to.
check_address() {
  downloads=${downloads%/}
  case $downloads in
    *@* | *[[:space:]]*) fail "not an address to download from: $downloads" ;;
    https://*) scheme=https ;;
    http://127.0.0.1:* | http://localhost:*) scheme=http ;;
    *) fail "not an https:// address: $downloads" ;;
  esac
}

# download URL FILE
download() {
  if has curl; then
    curl --fail --silent --show-error --location --proto "=$scheme" --connect-timeout 30 \
      --speed-limit 1 --speed-time 60 --output "$2" "$1" || fail "cannot download $1"
  elif has wget; then
    case $(wget --version 2>&1 || :) in
      *"GNU Wget"*) wget -q -T 60 --tries=2 -O "$2" "$1" || fail "cannot download $1" ;;
      *) wget -q -T 60 -O "$2" "$1" || fail "cannot download $1" ;;
    esac
  else
    fail "curl or wget is needed to download $program"
  fi
}

# Finds the archive's name, its version and its checksum in the file SHA256SUMS.
find_archive() {
  archive=
  while read -r sum name; do
    name=${name#\*}
    case $name in
      *[!A-Za-z0-9._+-]*) continue ;;
      "$program-"*"-$platform.tar.gz") ;;
      *) continue ;;
    esac
    version=${name#"$program-"}
    version=${version%"-$platform.tar.gz"}
    if [ -n "$wanted" ] && [ "$version" != "$wanted" ]; then continue; fi
    archive=$name
    expected=$sum
  done <"$work/SHA256SUMS"
  [ -n "$archive" ] || fail "the release has no archive for $platform"
  [ "${#expected}" -eq 64 ] || fail "SHA256SUMS has no checksum of $archive"
}

# Prints the SHA-256 of a file.
checksum() {
  if has sha256sum; then
    sha256sum <"$1"
  elif has shasum; then
    shasum -a 256 <"$1"
  elif has openssl; then
    openssl dgst -sha256 -r <"$1"
  else
    fail "sha256sum, shasum or openssl is needed to check the download"
  fi
}

unpack() {
  has tar || fail "tar is needed to unpack $archive"
  tar -xzf "$work/$archive" -C "$work" "$program" || fail "cannot unpack $archive"
  if [ -L "$work/$program" ] || [ ! -f "$work/$program" ]; then
    fail "$archive has no file $program"
  fi
}

# Puts the program into its place in one step, so that one that is running goes on.
put_in_place() {
  target=$dir/$program
  if [ -d "$target" ]; then fail "there is a folder in the way: $target"; fi
  if [ ! -d "$dir" ]; then
    mkdir -p "$dir" || fail "cannot make the folder $dir; PATBA_INSTALL_DIR can name another"
    made=$dir
  fi
  staged=$(mktemp "$dir/.$program.XXXXXX") ||
    fail "cannot write into $dir; PATBA_INSTALL_DIR can name another folder"
  cp "$work/$program" "$staged" || fail "cannot write into $dir"
  chmod 755 "$staged"
  "$staged" --version </dev/null >/dev/null || fail "$program does not run on this machine"
  mv -f "$staged" "$target" || fail "cannot write $target"
  staged=
  made=
}

say_what_next() {
  say "Installed $program $version as $target"
  case :$PATH: in
    *":$dir:"*)
      found=$(command -v "$program" || :)
      if [ "$found" != "$target" ]; then say "Another one comes first on your PATH: $found"; fi
      ;;
    *)
      say
      say "$dir is not on your PATH. Add this line to your shell's profile, and open a new terminal:"
      say "  export PATH=\"$dir:\$PATH\""
      ;;
  esac
  say
  say "Next:"
  say "  $program chat --demo    talk with the practice service, without a key"
  say "  $program login          give your key once"
  say "  $program zed --write    put it into the settings of Zed"
  say "  $program doctor         see whether all is well"
}

main() {
  wanted=${PATBA_VERSION:-}
  wanted=${wanted#v}
  case $wanted in
    *[!A-Za-z0-9.+-]*) fail "not a version: $wanted" ;;
  esac
  dir=${PATBA_INSTALL_DIR:-${HOME:+$HOME/.local/bin}}
  case $dir in
    '') fail "HOME is not set; set PATBA_INSTALL_DIR to the folder for $program" ;;
    /*) ;;
    *) dir=$PWD/$dir ;;
  esac
  dir=${dir%/}
  find_platform
  check_address

  trap clean_up EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  work=$(mktemp -d "${TMPDIR:-/tmp}/$program.XXXXXX") || fail "cannot make a temporary folder"

  from=latest/download
  if [ -n "$wanted" ]; then from=download/v$wanted; fi
  download "$downloads/$from/SHA256SUMS" "$work/SHA256SUMS"
  find_archive
  # By its version, for there may be a newer release since.
  download "$downloads/download/v$version/$archive" "$work/$archive"
  actual=$(checksum "$work/$archive")
  [ "${actual%% *}" = "$expected" ] ||
    fail "the checksum of $archive is wrong, so it was not installed; try again later"
  unpack
  put_in_place
  say_what_next
}

main "$@" # at the very end, so that a part of this file does nothing
