// What keeps a process from answering its client before the whole program is loaded. tests/e2e/early-start.test.ts has what it
// answers early.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { PROGRAM } from "../../../cli/program.ts";
import { startOnStdio } from "../../../core/start/start-on-stdio.ts";
import { startTable } from "../../../scripts/start-table.ts";
import { atEnd } from "../../support/at-end.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const TABLE = await startTable(PROGRAM);
const NOTHING = {};
/** Alone these would let it answer early. */
const REQUIRED = { MKT_HOST: "localhost:1", MKT_USER_ID: "anna" };

function processWith(variables: Readonly<Record<string, string>>, ...args: string[]): void {
  const { argv } = process;
  const given = { ...REQUIRED, ...variables };
  process.argv = [process.execPath, "mkt", ...args];
  const before = Object.keys(given).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, given);
  atEnd(() => {
    process.argv = argv;
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}

test.each<[what: string, variables: Readonly<Record<string, string>>, args: string[], table: typeof TABLE | null]>([
  ["no table", NOTHING, [], null],
  ["a command", NOTHING, ["tools"], TABLE],
  ["traces and metrics", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }, [], TABLE],
  ["traces alone", { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:1" }, [], TABLE],
  ["metrics alone", { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://127.0.0.1:1" }, [], TABLE],
  ["a fault", { MKT_READ_ONLY: "perhaps" }, [], TABLE],
  ["HTTP", { MCP_HTTP_PORT: "0" }, [], TABLE],
  ["packs of others", { MKT_PLUGIN_DIR: temporaryDirectory() }, [], TABLE],
  ["a pack that is unknown", { MKT_PACKS: "quary" }, [], TABLE],
  ["a call log that can't be written", { MKT_CALL_LOG: "/dev/null/log" }, [], TABLE],
  ["a file of variables that can't be read", { DOTENV_PATH: join(temporaryDirectory(), "none") }, [], TABLE],
])("%s: nothing is answered early", async (_what, variables, args, table) => {
  processWith(variables, ...args);
  expect(await startOnStdio(table)).toBeNull();
});
