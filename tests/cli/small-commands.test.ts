// Commands that only print, and the start of a client on stdio that is answered already.

import { expect, test } from "bun:test";
import { join } from "node:path";
import * as configured from "../../cli/configured.ts";
import { addLicensesCommand } from "../../cli/licenses-command.ts";
import { PROGRAM } from "../../cli/program.ts";
import { serveStartedClient } from "../../cli/serve-started-client.ts";
import * as serving from "../../cli/server/serve.ts";
import { addPackTypesCommand, addStrategyTypesCommand } from "../../cli/types-commands.ts";
import { UsageError } from "../../common/command-line.ts";
import { ENVIRONMENT } from "../../core/config/env-file.ts";
import * as licenses from "../../packaging/contents/built-in-licenses.ts";
import { runCommandHere } from "../support/command-line-here.ts";
import { replaced } from "../support/replaced.ts";

test("mkt licenses prints what the executable contains, as it is, and only an executable knows it", async () => {
  expect(await runCommandHere(addLicensesCommand, ["licenses"])).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: "mkt: only an executable knows what it contains: run bun run build, then dist/mkt licenses\n",
  });
  replaced(licenses, "builtInLicenses", () => "MIT\u00a9\n\nlast line");
  expect(await runCommandHere(addLicensesCommand, ["licenses"]))
    .toEqual({ exitCode: 0, stdout: "MIT\u00a9\n\nlast line", stderr: "" });
});

test("a client on stdio that has begun gets the server of its environment, and its fault is the exit status", async () => {
  const runtime = { services: {} };
  const made = replaced(configured, "configuredRuntime", () => Promise.resolve(runtime));
  const served = replaced(serving, "serve", () => Promise.resolve());
  const started = { stopped: Promise.resolve() } as never;
  expect(await serveStartedClient(started)).toBe(0);
  expect<unknown>([made, served]).toEqual([[[PROGRAM, ENVIRONMENT]], [[runtime, { started }]]]);
  const said: string[] = [];
  const { write } = process.stderr;
  process.stderr.write = (text: unknown) => Boolean(said.push(String(text)));
  replaced(configured, "configuredRuntime", () => Promise.reject(new UsageError("MKT_HOST: is required")));
  const status = await serveStartedClient(started);
  process.stderr.write = write;
  process.exitCode = 0;
  expect([status, said]).toEqual([2, ["mkt: MKT_HOST: is required\n"]]);
});

test.each([
  ["pack-types", addPackTypesCommand, "mkt-pack.d.ts"],
  ["strategy-types", addStrategyTypesCommand, "mkt-strategy.d.ts"],
])("mkt %s prints its declarations as they are", async (name, add, file) => {
  const text = await Bun.file(join(import.meta.dir, "../../docs/examples", file)).text();
  expect(await runCommandHere(add, [name])).toEqual({ exitCode: 0, stdout: text, stderr: "" });
});
