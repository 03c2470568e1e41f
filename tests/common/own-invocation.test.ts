import { expect, test } from "bun:test";
import { lastingInvocation, shellLine } from "../../common/own-invocation.ts";
import { run } from "../support/processes.ts";

const PACKAGE = "@mkt-market/mkt";
const NPX = "/home/a/.npm/_npx/0a1b2c/node_modules";
const MAIN = "/home/a/my clone/main.ts";
const npxBun = ["npx", "--yes", `bun@${Bun.version}`];

test.each([
  ["sources, with a runtime that stays", ["/usr/bin/bun", MAIN], ["/usr/bin/bun", MAIN]],
  ["sources, with a runtime that only the cache of npx has", [`${NPX}/bun/bin/bun.exe`, MAIN], [...npxBun, MAIN]],
  ["an executable", ["/home/a/my clone/dist/mkt"], ["/home/a/my clone/dist/mkt"]],
  ["the npm package in the cache of npx", [`${NPX}/${PACKAGE}-linux-x64/bin/mkt`], ["npx", "-y", PACKAGE]],
  [
    "the npm package in that cache on Windows",
    [String.raw`C:\npm\_npx\0a\node_modules\@mkt-market\mkt-win32-x64\bin\mkt.exe`],
    ["npx", "-y", PACKAGE],
  ],
  [
    "the npm package, installed",
    [`/usr/lib/node_modules/${PACKAGE}-linux-x64/bin/mkt`],
    [`/usr/lib/node_modules/${PACKAGE}-linux-x64/bin/mkt`],
  ],
  ["an executable that is no package, below a folder _npx", ["/home/a/_npx/b/dist/mkt"], ["/home/a/_npx/b/dist/mkt"]],
])("mkt from %s is started again in a way that lasts", (_from, own, lasting) => {
  const [command = "", ...args] = own;
  const invocation = lastingInvocation({ command, args }, PACKAGE);
  expect([invocation.command, ...invocation.args]).toEqual(lasting);
});

test("a shell reads the words of a command line as they were", async () => {
  const words = ["plain", "/my clone/main.ts", "it's", 'a"b', "$HOME", "`x`", "a\\b", ""];
  const { stdout } = await run(["sh", "-c", `printf '%s\\n' ${shellLine(words)}`]);
  expect(stdout.split("\n")).toEqual([...words, ""]);
});
