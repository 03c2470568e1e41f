import { expect, setSystemTime, test } from "bun:test";
import { environmentOf } from "../../cli/market/demo.ts";
import { engineSettings, simulatorOptions } from "../../cli/market/process-options.ts";
import { Command } from "commander";
import { commandOf } from "../../cli/simulation/report-options.ts";
import { addSimulateCommand } from "../../cli/simulation/simulate-command.ts";
import { agentsFrom } from "../../cli/simulation/outside-options.ts";
import { addStrategyFile } from "../../sim/outside/strategies/strategy-files.ts";
import { VARIABLES } from "../../core/config/variables.ts";
import { atEnd } from "../support/at-end.ts";
import { runMktHere } from "../support/command-line-here.ts";

const DAY_MS = 86_400_000;
const before = { ...process.env };

/** Until the test ends. */
function setVariables(given: Readonly<Record<string, string>>): void {
  atEnd(() => {
    for (const name of Object.keys(given)) delete process.env[name];
    Object.assign(process.env, before);
  });
  Object.assign(process.env, given);
}

test("a simulator, and what an engine compares its machine's clock with, don't follow a jump of that clock", () => {
  atEnd(() => void setSystemTime());
  const { now, steadyNow } = engineSettings("127.0.0.1");
  const clocks = [simulatorOptions().now, steadyNow];
  const before = clocks.map((clock) => clock());
  const wallBefore = now();
  setSystemTime(new Date(wallBefore + 30 * DAY_MS));
  expect(now() - wallBefore).toBeGreaterThan(29 * DAY_MS);
  expect(clocks.every((clock, at) => Math.abs(clock() - before[at]!) < DAY_MS)).toBe(true);
});

test("an engine's secret for tests is that of its variable, and none if that is empty", () => {
  setVariables({ STRESS_TEST_SECRET: "secret of tests", MKT_BEARER_TOKEN: "token" });
  expect(engineSettings("127.0.0.1")).toMatchObject({ secret: "secret of tests", token: "token" });
  setVariables({ STRESS_TEST_SECRET: "" });
  expect(engineSettings("127.0.0.1").secret).toBeNull();
});

const ADDRESS = "127.0.0.1:9";
/** What the server of a demo has whatever is set. */
const OF_DEMO: Readonly<Record<string, string | undefined>> = {
  MKT_HOST: ADDRESS,
  MKT_BASE_URL: `http://${ADDRESS}`,
  MKT_WS_URL: `ws://${ADDRESS}/ws`,
  MKT_SIM_URL: undefined,
  MKT_BEARER_TOKEN: "own",
  MKT_BEARER_TOKEN_FILE: undefined,
  MKT_AUDIT_STORE: "backend",
  MCP_HTTP_PORT: "4087",
};

test("the server of a demo gets every variable that is set, but its market, token, port and audit trail are the demo's", () => {
  for (const name of VARIABLES) delete process.env[name];
  atEnd(() => void Object.assign(process.env, before));
  expect(environmentOf({ port: 4087 }, "own", ADDRESS)).toMatchObject({ LOG_LEVEL: "warn", MKT_USER_ID: "operator" });
  setVariables(Object.fromEntries(VARIABLES.map((name) => [name, `a ${name}`])));
  const environment = environmentOf({ port: 4087 }, "own", ADDRESS) as Readonly<Record<string, string | undefined>>;
  for (const name of VARIABLES) {
    const usual = name.startsWith("MKT_ENGINE_") ? undefined : `a ${name}`;
    expect([name, environment[name]]).toEqual([name, name in OF_DEMO ? OF_DEMO[name] : usual]);
  }
  const onStdio = environmentOf({ port: 4087, stdio: true }, null, ADDRESS);
  expect([onStdio.MCP_HTTP_PORT, onStdio.MKT_BEARER_TOKEN]).toEqual([undefined, undefined]);
});

test("agents take part one by one and for ten minutes, unless the options say otherwise", () => {
  const from = { port: 7 };
  expect(agentsFrom({ agent: "7" })).toEqual({ from, count: 1, timeoutMs: 600_000 });
  expect(agentsFrom({ agent: "7", agents: 3 })).toEqual({ from, count: 3, timeoutMs: 600_000 });
  expect(agentsFrom({ agent: "./7", agentTimeout: 5 })).toEqual({ from: { path: "./7" }, count: 1, timeoutMs: 5_000 });
  expect(agentsFrom({ agent: "mine {port}" })).toMatchObject({ from: { command: "mine {port}" } });
  expect(agentsFrom({})).toBeNull();
  expect(() => agentsFrom({ agents: 1, agentTimeout: 1 })).toThrow(
    "--agents: needs --agent\n--agent-timeout: needs --agent",
  );
});

/** They say which runs there are, and what is written of them. */
const WITHOUT_EFFECT = [
  ...["--book-at", "--format", "--jobs", "--out", "--part", "--print-experiment", "--report", "--seeds"],
  ...["--study-worker", "--tape", "--tape-format", "--vary"],
];

test("the command that repeats a run has the options that change the run, and those alone", () => {
  const parent = new Command();
  addSimulateCommand(parent);
  const [simulate] = parent.commands;
  const { options } = simulate!;
  for (const option of options) {
    simulate!.setOptionValueWithSource(option.attributeName(), option.long === "--vary" ? ["x"] : "x", "cli");
  }
  const repeated = commandOf(simulate!, 7, []).split(" ");
  const others = options.map(({ long }) => long!).filter((name) => !repeated.includes(name));
  expect(others.toSorted()).toEqual(WITHOUT_EFFECT);
  expect(repeated.slice(repeated.indexOf("--seed"))).toEqual(["--seed", "7"]);
});

test("the command that repeats a run names a strategy of --vary by its path, as it was given", async () => {
  const parent = new Command();
  addSimulateCommand(parent);
  const [simulate] = parent.commands;
  const path = "./docs/examples/band-maker.ts";
  await addStrategyFile(path);
  simulate!.setOptionValueWithSource("vary", [`personas.0.strategy=${path},zip`], "cli");
  const setting = { path: "personas[0].strategy", keys: ["personas", 0, "strategy"], value: "band-maker" };
  expect(commandOf(simulate!, 7, [setting])).toBe(`mkt simulate --vary personas.0.strategy=${path} --seed 7`);
});

test("mkt load has the token of what it loads, and an engine's user", async () => {
  const seen: unknown[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, self) => {
      if (self.upgrade(request)) return;
      seen.push(request.headers.get("authorization"));
      return new Response("no", { status: 401 });
    },
    websocket: {
      message: (socket, text) => {
        const { userId, token } = JSON.parse(String(text));
        seen.push({ userId, token });
        socket.send(JSON.stringify({ kind: "refused", code: "unauthorized", message: "no" }));
        socket.close();
      },
    },
  });
  atEnd(() => server.stop(true));
  const tokens = { MCP_BEARER_TOKEN: "of the server", MKT_BEARER_TOKEN: "of the engine", MKT_USER_ID: "anna" };
  const { exitCode } = await runMktHere(["load", "--mcp", server.url.href], tokens);
  expect([exitCode, seen.splice(0)]).toEqual([1, ["Bearer of the server"]]);
  const url = server.url.href.replace("http", "ws");
  const onEngine = await runMktHere(["load", "--url", url, "--connections", "1"], tokens);
  expect([onEngine.exitCode, seen[0]]).toEqual([1, { userId: "anna", token: "of the engine" }]);
});
