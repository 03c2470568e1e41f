// The cold start bench with the compiled executable: both sides answer with the tools that `mkt tools` lists.

import { expect, test } from "bun:test";
import coldStart, { startingLeast, startingMkt } from "../../bench/cold-start.ts";
import { MKT } from "../support/executable.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

test("the compiled process and its peer answer tools/list alike, and as mkt tools says", async () => {
  const folder = temporaryDirectory();
  const [mkt, least] = [await startingMkt(MKT), await startingLeast(MKT, folder)];
  await mkt.check();
  await least.check();
  expect(await mkt.run()).toEqual(await least.run());
  await mkt.end?.();
  await least.end?.();
});

test("a server made for one request lists every tool, ours and the SDK's", async () => {
  const each = coldStart.cases.find(({ name }) => name === "a server made for one request");
  if (each === undefined) throw new Error("no such case");
  for (const prepare of [each.mkt, each.peer]) await (await prepare(1)).check();
});
