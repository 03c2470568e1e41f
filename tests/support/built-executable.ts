// dist/mkt, built from the current sources. The build takes a second and runs only if a source is newer.
//
// Several test processes may build at once. Each build replaces the file as a whole, and a running mkt keeps its own file.

import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");
/** The sources of the executable and its build. */
const SOURCES = [
  ...["main.ts", "LICENSE", "package.json", "bun.lockb", "scripts/compile.ts", "scripts/start-table.ts"],
  ...["arena", "cli", "common", "core", "engine", "load", "plugins", "protocol", "replicas", "sim", "web"],
  // The executable holds documents, too.
  ...["docs", "packaging/contents", "packaging/identity.ts"],
];

/** The path of the executable. Throws if it does not build. */
export function builtExecutable(root = ROOT): string {
  const path = join(root, "dist/mkt");
  if (changedAt(path) > newestChange(root)) return path;
  const build = Bun.spawnSync([process.execPath, "scripts/build.ts"], { cwd: root, stdout: "pipe", stderr: "pipe" });
  if (build.exitCode !== 0) throw new Error(`dist/mkt is out of date and does not build:\n${build.stderr.toString()}`);
  return path;
}

/** When a source last changed. A removed file changes the time of its folder. */
function newestChange(root: string): number {
  let newest = 0;
  const look = (path: string) => {
    const changed = changedAt(path);
    newest = Math.max(newest, changed);
    if (changed === 0 || !statSync(path).isDirectory()) return;
    for (const name of readdirSync(path)) look(join(path, name));
  };
  for (const source of SOURCES) look(join(root, source));
  return newest;
}

/** 0 if there is no such file. */
function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
