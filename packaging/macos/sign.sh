#!/bin/sh
# Signs the executable that it is given with a Developer ID, and has Apple notarize it. For macOS, by
#
#   IDENTITY="Developer ID Application: NAME (TEAM)" PROFILE=mkt bun run release --sign packaging/macos/sign.sh
#
# PROFILE is a name under which `xcrun notarytool store-credentials` has stored the publisher's account.
set -eu
: "${IDENTITY:?the name of the Developer ID certificate in the keychain}" "${PROFILE:?the keychain profile of notarytool}"
here=$(cd "$(dirname "$0")" && pwd)
codesign --force --options runtime --timestamp --entitlements "$here/entitlements.plist" --sign "$IDENTITY" "$1"
codesign --verify --strict "$1"
# Apple wants an archive. A single executable can't carry the ticket, so macOS asks Apple for it at the first start.
ditto -c -k "$1" "$1.zip"
answer=$(xcrun notarytool submit "$1.zip" --keychain-profile "$PROFILE" --wait)
rm "$1.zip"
echo "$answer"
# notarytool succeeds, too, if Apple has refused the executable.
case $answer in
  *"status: Accepted"*) ;;
  *) exit 1 ;;
esac
