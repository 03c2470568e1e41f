// Which files a release would contain although no commit has them: its tag would then name other sources.

/** Files that are committed after a release has been made (CONTRIBUTING.md, "Make a release"). */
const OF_THE_RELEASE = ["CHANGELOG.md", "README.md", "package.json"];

/**
 * The files that differ from the last commit, from `git status --porcelain -z --no-renames`, except those of the release
 * itself.
 */
export function changedFiles(status: string): string[] {
  const files = status.split("\0").filter((entry) => entry !== "").map((entry) => entry.slice("XY ".length));
  return files.filter((file) => !OF_THE_RELEASE.includes(file));
}

/** Throws an Error that says what to do, unless every file is in the last commit. */
export function checkCommitted(): void {
  const remedy = "commit first, or say --uncommitted to try the script";
  const unknown = (reason: string) => new Error(`git can't say which files have changed (${reason}): ${remedy}`);
  if (Bun.which("git") === null) throw unknown("it is not installed");
  const command = ["git", "status", "--porcelain", "-z", "--no-renames"];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdout: "pipe", stderr: "pipe" });
  if (exitCode !== 0) throw unknown(stderr.toString().trim());
  const [file, ...others] = changedFiles(stdout.toString());
  if (file === undefined) return;
  throw new Error(`no commit has ${file}${others.length === 0 ? "" : ` and ${others.length} more`}: ${remedy}`);
}
