// What clients see of each tool is pinned in tests/snapshots/tools, so a change of it fails here and shows in the review.
// `UPDATE_SNAPSHOTS=1 bun test tests/plugins/pinned-tools.test.ts` pins the tools as they are now.
//
// Pinned are names, texts, annotations and the shapes of both schemas. The descriptions of result fields and of shared
// parameters are left out: many tools have the same ones, and a new wording would change many files.

import { expect, test } from "bun:test";
import { readdir, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { Tool } from "../../core/tools/tool.ts";
import { listedTool } from "./support/listed-tool.ts";
import { TOOLS } from "./support/packs.ts";

const FOLDER = resolve(import.meta.dir, "../snapshots/tools");
const UPDATE = process.env["UPDATE_SNAPSHOTS"] === "1";
const SHARED_PARAMETERS = ["limit", "since", "cursor", "fields", "idempotencyKey"];

const pathOf = (name: string) => resolve(FOLDER, `${name}.json`);

function withoutDescriptions(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema),
    (key, value: unknown) => key === "description" && typeof value === "string" ? undefined : value,
  );
}

function pinnedForm(tool: Tool): unknown {
  const listed = listedTool(tool);
  const { inputSchema, outputSchema } = listed;
  const parameters = Object.entries(inputSchema.properties ?? {}).map(([name, schema]) =>
    [name, SHARED_PARAMETERS.includes(name) ? withoutDescriptions(schema) : schema] as const
  );
  const input = { ...inputSchema, properties: Object.fromEntries(parameters) };
  return JSON.parse(JSON.stringify({ ...listed, inputSchema: input, outputSchema: withoutDescriptions(outputSchema) }));
}

test.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s is listed as it is pinned", async (name, tool) => {
  const file = Bun.file(pathOf(name));
  if (UPDATE) await file.write(`${JSON.stringify(pinnedForm(tool), null, 2)}\n`);
  expect(await file.exists() ? await file.json() : null).toEqual(pinnedForm(tool));
});

test("every pinned tool exists", async () => {
  const names = TOOLS.map(({ name }) => name);
  const gone = (await readdir(FOLDER)).map((file) => file.replace(/\.json$/, "")).filter((name) =>
    !names.includes(name)
  );
  if (UPDATE) await Promise.all(gone.map((name) => rm(pathOf(name))));
  else expect(gone).toEqual([]);
});
