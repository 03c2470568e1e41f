// The marks of a scenario and seed, kept beside the records of the agents that are set between them: they take as long as an
// episode, and are the same for every agent. `mkt arena verify` makes them again.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Program } from "../../core/runtime.ts";
import { digestOf, PLATFORM } from "../record/episode-record.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { SeedKey } from "../scenario/seed-key.ts";
import { type Marks, marksSchema } from "../score/marks.ts";
import { marksFor } from "../start-episode.ts";

const FILE = "marks.json";

const keptFile = z.strictObject({
  digest: z.string(),
  version: z.string(),
  platform: z.string(),
  seedKey: z.string().nullable(),
  marks: marksSchema.nullable(),
});

/**
 * Those in the folder, which is that of the scenario and of what the seed is called, if they are of this scenario, version,
 * platform and seed key; else they are made, and kept there.
 */
export function keptMarks(
  folder: string,
  scenario: Scenario,
  called: number,
  seedKey: SeedKey | null,
  { version }: Program,
): Marks | null {
  const path = join(folder, FILE);
  const made = { digest: digestOf(scenario), version, platform: PLATFORM, seedKey: seedKey?.digest ?? null };
  const kept = existsSync(path) ? keptFile.safeParse(JSON.parse(readFileSync(path, "utf8"))).data : undefined;
  if (kept !== undefined && isDeepStrictEqual(kept, { ...made, marks: kept.marks })) return kept.marks;
  const marks = marksFor(scenario, seedKey === null ? called : seedKey.seedOf(called));
  mkdirSync(folder, { recursive: true });
  // Another process may make them at the same time.
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, `${JSON.stringify({ ...made, marks })}\n`);
  renameSync(partial, path);
  return marks;
}
