// Checks docs/replay.md.

import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { readOperations } from "../../../engine/replay/ops-file.ts";
import { replayOperations } from "../../../engine/replay/ops-replay.ts";
import { LobsterReplay } from "../../../engine/replay/lobster-replay.ts";
import { operationsFile } from "./operations-file.ts";

test("docs/replay.md names exactly the counts of both reports, in their order", async () => {
  const text = await Bun.file(resolve(import.meta.dir, "../../../docs/replay.md")).text();
  const documented = [...text.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
  const read = readOperations(operationsFile([]));
  const outcome = read.ok ? replayOperations(read.operations, () => 0, () => {}) : read;
  if (!outcome.ok) throw new Error(outcome.fault);
  expect(documented).toEqual([...Object.keys(outcome.report), ...Object.keys(new LobsterReplay(1).report)]);
});
