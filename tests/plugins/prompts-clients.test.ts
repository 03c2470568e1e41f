// Prompts and the completion of their arguments, by an official client; and the experiment, whose
// steps an agent without a model follows on an engine with its simulator. tests/plugins/prompts*.test.ts have the rest.

import { expect, test } from "bun:test";
import { SIMULATION_PRESETS } from "../../protocol/index.ts";
import { part } from "./support/desk.ts";
import { PromptFollower } from "./support/prompt-follower.ts";
import { succeed, type TestClient } from "../support/official-client.ts";
import { until } from "../support/until.ts";
import { startSimulatedMarket } from "../support/power-market.ts";

const TRADER = "riverbend-trader-1";
const OPERATOR = "operator";
const HOUR_MS = 3_600_000;

const engine = await startSimulatedMarket();

const client = await engine.client(TRADER);

test("lists the prompts, with title, description and arguments", async () => {
  const prompts = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual([
    "mkt_morning_check",
    "mkt_explain_order",
    "mkt_investigate_order",
    "mkt_credit_review",
    "mkt_sim_experiment",
  ]);
  expect(prompts[1]).toMatchObject({ title: "Explain why an order doesn't trade" });
  expect(prompts[1]?.arguments?.map(({ name, required }) => [name, required])).toEqual([
    ["orderId", true],
    ["contractId", false],
    ["userId", false],
  ]);
});

test("gives a prompt before it is connected, completes its arguments, and says what to do if one is wrong", async () => {
  const made = await client.prompt("mkt_explain_order", { orderId: "ORD-1" });
  expect(made).toContain("1. mkt_connect_pubsub {}");
  expect(made).toContain('mkt_get_order {"orderId":"ORD-1"}');
  expect(await client.complete("mkt_sim_experiment", "preset", "")).toEqual([...SIMULATION_PRESETS]);
  expect(await client.complete("mkt_credit_review", "counterpartyId", "heart")).toEqual(["HEARTLAND"]);
  const refused = (name: string, given: Record<string, string>) => client.prompt(name, given).then(() => "", String);
  expect(await refused("mkt_explain_order", {})).toMatch(/orderId is missing\. Its arguments are orderId/);
  expect(await refused("mkt_morning_chek", {})).toMatch(/did you mean mkt_morning_check/);
});

test("the steps of the experiment start one run, trigger the event halfway, stop the run and show its figures", async () => {
  // Time passes only while the agent waits for it, so a busy machine can't let the event end before the agent looks.
  // It begins at a point of the spot prices: between two others the event, which may be short, would be over at the last one.
  let now = Date.now() - Date.now() % (HOUR_MS / 12);
  const market = await startSimulatedMarket({ now: () => now });
  const client = await market.client(OPERATOR);
  const follower = new PromptFollower((tool, parameters) => client.call(tool, parameters), {
    wait: (agent, hours) => simulatedUntil(client, agent, hours, () => now += 50),
  });
  const settings = { preset: "thin", hours: "0.2", speed: "300", seed: "7", eventType: "plant_outage" };
  await follower.follow(await client.prompt("mkt_sim_experiment", settings));

  expect(follower.calls.filter(({ isError }) => isError)).toEqual([]);
  const statuses = follower.answers("mkt_sim_status");
  expect(statuses.map(({ status }) => status)).toEqual(["stopped", "running", "running", "stopped"]);
  expect(follower.answer("mkt_sim_start"))
    .toMatchObject({ changed: true, simulation: { preset: "thin", seed: 7, speed: 300 } });
  const { simulatedTime, startedAt } = statuses[2] as { simulatedTime: string; startedAt: string };
  expect(Date.parse(simulatedTime) - Date.parse(startedAt)).toBeGreaterThanOrEqual(0.2 * HOUR_MS);
  expect(Number(part(statuses[3], "totals")["orders"])).toBeGreaterThan(0);
  expect(part(statuses[3], "totals")["workingOrders"]).toBe(0);
  const [, , after] = follower.answers("mkt_sim_get_spot_prices");
  expect(after?.["events"]).toContainEqual(expect.objectContaining({ type: "plant_outage" }));
  expect(follower.answer("mkt_sim_stop")).toMatchObject({ changed: true, personasDisconnected: 8 });
});

/** Lets time pass until so many hours after the start. */
async function simulatedUntil(
  client: TestClient,
  follower: PromptFollower,
  hours: number,
  pass: () => void,
): Promise<void> {
  const { startedAt } = part(follower.answer("mkt_sim_start"), "simulation");
  const end = Date.parse(String(startedAt)) + hours * HOUR_MS;
  await until(async () => {
    pass();
    const { simulatedTime } = await succeed(client, "mkt_sim_status", { limit: 1 });
    return Date.parse(String(simulatedTime)) >= end;
  }, `${hours} simulated hours`);
}
