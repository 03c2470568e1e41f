// `mkt demo` shows the dashboard's address, and opens it if it is asked to.

import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellLine } from "../../common/own-invocation.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { BARE_ENVIRONMENT, MKT, startMkt } from "../support/executable.ts";
import { LONG } from "../support/sizes.ts";
import { runOnTerminal } from "../support/terminal.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { until } from "../support/until.ts";

const folder = temporaryDirectory();
const DEMO = ["demo", "--no-sim", "--engine-port", "0", "--port", "0"];
const ADDRESS = /Or look at the market yourself: (http:\/\/127\.0\.0\.1:\d+\/)\n$/;

/** A folder with a program xdg-open, to be searched first. */
function withOpener(name: string, script: string): Record<string, string> {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, "xdg-open"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(path, "xdg-open"), 0o755);
  return { PATH: `${path}:${BARE_ENVIRONMENT.PATH}` };
}

const linux = test.if(process.platform === "linux");

linux("--open opens the address that the greeting ends with, and the page is there", async () => {
  const opened = join(folder, "opened");
  const demo = startMkt([...DEMO, "--open"], withOpener("opener", `echo "$@" > ${opened}`));
  const [, address = ""] = await demo.untilStderr(ADDRESS);
  const text = await until(async () => (await Bun.file(opened).exists()) ? await Bun.file(opened).text() : "");
  expect(text).toBe(`${address}\n`);
  const page = await fetch(address);
  expect({ status: page.status, type: page.headers.get("Content-Type") }).toMatchObject({ status: 200 });
  expect(demo.stderr()).not.toContain("\u001b");
  expect(demo.stderr()).toContain(` ${shellLine([MKT, "client-config", "CLIENT", "--demo"])}\n`);
  expect(await demo.stop()).toBe(0);
});

// tests/cli/market/demo.test.ts has the lines of both in every run.
const linuxInLong = test.if(LONG && process.platform === "linux");
linuxInLong("a browser that can't be opened is one line, and the demo goes on", async () => {
  const demo = startMkt([...DEMO, "--open"], withOpener("failing", "exit 3"));
  const line = /mkt: the browser was not opened: xdg-open ended with 3; open (\S+) yourself\n/;
  const [, address = ""] = await demo.untilStderr(line);
  expect((await fetch(address)).status).toBe(200);
  expect(await demo.stop()).toBe(0);
});

test.skipIf(!LONG)("without the dashboard there is no address", async () => {
  const demo = startMkt([...DEMO, "--open"], { MKT_DASHBOARD: "0" });
  await demo.untilStderr(/mkt: --open: this server has no dashboard/);
  expect(demo.stderr()).not.toContain("look at the market");
  expect(await demo.stop()).toBe(0);
});

test("--open with --stdio is a wrong command line", async () => {
  const { exitCode, stderr } = await runMktHere(["demo", "--stdio", "--open"]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: "mkt: --open: there is no dashboard over stdio; leave out --stdio\n",
  });
});

linux("on a terminal the address is a link", async () => {
  // The opener ends the demo, which has greeted before.
  const { shown } = await runOnTerminal([MKT, ...DEMO, "--open"], withOpener("ending", "kill $PPID"));
  const address = /http:\/\/127\.0\.0\.1:\d+\/(?!mcp)/.exec(shown)?.[0];
  expect(shown).toContain(`yourself: \u001b]8;;${address}\u001b\\${address}\u001b]8;;\u001b\\\n`);
});
