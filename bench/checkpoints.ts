// What a journal costs an engine apart from its commits.
//
//   bun bench/checkpoints.ts [CALLS]           a replay of CALLS journalled calls, against the calls alone (default 30,000)
//   bun bench/checkpoints.ts --pauses [ORDERS] how long a checkpoint of ORDERS open orders holds up matching (default 100,000)
//   bun bench/checkpoints.ts --backups [ORDERS] how long a backup of ORDERS open orders does (default 100,000)

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureBackups } from "./checkpoints/backups.ts";
import { measurePauses } from "./checkpoints/pauses.ts";
import { compareReplay } from "./checkpoints/replay.ts";

if (import.meta.main) {
  const directory = await mkdtemp(join(tmpdir(), "mkt-bench-"));
  const [first, second] = process.argv.slice(2);
  try {
    if (first === "--pauses") await measurePauses(directory, Number(second ?? 100_000));
    else if (first === "--backups") await measureBackups(directory, Number(second ?? 100_000));
    else await compareReplay(directory, Number(first ?? 30_000));
  } finally {
    await rm(directory, { recursive: true });
  }
}
