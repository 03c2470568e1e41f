// The names under which mkt is published, each once. Version, licence, author and repository are those of package.json.
//
// Whoever publishes must own the repository, the npm scope and the registry's namespace, or change the names here
// first.

import packageJson from "../package.json" with { type: "json" };

/** The one number: the executable, its packages and server.json all have this version. */
export const VERSION = packageJson.version;
export const DESCRIPTION = packageJson.description;
/** The identifier of the licence in the SPDX list. */
export const LICENSE = packageJson.license;
export const AUTHOR = packageJson.author;
/** The address of the repository, for people: without `git+` and `.git`. */
export const REPOSITORY = packageJson.repository.url.replace(/^git\+|\.git$/g, "");
/** The address for npm's `repository` field. */
export const REPOSITORY_URL = packageJson.repository.url;
export const HOMEPAGE = packageJson.homepage;
export const ISSUES = packageJson.bugs.url;
/** Security reports go to the maintainers alone. */
export const SECURITY_REPORTS = `${REPOSITORY}/security/advisories/new`;

/** The name of the executable, and what people call the program. */
export const PROGRAM_NAME = packageJson.name;
/** The npm package whose `npx` starts the executable. */
export const NPM_PACKAGE = "@mkt-market/mkt";
/** The name in the MCP registry: a namespace that belongs to the owner of the repository. */
export const REGISTRY_NAME = "io.github.mkt-market/mkt";

/** The address of a file of a release, which does not exist before the release is published. */
export function releaseFileUrl(file: string, version: string = VERSION): string {
  return `${REPOSITORY}/releases/download/v${version}/${file}`;
}
