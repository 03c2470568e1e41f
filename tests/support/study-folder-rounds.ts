// For tests of study folders: opens, fills and closes the folder of one study several times, each round in a new folder.
// Processes that get the same arguments start each round at the same moment.
//
//   bun study-folder-rounds.ts ROOT ROUNDS START_AT_MS

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resolveExperiment } from "../../sim/experiment/resolve-experiment.ts";
import { studyDescription } from "../../sim/study/study-description.ts";
import { StudyFolder } from "../../sim/study/study-folder.ts";

const ROUND_MS = 20;

const [root = "", rounds, startAt] = process.argv.slice(2);
const resolved = resolveExperiment({ preset: "thin", hours: 1, seeds: "1..3" });
if (!resolved.ok) throw new Error(resolved.faults.join("; "));
const study = studyDescription({ version: "1.0.0", ...resolved, tape: "csv" });

await Bun.sleep(Number(startAt) - Date.now());
for (let round = 0; round < Number(rounds); round += 1) {
  // A sleep would end too late by a random time.
  while (Date.now() < Number(startAt) + round * ROUND_MS);
  const folder = StudyFolder.open(join(root, String(round)), study);
  for (const job of folder.jobs) {
    const tape = folder.tapeInWork(job) ?? "";
    mkdirSync(tape);
    for (const name of ["run.json", "trades.csv"]) writeFileSync(join(tape, name), "{}");
    folder.commit(job, `{"seed":${job.seed}}\n`);
  }
  if (folder.done().size === folder.jobs.length) folder.finish();
  folder.close();
}
