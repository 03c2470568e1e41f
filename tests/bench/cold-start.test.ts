// The cold start bench against the compiled executable: both sides answer what `mkt tools` offers.

import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import coldStart, { startingLeast, startingMkt } from "../../bench/cold-start.ts";
import { MKT } from "../support/executable.ts";

test("the compiled process and its peer answer tools/list alike, and as mkt tools says", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mkt-test-"));
  try {
    const [mkt, least] = [await startingMkt(MKT), await startingLeast(MKT, folder)];
    await mkt.check();
    await least.check();
    expect(await mkt.run()).toEqual(await least.run());
    await mkt.end?.();
    await least.end?.();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a server made for one request lists every tool, ours and the SDK's", async () => {
  const each = coldStart.cases.find(({ name }) => name === "a server made for one request");
  if (each === undefined) throw new Error("no such case");
  for (const prepare of [each.mkt, each.peer]) await (await prepare(1)).check();
});
