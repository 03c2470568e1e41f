// What clients see of each tool is pinned in tests/snapshots/tools: a change of it shows up in review.
// `UPDATE_SNAPSHOTS=1 bun test tests/plugins/pinned-tools.test.ts` pins what is there now.

import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { listedTool } from "../../core/dispatch/catalogue.ts";
import { TOOLS } from "./support/packs.ts";
import { PinnedFolder } from "./support/pinned.ts";

const folder = new PinnedFolder(resolve(import.meta.dir, "../snapshots/tools"));

test.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s is listed as it is pinned", async (name, tool) => {
  const listed: unknown = JSON.parse(JSON.stringify(listedTool(tool)));
  expect(await folder.pinned(name, listed)).toEqual(listed);
});

test("nothing is pinned for a tool that is gone", async () => {
  const names = TOOLS.map(({ name }) => name);
  expect(await folder.names(names)).toEqual(names.toSorted());
});
