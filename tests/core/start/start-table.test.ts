// Which tools the table of the start offers under a configuration.

import { expect, test } from "bun:test";
import { entriesOf, offeredToolsJson, type StartTable } from "../../../core/start/start-table.ts";
import { configurationFor } from "../support/services.ts";

const tool = (name: string, inReadOnly: boolean) => ({
  name,
  inReadOnly,
  head: `{"name":"${name}"`,
  outputSchema: `{"type":"object"}`,
  tail: `"annotations":{}}`,
});
const table = {
  packs: [
    { name: "query", tools: [tool("read", true)] },
    { name: "mutation", tools: [tool("connect", true), tool("write", false)] },
  ],
} as unknown as StartTable;

const listed = (environment: Record<string, string>) =>
  JSON.parse(offeredToolsJson(table, configurationFor(environment))) as { name: string; outputSchema?: object }[];

test.each([
  [{}, ["read", "connect", "write"]],
  [{ MKT_READ_ONLY: "1" }, ["read", "connect"]],
  [{ MKT_PACKS: "mutation" }, ["connect", "write"]],
  [{ MKT_PACKS: "query", MKT_READ_ONLY: "0" }, ["read"]],
])("under %j the tools %j", (environment, names) => {
  expect(listed(environment).map(({ name }) => name)).toEqual(names);
});

test("the tools are listed with their output schemas, if the configuration says so", () => {
  for (const given of [true, false]) {
    const json = offeredToolsJson(table, { ...configurationFor({}), outputSchemas: given });
    expect(json.includes("outputSchema")).toBe(given);
  }
});

test("every tool has its entry, also if it is not offered", () => {
  expect([...entriesOf(table)].map(([name, { head }]) => [name, head])).toEqual([
    ["read", `{"name":"read"`],
    ["connect", `{"name":"connect"`],
    ["write", `{"name":"write"`],
  ]);
});
