// Commands print text from a backend or a file as data: it can't move the cursor, hide text, reverse the writing direction,
// begin a line of its own, or flood the terminal.

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runMktHere } from "../support/command-line-here.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Clears the screen, rings the bell, returns to the line's start, reverses the writing, and fakes a line of success. */
const EVIL = "E\u001b[2J\u0007\rV\u202eI\u009b31mL\nok       backend HTTP  all is well";
/** Control characters except the line feed, and format characters. */
const HARMFUL = /[^\P{Cc}\n]|\p{Cf}/u;

const folder = temporaryDirectory();

function fileWith(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function hostileBackend(respond: (path: string) => Response) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request, server) {
      const { pathname } = new URL(request.url);
      if (pathname === "/ws" && server.upgrade(request)) return;
      return respond(pathname);
    },
    websocket: {
      message: (socket) => void socket.send(JSON.stringify({ kind: "refused", code: EVIL, message: EVIL })),
    },
  });
  const address = `127.0.0.1:${server.port}`;
  return {
    env: { MKT_HOST: address, MKT_BASE_URL: `http://${address}`, MKT_USER_ID: "anna", MKT_AUDIT_STORE: "backend" },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

function expectData({ stdout, stderr }: Printed): void {
  const printed = stdout + stderr;
  expect(printed).not.toMatch(HARMFUL);
  expect(printed.split("\n").filter((line) => line.startsWith("ok       backend HTTP  all is well"))).toEqual([]);
  expect(Math.max(...printed.split("\n").map((line) => line.length))).toBeLessThan(2500);
}

const LONG_EVIL = EVIL.repeat(2000);
const ERROR = { error: { code: EVIL, message: LONG_EVIL } };

test("mkt doctor shows a backend's answers and refusals escaped, each as one bounded line", async () => {
  await using refusing = hostileBackend(() => Response.json(ERROR, { status: 500 }));
  const refused = await runMktHere(["doctor"], refusing.env);
  expect(refused.exitCode).toBe(1);
  expectData(refused);
  expect(refused.stdout).toContain("\\u001b[2J");
  expect(refused.stdout).toMatch(/more characters\)/);

  await using answering = hostileBackend((path) =>
    path === "/health"
      ? Response.json({ status: "ok", engineId: EVIL })
      : path.startsWith("/api/admin/entities")
      ? Response.json({ entities: [] })
      : new Response(LONG_EVIL, { status: 502 })
  );
  const answered = await runMktHere(["doctor"], answering.env);
  expectData(answered);
  expect(answered.stdout.trim().split("\n").every((line) => /^(ok|off|warning|failed) /.test(line))).toBe(true);
});

test("mkt doctor shows the reason of a freeze as one line", async () => {
  await using backend = hostileBackend(() => Response.json(ERROR, { status: 500 }));
  const doctor = await runMktHere(["doctor"], { ...backend.env, MKT_FREEZE_FILE: fileWith("frozen", EVIL) });
  expectData(doctor);
  expect(doctor.stdout).toMatch(/failed +kill switch +frozen: E\\u001b/);
});

test("mkt call prints an answer or an error of a backend as one line of JSON", async () => {
  await using backend = hostileBackend(() => Response.json(ERROR, { status: 500 }));
  for (const tool of ["mkt_list_entities", "mkt_list_orders", "mkt_sim_status"]) {
    const called = await runMktHere(["call", tool], { ...backend.env, LOG_LEVEL: "error" });
    expectData({ ...called, stdout: "" });
    expect(called.stdout).not.toMatch(HARMFUL);
    expect(called.stdout.trim().split("\n")).toHaveLength(1);
    JSON.parse(called.stdout);
  }
});

test("mkt tools and mkt packs show what packs say of themselves as data, as text and as JSON", async () => {
  const evil = JSON.stringify(EVIL);
  fileWith(
    "evil.ts",
    `export default (mkt) => ({ name: "evil", description: ${evil}, tools: [mkt.defineTool({
      name: "evil_tool", title: ${evil}, description: ${evil}, input: mkt.z.strictObject({}),
      output: mkt.z.looseObject({}), handler: () => ({}),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } })] });`,
  );
  fileWith("failing.ts", `export default () => { throw new Error(${evil}); };`);
  for (const args of [["tools"], ["tools", "--json"], ["packs"], ["packs", "--json"]]) {
    const listed = await runMktHere(args, { MKT_PLUGIN_DIR: folder });
    expect({ exitCode: listed.exitCode, stderr: listed.stderr }).toMatchObject({ exitCode: 0 });
    expect(listed.stdout).toContain("evil_tool");
    expect(listed.stdout).not.toMatch(HARMFUL);
    expect(listed.stdout).not.toMatch(/^ok {7}backend/m);
    if (args.length > 1) {
      const { packs } = JSON.parse(listed.stdout) as { packs: { name: string; description: string }[] };
      expect(packs.find(({ name }) => name === "evil")?.description).toBe(EVIL);
    }
  }
});

test.each<[string, (path: string) => string[], string]>([
  ["mkt simulate with a market that is no JSON", (path) => ["simulate", "--market", path], `{"${EVIL}`],
  ["mkt simulate with a wrong market", (path) => ["simulate", "--market", path], JSON.stringify({ [EVIL]: [EVIL] })],
  ["mkt engine with a wrong market", (path) => ["engine", "--market", path], JSON.stringify({ [EVIL]: LONG_EVIL })],
  ["mkt replay of an operations file", (path) => ["replay", path], LONG_EVIL],
  [
    "mkt replay of LOBSTER files",
    (path) => ["replay", "--format", "lobster", "--messages", path, "--book", path, "--levels", "1"],
    LONG_EVIL,
  ],
])("%s names the fault in bounded lines", async (_name, args, text) => {
  const failed = await runMktHere(args(fileWith("input", text)));
  expect(failed.exitCode).toBeGreaterThan(0);
  expectData(failed);
  expect(failed.stderr.split("\n").every((line) => line === "" || line.startsWith("mkt: "))).toBe(true);
});
