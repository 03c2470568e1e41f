import { expect, test } from "bun:test";
import { join, resolve } from "node:path";
import {
  AGENT_DOCUMENT_FILE,
  AGENT_SCHEMA_FILE,
  agentSchemas,
  withMessageTables,
} from "../../scripts/agent-schemas.ts";
import { loadStrategyFile } from "../../sim/outside/strategies/strategy-files.ts";
import { runMkt } from "../support/executable.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const document = await Bun.file(AGENT_DOCUMENT_FILE).text();
const EXAMPLES = resolve(import.meta.dir, "../../docs/examples");

test("the schemas and tables are those that the declarations give", async () => {
  expect(await Bun.file(AGENT_SCHEMA_FILE).text()).toBe(agentSchemas());
  expect(withMessageTables(document)).toBe(document);
  expect(document).toContain("| `actions` | list | Carried out in this order, now |");
});

test("mkt strategy-types prints the types beside the example", async () => {
  const types = await Bun.file(join(EXAMPLES, "mkt-strategy.d.ts")).text();
  expect(await runMkt(["strategy-types"])).toEqual({ exitCode: 0, stdout: types, stderr: "" });
});

test("the strategy in the document loads", async () => {
  const [, source = ""] = /```ts\n(import type [^]*?)```/.exec(document) ?? [];
  const path = join(temporaryDirectory(), "low-bidder.ts");
  await Bun.write(path, source);
  const { name, entry } = await loadStrategyFile(path);
  expect([name, entry.parameters.parse({})]).toEqual(["low-bidder", { discount: 0.1 }]);
});
