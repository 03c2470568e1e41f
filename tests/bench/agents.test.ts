import { expect, test } from "bun:test";
import { runOnBareServer } from "../../bench/agents/bare-run.ts";
import { type AgentsLoad, planOf, runOnEngine } from "../../bench/agents/engine-run.ts";
import { agentsMarket } from "../../bench/agents/market.ts";
import { agentsTable } from "../../bench/agents/table.ts";
import { checkDefinition } from "../../engine/definition/check-definition.ts";
import { startProcess } from "../support/processes.ts";
import { LONG, size } from "../support/sizes.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { outputOf } from "./output-of.ts";

const LOAD: AgentsLoad = { agents: size(5, 50), ratePerAgent: 5, seconds: size(1, 30) };

test.skipIf(!LONG)("all agents have their requests answered, on the engine and on the bare server", async () => {
  const engine = await runOnEngine(startProcess, outputOf, temporaryDirectory(), LOAD);
  const { requests, cleanUp, contractIds } = engine.report;
  const sent = Object.values(requests.sent).reduce((sum, each) => sum + each, 0);
  expect(sent + requests.notSent).toBe(LOAD.agents * LOAD.ratePerAgent * LOAD.seconds);
  const { failed, unknown } = requests;
  expect({ failed, unknown, left: cleanUp.left }).toEqual({ failed: {}, unknown: 0, left: 0 });
  for (const code of Object.keys(requests.refused)) expect(["not_cancellable", "not_modifiable"]).toContain(code);
  expect(contractIds).toHaveLength(4);
  expect(engine.framesForRequest).toBeGreaterThan(0);
  expect(engine.responseBytes).toBeGreaterThan(100);
  const bare = await runOnBareServer(startProcess, planOf(engine), LOAD);
  expect(bare.latencyMs.count).toBe(LOAD.agents * LOAD.ratePerAgent * LOAD.seconds);
  const table = agentsTable(LOAD, engine, bare);
  for (const row of ["processor time for a request", "p99 ", "first third", "last third"]) {
    expect(table).toContain(`| ${row}`);
  }
  expect(table).not.toMatch(/NaN|Infinity/);
});

test("the market of the agents is a valid market file", () => {
  expect(checkDefinition(agentsMarket(200, Date.now()))).toMatchObject({ ok: true });
});
