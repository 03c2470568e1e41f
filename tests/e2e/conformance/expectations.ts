// What the files beside this one say about scenarios of the conformance suites that mkt does not pass.

import { join } from "node:path";

export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
export type Revision = typeof REVISIONS[number];

export interface Exception {
  /** `server`: it fails. `not_applicable`: it checks nothing of mkt. `not_run`: the suite does not run it. */
  readonly kind: "server" | "not_applicable" | "not_run";
  readonly scenario: string;
  readonly reason: string;
}

export function expectationsFile(revision: Revision): string {
  return join(import.meta.dir, `${revision}.yml`);
}

/** Throws if a line has no reason. */
export async function exceptionsFor(revision: Revision): Promise<Exception[]> {
  const file = expectationsFile(revision);
  const exceptions: Exception[] = [];
  let kind = "";
  for (const line of (await Bun.file(file).text()).split("\n")) {
    if (/^(#.*)?$/.test(line)) continue;
    const [, key] = /^(server|not_applicable|not_run):$/.exec(line) ?? [];
    const [, scenario, reason] = /^ {2}- (\S+) # (.+)$/.exec(line) ?? [];
    if (key !== undefined) kind = key;
    else if (scenario === undefined || reason === undefined || kind === "") throw new Error(`${file}: ${line}`);
    else exceptions.push({ kind: kind as Exception["kind"], scenario, reason });
  }
  return exceptions;
}
