// The marks of a scenario and seed, kept beside the records of the agents that are set between them: they take as long as an
// episode, and are the same for every agent. `mkt arena verify` makes them again.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Program } from "../../core/runtime.ts";
import { digestOf, PLATFORM } from "../record/episode-record.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { type Marks, marksSchema } from "../score/marks.ts";
import { marksFor } from "../start-episode.ts";

const FILE = "marks.json";

const keptFile = z.strictObject({
  digest: z.string(),
  version: z.string(),
  platform: z.string(),
  marks: marksSchema.nullable(),
});

/** Those in the folder if they are of this scenario, version and platform; else they are made, and kept there. */
export function keptMarks(folder: string, scenario: Scenario, seed: number, { version }: Program): Marks | null {
  const path = join(folder, FILE);
  const made = { digest: digestOf(scenario), version, platform: PLATFORM };
  const kept = existsSync(path) ? keptFile.safeParse(JSON.parse(readFileSync(path, "utf8"))).data : undefined;
  if (kept?.digest === made.digest && kept.version === version && kept.platform === PLATFORM) return kept.marks;
  const marks = marksFor(scenario, seed);
  mkdirSync(folder, { recursive: true });
  // Another process may make them at the same time.
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, `${JSON.stringify({ ...made, marks })}\n`);
  renameSync(partial, path);
  return marks;
}
