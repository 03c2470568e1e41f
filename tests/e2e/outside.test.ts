// What takes part in `mkt simulate` from outside, from source and compiled: strategies from files, agents over a socket, and
// the examples in docs/examples.

import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { atEnd } from "../support/at-end.ts";
import { runMktHere } from "../support/command-line-here.ts";
import { BARE_ENVIRONMENT, MKT, runMkt, startEngineProcess, startMkt } from "../support/executable.ts";
import { run, startProcess } from "../support/processes.ts";
import { findPython } from "../support/python.ts";
import { LONG, size } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { SimulatorApi } from "../sim/live/support.ts";
import { until } from "../support/until.ts";
import { type AgentPlan, playAgent, quotesAround } from "../sim/outside/agents/support.ts";

const ROOT = resolve(import.meta.dir, "../..");
const EXAMPLES = join(ROOT, "docs/examples");
const COMMANDS = { compiled: [MKT], source: [process.execPath, join(ROOT, "main.ts")] } as const;
const FORMS = Object.entries(COMMANDS);
/** Python finds the example, and writes no cache beside it. */
const ENVIRONMENT = { ...BARE_ENVIRONMENT, PYTHONPATH: EXAMPLES, PYTHONDONTWRITEBYTECODE: "1" };
const TINY = ["--preset", "thin", "--hours", String(size(0.1, 0.5))];
/** What the report says of the strategy faulty.ts. */
const FAULT = "quote: Error: out of ideas";
const directory = temporaryDirectory();
const path = (name: string) => join(directory, name);

const TAKEN = `mkt: --strategy: ${path("taken.ts")}: there is another strategy zip`;
const NONE = `mkt: --strategy: ${path("none.ts")}: can't be read: no such file`;

/** A strategy that was added stays in its process, so only runs that add none are in this one. */
const simulate = (...args: string[]) => runMktHere(["simulate", ...args]);
const simulateCompiled = (...args: string[]) => runMkt(["simulate", ...args]);
const simulateFromSource = (...args: string[]) =>
  run([...COMMANDS.source, "simulate", ...args], { env: BARE_ENVIRONMENT });

const strategySource = (name: string, quote: string) =>
  `export default ({ defineStrategy }) => defineStrategy({ name: "${name}", sides: "both", make: () => ({ quote(market, account, quotes) { ${quote} } }) });`;

const greedy = "quotes.set(0, NaN, 1e12); quotes.set(1, 1e12, Infinity);";
await Bun.write(path("faulty.ts"), strategySource("faulty", `if (market.time > 0) throw new Error("out of ideas");`));
await Bun.write(path("greedy.js"), strategySource("greedy", greedy));
await Bun.write(path("taken.ts"), strategySource("zip", ""));
await Bun.write(path("broken.ts"), "export default (");

/** A run whose agent `play` begins once agents can connect. */
async function runWithAgent<Played>(
  command: readonly string[],
  args: readonly string[],
  play: (where: string) => Promise<Played>,
) {
  const child = startProcess([...command, "simulate", "--agent", "0", ...args], {
    env: ENVIRONMENT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  atEnd(() => child.kill("SIGKILL"));
  const stdout = new Response(child.stdout).text();
  let stderr = "";
  let playing: Promise<Played> | null = null;
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    stderr += text;
    const [, where] = /agents connect to (\S+)\n/.exec(stderr) ?? [];
    if (where !== undefined) playing ??= play(where);
  }
  const played = await playing;
  expect({ exitCode: await child.exited, lines: stderr.split("\n").length }).toEqual({ exitCode: 0, lines: 2 });
  return { stdout: await stdout, played };
}

/** What the run of an agent printed, and its tape by file. */
async function playedTape(command: readonly string[], name: string, plan: AgentPlan, ...args: string[]) {
  const tape = path(name);
  const { stdout } = await runWithAgent(command, ["--tape", tape, ...args], (where) => playAgent(where, plan));
  const files = (await readdir(tape)).toSorted();
  const texts = await Promise.all(files.map((file) => Bun.file(join(tape, file)).text()));
  return { stdout, files: Object.fromEntries(files.map((file, index) => [file, texts[index]])) };
}

describe("a strategy from a file", () => {
  const HOURS = size(0.1, 0.5);

  test("named by an experiment trades, and gives the same bytes from source and compiled, also as the printed experiment", async () => {
    const personas = [{ strategy: "./own.ts", count: 2, parameters: { width: 3 } }, { strategy: "zip", count: 10 }];
    await Bun.write(path("own.ts"), await Bun.file(join(EXAMPLES, "band-maker.ts")).text());
    await Bun.write(path("experiment.json"), JSON.stringify({ name: "own", personas, hours: HOURS, seed: 3 }));
    const named = await simulateFromSource("--experiment", path("experiment.json"));
    expect(named).toMatchObject({ exitCode: 0, stderr: "", stdout: expect.stringMatching(/^band-maker +2 +\d{2,}/m) });
    const printed = await simulateCompiled("--experiment", path("experiment.json"), "--print-experiment");
    await Bun.write(path("printed.json"), printed.stdout);
    expect(await simulateCompiled("--experiment", path("printed.json"))).toEqual(named);
  });

  test.skipIf(!LONG)(
    "is stopped if it throws, and the report names it; greedy quotes are bounded; the others go on",
    async () => {
      const files = [path("faulty.ts"), path("greedy.js"), join(EXAMPLES, "band-maker.ts")];
      const { exitCode, stdout } = await simulateCompiled(
        ...files.flatMap((file) => ["--strategy", file]),
        ...["--hours", "0.1", "--format", "json", "--personas", "faulty:2,greedy:1,band-maker:2,zip:6"],
      );
      expect(exitCode).toBe(0);
      const { personas, totals } = JSON.parse(stdout);
      const faults = personas.map(({ id, fault }: { id: string; fault?: string }) => [id, fault]);
      expect(faults.slice(0, 4)).toEqual(
        [["faulty-1", FAULT], ["faulty-2", FAULT], ["greedy-1", undefined], ["band-maker-1", undefined]],
      );
      expect(personas[2].orders).toBe(0);
      expect(personas[3].orders).toBeGreaterThan(0);
      expect(totals.trades).toBeGreaterThan(0);
      const args = ["--strategy", path("faulty.ts"), "--hours", "0.1", "--personas", "faulty:1,zip:2"];
      expect((await simulateCompiled(...args)).stdout).toContain(`\nfaulty-1 was stopped: ${FAULT}\n`);
    },
  );

  test("that can't be used is refused, with every fault", async () => {
    const { exitCode, stdout, stderr } = await simulate(
      ...["taken.ts", "broken.ts", "none.ts"].flatMap((name) => ["--strategy", path(name)]),
      ...["--personas", "mine:1"],
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    const lines = stderr.trimEnd().split("\n");
    expect(lines).toEqual([TAKEN, expect.any(String), NONE, expect.stringContaining("one of zic, zip, ")]);
    expect(lines[1]).toStartWith(`mkt: --strategy: ${path("broken.ts")}: `);
  });

  test("named by an experiment is refused at its place in the file", async () => {
    const personas = ["zip", "./broken.ts", "x.js"].map((strategy, index) => ({ strategy, count: index < 2 ? 1 : 0 }));
    await Bun.write(path("faulty.json"), JSON.stringify({ name: "faulty", personas }));
    const { exitCode, stderr } = await simulate("--experiment", path("faulty.json"));
    expect(exitCode).toBe(2);
    expect(stderr.trimEnd().split("\n")).toEqual([
      expect.stringContaining("faulty.json: personas[1].strategy: ./broken.ts: "),
      expect.stringContaining("faulty.json: personas[2].strategy: x.js: can't be read: no such file"),
    ]);
  });
});

describe("a live simulation", () => {
  test.skipIf(!LONG)(
    "has strategies from files: they trade, one that throws is stopped, and unknown names list the known ones",
    async () => {
      const files = [join(EXAMPLES, "band-maker.ts"), path("faulty.ts")].flatMap((file) => ["--strategy", file]);
      const engine = await startEngineProcess({ args: files });
      const api = new SimulatorApi(engine.url);
      const groups = (...names: string[]) => names.map((strategy) => ({ strategy, count: 2 }));
      const { status, body } = await api.post("/api/sim/start", { personas: groups("mine") });
      expect([status, body]).toMatchObject([400, {
        error: { message: expect.stringMatching(/"mine".* band-maker, faulty/) },
      }]);
      await api.start({ personas: groups("band-maker", "faulty", "zip"), speed: 30, seed: 1 });
      const ofStrategy = async (name: string) =>
        (await api.status()).personas.filter(({ strategy }) => strategy === name);
      await until(async () => (await ofStrategy("faulty")).every(({ fault }) => fault !== undefined), "faults");
      const stopped = { fault: FAULT, orders: 0, workingOrders: 0 };
      expect(await ofStrategy("faulty")).toMatchObject([stopped, stopped]);
      await until(async () => (await ofStrategy("band-maker")).every(({ orders }) => orders > 2), "orders");
    },
  );

  test.each(["demo", "engine", "sim --backend ws://127.0.0.1:1"])(
    "is not started by mkt %s with a file that can't be used",
    async (command) => {
      const files = ["taken.ts", "none.ts"].flatMap((name) => ["--strategy", path(name)]);
      const { exitCode, stderr } = await runMktHere([...command.split(" "), ...files]);
      expect({ exitCode, lines: stderr.trimEnd().split("\n") }).toEqual({ exitCode: 2, lines: [TAKEN, NONE] });
    },
  );
});

describe("an agent", () => {
  const TWO = size("two compiled runs", "a compiled run and one from source");
  test(`that is slow to answer gives the same tape as one that answers at once, in ${TWO}`, async () => {
    const planOf = (thinkMs: number): AgentPlan => ({
      hello: { wakeMs: 120_000 },
      decide: async (observation) => {
        if (thinkMs > 0) await Bun.sleep(thinkMs);
        return { actions: quotesAround(observation) };
      },
    });
    const args = ["--preset", "thin", "--hours", "0.1", "--seed", "5"];
    const [first, other] = await Promise.all([
      playedTape(size<readonly string[]>(COMMANDS.compiled, COMMANDS.source), "quick", planOf(0), ...args),
      playedTape(COMMANDS.compiled, "slow", planOf(size(300, 2_000)), ...args),
    ]);
    expect(Object.keys(first?.files ?? {})).toContain("trades.csv");
    expect(first?.files["orders.csv"]).toContain(",agent-tester\n");
    expect(first?.stdout).toMatch(/^agent +1 +\d/m);
    expect(other).toEqual(first!);
  });

  test.each([
    ["a port that is no port", ["--agent", "70000"], "--agent: a port from 0 to 65535"],
    ["no agents", ["--agent", "0", "--agents", "0"], "--agents: a whole number from 1"],
    ["agents without a place to connect to", ["--agents", "2"], "--agents: needs --agent"],
    ["a timeout without agents", ["--agent-timeout", "5"], "--agent-timeout: needs --agent"],
  ])("%s: exit 2", async (_, args, named) => {
    expect(await simulate(...args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(named) });
  });

  test("that says nothing ends the run with status 1; its socket may be left by a killed run, but not in use", async () => {
    const agent = ["--agent", path("socket"), "--agent-timeout"];
    const first = startMkt(["simulate", ...agent, "60"]);
    await first.untilStderr(/agents connect to/);
    const second = await simulate(...agent, "60");
    expect([second.exitCode, second.stderr]).toEqual([1, expect.stringContaining("can't listen on")]);
    await first.crash();
    const { exitCode, stderr } = await simulate(...agent, "1");
    expect({ exitCode, lines: stderr.trimEnd().split("\n").map((line) => line.replace(/mkt \S+ /, "")) }).toEqual({
      exitCode: 1,
      lines: [`simulate: agents connect to ${path("socket")}`, "mkt: 0 of 1 agents connected within 1 s"],
    });
  });

  test("a socket path in a folder that is missing is an error of one line", async () => {
    const { exitCode, stderr } = await simulate("--agent", path("none/socket"));
    expect(exitCode).toBe(1);
    expect(stderr).toStartWith(`mkt: --agent: can't listen on ${path("none/socket")}: `);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

const python = findPython("the tests of the example in Python");

const runPython = (args: readonly string[], env = ENVIRONMENT) => run([python ?? "", ...args], { env });

describe("the examples", () => {
  test.each(size(FORMS.slice(0, 1), FORMS))("the agent in TypeScript takes part (%s)", async (_, command) => {
    const { played } = await runWithAgent(
      command,
      TINY,
      (where) => run([process.execPath, join(EXAMPLES, "agent.ts"), where.split(":")[1] ?? ""], { env: ENVIRONMENT }),
    );
    const stdout = expect.stringMatching(/^\d+ trades, -?[\d.]+ dollars\n$/);
    expect(played).toMatchObject({ exitCode: 0, stdout });
  });

  describe.skipIf(python === null)("in Python", () => {
    test.skipIf(!LONG).each(FORMS)(
      "the environment takes part, and is the same for the same seed (%s)",
      async (_, command) => {
        const started = JSON.stringify(command);
        const script = `
from mkt_env import MktEnv, quotes
env = MktEnv(command=${started}, arguments=["--preset", "thin", "--hours", "0.1"],
    products=["NORTH-DA-BASE"], wake_ms=120_000)
def episode(seed, options=None):
    observation, info = env.reset(seed=seed, options=options)
    assert info["welcome"]["runId"] and "seed" not in info["welcome"], info
    rewards, terminated, results = [], False, []
    while not terminated:
        observation, reward, terminated, truncated, info = env.step(quotes(observation))
        assert truncated is False
        rewards.append(reward)
        results += [result["accepted"] for result in info["results"]]
    return rewards, results, observation["report"]["orders"]
first = episode(7)
assert len(first[0]) == 3 and True in first[1] and first[2] > 0, first
env.reset(seed=1)
env.step([])
longer = {"arguments": ["--hours", "0.2"]}
again = episode(7, longer)
assert len(again[0]) == 6 and again[0][:2] == first[0][:2] and again[1][:4] == first[1][:4], (first, again)
assert again != episode(8, longer)
try:
    env.reset(seed=1, options={"arguments": ["--preset", "wild"]})
    raise AssertionError("a wrong option was not noticed")
except RuntimeError as error:
    assert "--preset" in str(error), error
env.close()
print("done")
`;
        expect(await runPython(["-c", script])).toEqual({ exitCode: 0, stdout: "done\n", stderr: "" });
      },
    );

    test("the agent in the document takes part", async () => {
      const document = await Bun.file(join(ROOT, "docs/outside-agents.md")).text();
      const [, whole = ""] = /```python\n([^]*?)```/.exec(document) ?? [];
      expect(whole).toContain("env.step(actions)");
      const code = whole.replace('"--hours", "1"', `"--hours", "${size(0.1, 1)}"`);
      const script = `${code}\nprint(observation["type"])\n`;
      const env = { ...ENVIRONMENT, PATH: `${dirname(MKT)}:${ENVIRONMENT.PATH}` };
      expect(await runPython(["-c", script], env)).toEqual({ exitCode: 0, stdout: "end\n", stderr: "" });
    });

    test.skipIf(!LONG)("the market maker prints its result", async () => {
      const hours = size(0.1, 1);
      const command = `sh -c 'exec "$0" "$@" --hours ${hours}' ${MKT}`;
      const stdout = expect.stringMatching(new RegExp(`^${60 * hours} steps, \\d+ trades, -?[\\d.]+ dollars\\n$`));
      expect(await runPython([join(EXAMPLES, "mkt_env.py"), command])).toEqual({ exitCode: 0, stdout, stderr: "" });
    });
  });
});
