// What each option of `mkt demo` changes in what is started.

import { expect, test } from "bun:test";
import * as configured from "../../../cli/configured.ts";
import { addDemoCommand } from "../../../cli/market/demo.ts";
import * as serving from "../../../cli/server/serve.ts";
import * as opening from "../../../common/open-browser.ts";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { builtInMarketNamed } from "../../../engine/definition/built-in-markets.ts";
import * as starting from "../../../engine/server/start-engine.ts";
import * as orders from "../../../sim/live/initial-orders.ts";
import * as embedding from "../../../sim/live/embedded-simulator.ts";
import { SimulatorRefusal } from "../../../sim/live/simulator-refusal.ts";
import * as strategies from "../../../sim/outside/strategies/strategy-files.ts";
import { runCommandHere } from "../../support/command-line-here.ts";
import { replaced } from "../../support/replaced.ts";

const BIRTH = Date.UTC(2026, 2, 2);
const AS_IT_WAS = { speed: null, start: null, lockstep: false };

interface Circumstances {
  readonly env?: Record<string, string>;
  readonly isNew?: boolean;
  readonly routes?: readonly { readonly path: string }[];
  /** Of the first starts of the simulation. */
  readonly refusals?: SimulatorRefusal[];
}

/** A whole demo whose server ends once everything has started. */
async function demo(args: readonly string[], circumstances: Circumstances = {}) {
  const { env = {}, isNew = true, routes = [{ path: "/" }], refusals = [] } = circumstances;
  const done: unknown[] = [];
  const started = replaced(starting, "startEngine", () => ({
    port: 77,
    ownToken: "own",
    isNew,
    definition: builtInMarket(),
    marketTime: () => BIRTH,
    clock: () => ({ mode: "real", speed: 1 }),
    failed: new Promise(() => {}),
    stop: () => void done.push("engine stops"),
  }));
  replaced(embedding, "embedSimulator", () => ({
    start: (what: object) => {
      done.push({ start: what });
      const refusal = refusals.shift();
      if (refusal !== undefined) throw refusal;
    },
    close: () => void done.push("simulator stops"),
  }));
  replaced(
    orders,
    "placeInitialOrders",
    (_engine, seed, time, preset) => void done.push({ orders: seed, time, preset }),
  );
  replaced(opening, "openInBrowser", (address, fail) => {
    done.push({ open: address });
    fail("no browser");
  });
  replaced(Bun, "sleep" as never, () => Promise.resolve());
  const environments = replaced(configured, "configuredRuntime", () => ({
    packs: [{ routes }],
    services: { server: { tools: new Map() } },
    configuration: { backend: { userId: "operator" } },
  }));
  replaced(serving, "serve", async (_runtime, { onReady } = {}) => {
    onReady?.(args.includes("--stdio") ? null : "http://127.0.0.1:9");
    await new Promise(setImmediate);
  });
  const { exitCode, stderr } = await runCommandHere(
    (program) => addDemoCommand(program, PROGRAM, { command: "mkt", args: [] }),
    ["demo", ...args],
    env,
  );
  const { log: _, ...rest } = started.pop()?.[0] ?? { log: null };
  const engine: Record<string, unknown> = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => typeof value !== "function"),
  );
  return { exitCode, stderr, done, engine, environment: environments.pop()?.[1] };
}

const PROGRAM = { packs: [], version: "1" } as never;
const USUAL = [
  { orders: 1, time: BIRTH, preset: "calm" },
  { start: { preset: "calm", seed: 1 } },
  "simulator stops",
  "engine stops",
];

test("each option of mkt demo changes its own part of the engine", async () => {
  replaced(strategies, "addStrategyFile", () => Promise.resolve());
  const { engine: usual, done, environment } = await demo([]);
  expect(usual).toMatchObject({
    port: 3001,
    orAnyPort: true,
    hostname: "127.0.0.1",
    definition: builtInMarket(),
    acceptDataLoss: false,
    clock: AS_IT_WAS,
    maxClockJumpMs: 60_000,
    tracer: null,
  });
  expect([usual["data"], done, environment]).toEqual([
    undefined,
    USUAL,
    expect.objectContaining({ MCP_HTTP_PORT: "4087" }),
  ]);
  for (
    const [args, changes] of [
      [["--engine-port", "5"], { port: 5, orAnyPort: false }],
      [["--engine-port", "3001"], { orAnyPort: false }],
      [["--data", "d"], { data: "d" }],
      [["--data", "d", "--accept-data-loss"], { data: "d", acceptDataLoss: true }],
      [["--speed", "60"], { clock: { ...AS_IT_WAS, speed: 60 } }],
      [["--start", "2026-03-02"], { clock: { ...AS_IT_WAS, start: BIRTH } }],
      [["--lockstep"], { clock: { ...AS_IT_WAS, lockstep: true } }],
      [["--max-clock-jump", "7"], { maxClockJumpMs: 7_000 }],
      [["--max-clock-jump", "0"], { maxClockJumpMs: undefined }],
      [["--port", "5"], {}],
      [["--seed", "5"], {}],
      [["--preset", "stress"], {}],
      [["--preset", "credit"], { definition: builtInMarketNamed("builtin-credit") }],
      [["--no-sim"], {}],
      [["--stdio"], {}],
      [["--open"], {}],
      [["--strategy", "a.ts"], {}],
    ] as const
  ) expect([args, (await demo(args)).engine]).toEqual([args, { ...usual, ...changes } as never]);
});

test("--port, --stdio, --seed, --preset, --no-sim and --strategy change the server, the books and the simulation", async () => {
  expect((await demo(["--port", "5"])).environment).toMatchObject({ MCP_HTTP_PORT: "5", MKT_HOST: "127.0.0.1:77" });
  expect((await demo(["--stdio"])).environment).toMatchObject({ MCP_HTTP_PORT: undefined, MKT_BEARER_TOKEN: "own" });
  const changed = (
    seed: number,
    preset: string,
  ) => [{ orders: seed, time: BIRTH, preset }, { start: { preset, seed } }];
  expect((await demo(["--seed", "5"])).done.slice(0, 2)).toEqual(changed(5, "calm"));
  expect((await demo(["--preset", "stress"])).done.slice(0, 2)).toEqual(changed(1, "stress"));
  expect((await demo(["--no-sim"])).done).toEqual(USUAL.slice(2));
  expect((await demo([], { isNew: false })).done).toEqual(USUAL.slice(1));
  const loaded = replaced(strategies, "addStrategyFile", () => Promise.resolve());
  await demo(["--strategy", "a.ts"]);
  expect(loaded).toEqual([["a.ts"]]);
});

test("--open opens the dashboard, and says why it can't", async () => {
  expect((await demo([])).done).not.toContainEqual({ open: expect.anything() });
  const opened = await demo(["--open"]);
  expect([opened.done, opened.stderr]).toEqual([
    expect.arrayContaining([{ open: "http://127.0.0.1:9/" }]),
    expect.stringContaining("mkt: the browser was not opened: no browser; open http://127.0.0.1:9/ yourself\n"),
  ]);
  const { done, stderr } = await demo(["--open"], { routes: [{ path: "/other" }] });
  expect(done).toEqual(USUAL);
  expect(stderr).toContain("mkt: --open: this server has no dashboard (MKT_DASHBOARD, MKT_PACKS)\n");
  expect(await demo(["--open", "--stdio"])).toMatchObject({
    exitCode: 2,
    stderr: "mkt: --open: there is no dashboard over stdio; leave out --stdio\n",
  });
});

test("a busy engine is asked five times for the simulation, any other refusal ends the attempts, and the demo goes on", async () => {
  const starts = ({ done }: { readonly done: readonly unknown[] }) =>
    done.filter((each) => typeof each === "object" && "start" in each!).length;
  const refusals = (code: SimulatorRefusal["code"], count: number) =>
    Array.from({ length: count }, () => new SimulatorRefusal(code, "not now"));
  expect(starts(await demo([], { refusals: refusals("engine_unavailable", 3) }))).toBe(4);
  expect(starts(await demo([], { refusals: refusals("engine_unavailable", 9) }))).toBe(5);
  for (const code of ["stopping", "already_running"] as const) {
    const outcome = await demo([], { refusals: refusals(code, 9) });
    expect([code, starts(outcome), outcome.exitCode]).toEqual([code, 1, 0]);
  }
});
