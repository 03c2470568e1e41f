// The one number of a release: package.json's version, which everything else reads. A release needs a section of CHANGELOG.md.

import { type ChangelogSection, sectionOf } from "./changelog.ts";

/** A version as npm and the MCP registry accept it: three numbers, and perhaps the name of a preview, such as 1.2.0-beta.1. */
const VERSION_FORM = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$/;

/** The section of the version. Throws an Error that says what to do. */
export function checkedSection(version: string, changelog: string): ChangelogSection {
  if (!VERSION_FORM.test(version)) throw new Error(`${version} is no version: write it as 1.2.3 or 1.2.3-beta.1`);
  const section = sectionOf(changelog, version);
  if (section !== null) return section;
  throw new Error(
    `CHANGELOG.md has no section for ${version}: write one that begins with ## [${version}] - YYYY-MM-DD and says what changes for users`,
  );
}

/** package.json with another version. Everything else stays as it is. */
export function withVersion(packageJson: string, version: string): string {
  const changed = packageJson.replace(/^( {2}"version": )"[^"]*"/m, `$1"${version}"`);
  if (JSON.parse(changed).version !== version) throw new Error("package.json has no version to replace");
  return changed;
}
