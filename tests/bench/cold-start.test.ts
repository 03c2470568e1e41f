import { describe, expect, test } from "bun:test";
import coldStart, { answersOf, leastProgram, listing, useExecutable } from "../../bench/cold-start.ts";
import { MKT } from "../support/executable.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { LONG } from "../support/sizes.ts";

useExecutable(MKT);

test.skipIf(!LONG)("the least program answers as mkt does", async () => {
  const least = await leastProgram(MKT, temporaryDirectory());
  expect(await answersOf(listing(least))).toEqual(await answersOf(listing(MKT)));
});

describe.skipIf(!LONG)("every case of the cold start runs and checks its answers", () => {
  test.each(coldStart.cases.map((each) => [each.name, each] as const))("%s", async (_name, { mkt, peer }) => {
    for (const prepare of [mkt, peer]) {
      const subject = await prepare(1);
      await subject.before?.();
      await subject.run();
      await subject.check();
      await subject.end?.();
    }
  });
});
