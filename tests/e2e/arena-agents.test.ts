// Agents of the arena that are processes of their own, by the compiled executable.

import { expect, test } from "bun:test";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { join, resolve } from "node:path";
import { SMALL_SCENARIO } from "../arena/small-scenario.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { runMkt, startMkt } from "../support/executable.ts";
import { connectV2, succeed } from "../support/official-client.ts";
import { LONG } from "../support/sizes.ts";
import { temporaryDirectory, tokenFile } from "../support/temporary-directory.ts";

const EXAMPLES = resolve(import.meta.dir, "../../docs/examples");
const folder = temporaryDirectory();
const scenario = join(folder, "small.json");
await Bun.write(scenario, JSON.stringify(SMALL_SCENARIO));

const run = (agent: string, out: string, ...others: readonly string[]) => {
  return ["arena", "run", scenario, "--agent", agent, "--seeds", "1", "--jobs", "1", "--out", out, ...others];
};
const read = async (path: string) => await Bun.file(path).json();

test("an agent by plain HTTP plays an interrupted episode anew, and leaves its record; it does not play it again", async () => {
  const out = join(folder, "example");
  const record = join(out, "small/1/example");
  await Bun.write(join(record, "calls.jsonl"), "{");
  const agent = `'${process.execPath}' '${join(EXAMPLES, "arena-agent.ts")}'`;
  const args = run(agent, out, "--name", "example", "--time-limit", "3600");
  const done = { exitCode: 0, stdout: "", stderr: `mkt: 1 episodes are done in ${out}\n` };
  expect(await runMkt(args)).toEqual(done);
  const timing = await read(join(record, "timing.json"));
  expect(timing).toEqual({ seconds: expect.any(Number), failure: null });
  // There is nothing left for which this would start a worker.
  expect(await runMktHere(args)).toEqual(done);
  expect(await read(join(record, "timing.json"))).toEqual(timing);
  const result = await read(join(record, "result.json"));
  expect(result).toMatchObject({ agent: "example", score: expect.any(Number), broken: [], refused: 0 });
  expect(result.trades).toBeGreaterThan(0);
});

test.skipIf(!LONG)(
  "an interrupted episode is played anew; an agent that takes too long leaves a record, and is not started again",
  async () => {
    const [out, path, starts] = ["late", "late.ts", "starts"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await Bun.write(path, `require("fs").appendFileSync(process.argv[2], "x"); setInterval(() => {}, 60_000);`);
    const record = join(out, "small/1/agent");
    await Bun.write(join(record, "calls.jsonl"), "{");
    // On a busy machine the agent may be ended before it begins.
    await Bun.write(starts, "");
    for (const _ of ["plays", "goes on"]) {
      const { exitCode, stderr } = await runMkt(
        run(`'${process.execPath}' '${path}' '${starts}'`, out, "--time-limit", "1"),
      );
      expect([exitCode, stderr]).toEqual([0, `mkt: 1 episodes are done in ${out}\n`]);
    }
    expect(await read(join(record, "timing.json"))).toMatchObject({ failure: "the agent took more than 1 s" });
    expect(await read(join(record, "result.json"))).toMatchObject({ calls: 0, ended: null });
    expect((await Bun.file(starts).text()).length).toBeLessThan(2);
  },
);

test.skipIf(!LONG)("an episode that can't be played is named, with the command that plays it alone", async () => {
  const [path, out] = [join(folder, "nobody.json"), join(folder, "none of them")];
  await Bun.write(path, JSON.stringify({ ...SMALL_SCENARIO, userId: "nobody" }));
  const { exitCode, stderr } = await runMkt([
    "arena",
    "run",
    path,
    "--agent",
    "my agent",
    "--seeds",
    "4..5",
    "--out",
    out,
  ]);
  expect(exitCode).toBe(1);
  for (const seed of [4, 5]) {
    const command = `mkt arena run ${path} --seeds ${seed} --agent 'my agent' --out '${out}'`;
    expect(stderr).toContain(`mkt: small/${seed}/agent: to repeat it alone: ${command}\n`);
  }
});

test("mkt arena serve --http serves one episode to whoever has its token, until it is stopped", async () => {
  const record = join(folder, "served");
  const token = "a-token-of-many-characters";
  const args = ["arena", "serve", scenario, "--seed", "1", "--out", record, "--http", "0"];
  const mkt = startMkt([...args, "--token-file", tokenFile(token)]);
  const [, url = ""] = await mkt.untilStderr(/^mkt: the episode is served at (http:\S+\/mcp)\n/m);
  expect((await fetch(url, { method: "POST", headers: { authorization: "Bearer other" } })).status).toBe(401);
  const headers = { authorization: `Bearer ${token}` };
  const client = await connectV2(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  expect(await succeed(client, "mkt_arena_brief")).toMatchObject({ minutesLeft: 30 });
  await succeed(client, "mkt_connect_pubsub");
  await succeed(client, "mkt_arena_submit");
  await client.close();
  expect(await mkt.stop()).toBe(0);
  expect(mkt.stderr()).not.toContain(token);
  expect(await read(join(record, "result.json"))).toMatchObject({
    calls: 3,
    ended: "agent",
    score: expect.any(Number),
  });
});
