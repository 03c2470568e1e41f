// Calls every tool with valid and invalid inputs made from its schema, through the real dispatcher and the real engine, as
// users with all permissions, some and none. Only the simulator's control API is scripted.
//
// Every call must give a result that fits the output schema. No call is `internal`, takes long, or leaks memory. One seed
// gives one run: MKT_TEST_SEED=n repeats it.

import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { MODULE_TYPES } from "../../protocol/modules/registry.ts";
import { resultOf } from "../core/support/results.ts";
import { inputsOf, wholeInputSchema } from "../support/schema-inputs.ts";
import { LONG, size } from "../support/sizes.ts";
import { expectDeclaredFields } from "./support/declared-fields.ts";
import { Desk, type Seat } from "./support/desk.ts";
import { MARKET, SECRET } from "./support/market.ts";
import { TOOLS } from "./support/packs.ts";
import { expectPlainFailure } from "./support/plain-words.ts";
import { ScriptedSimulator } from "./support/scripted-simulator.ts";

const CALLS = size(250, 200_000);
/** All orders are flushed after this many calls, so that the engine's state stays the size of a day's. */
const CALLS_BETWEEN_FLUSHES = 5000;
/** Above the variation of memory after a garbage collection, in bytes. */
const MEMORY_NOISE = 48 * 1024 * 1024;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Placeholders for the newest orders, which withRecent() replaces. */
const RECENT = Array.from({ length: 10 }, (_, age) => `recent-${age}`);

let latestOrder = 0;
const desk = await Desk.open();
const simulator = new ScriptedSimulator();
let seats: Seat[];

beforeAll(async () => {
  const environment = { STRESS_TEST_SECRET: SECRET, MKT_SIM_URL: simulator.url };
  seats = await Promise.all(MARKET.users.map(({ id }) => desk.connected(id, environment)));
});

/** Texts that have a meaning in this market. */
function knownTexts(): string[] {
  const { markets, products, contracts, entities, users } = MARKET;
  return [
    ...[markets, products, contracts, entities, users].flatMap((items) => items.map(({ id }) => id)),
    ...MODULE_TYPES,
    ...["new.order", "cancel.order", "new.fill", "BASE", "side", "price", "status", "value", "operator", "in", "gt"],
    ...["contains", "-1h", "-7d", "2030-01-01T00:00:00Z", "orderQueued"],
    ...RECENT,
  ];
}

interface Call {
  readonly name: string;
  readonly seat: number;
  readonly input: unknown;
}

function calls(): fc.Arbitrary<Call> {
  const options = { known: knownTexts() };
  return fc.oneof(...TOOLS.map((tool) =>
    fc.record({
      name: fc.constant(tool.name),
      seat: fc.nat(MARKET.users.length - 1),
      input: inputsOf(wholeInputSchema(tool), options),
    })
  ));
}

/** The input with ids of orders and fills instead of placeholders, and without a wait. */
function withRecent(input: unknown): unknown {
  const text = (value: unknown) => typeof value === "string" && RECENT.includes(value);
  if (typeof input !== "object" || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      if (name === "waitSeconds" && Number(value) <= 30) return [name, Math.min(Number(value), 0)];
      const prefix = name === "fillId" ? "FIL" : "ORD";
      return [name, text(value) ? `${prefix}-${latestOrder - RECENT.indexOf(String(value))}` : value];
    }),
  );
}

/** The code of the failure, or `ok`. */
async function checkedCall({ name, seat, input }: Call): Promise<string> {
  const { dispatcher } = seats[seat]?.runtime ?? expect.unreachable();
  const tool = dispatcher.catalogue.get(name) ?? expect.unreachable();
  const result = await resultOf(dispatcher.call(name, Array.isArray(input) ? input : withRecent(input), {
    signal: AbortSignal.timeout(600_000),
  }));
  const [content] = result?.content ?? [];
  if (result === null || content?.type !== "text") throw new Error("no answer");
  const value = JSON.parse(content.text) as Record<string, unknown>;
  if (result.structuredContent !== undefined) {
    expect(JSON.stringify(result.structuredContent)).toBe(content.text);
    expect(tool.output.safeParse(value).error?.issues ?? []).toEqual([]);
    expectDeclaredFields(dispatcher.catalogue.listed, name, value);
  }
  expect(result.isError === true && result.structuredContent === undefined).toBe(
    result.isError === true && tool.onFailure === undefined,
  );
  expect(content.text).not.toMatch(UNSEEN);
  if (result.isError === true) expectPlainFailure(value, Object.keys(tool.input.shape));
  latestOrder = Math.max(latestOrder, Number(/^ORD-(\d+)$/.exec(String(value["orderId"]))?.[1] ?? 0));
  const { code } = (value["error"] ?? { code: "ok" }) as { code: string };
  expect(["internal", "timeout", "backend_unavailable", "backend_error"]).not.toContain(code);
  if (code === "rejected") expect(["rejected", "not_cancellable"]).toContain(String(value["status"]));
  return code;
}

/** Reconnects every user, resumes the market and flushes all orders. Gives the resident memory in bytes. */
async function settle(): Promise<number> {
  for (const seat of seats) {
    await seat.ok("mkt_disconnect_pubsub");
    await seat.ok("mkt_connect_pubsub");
  }
  const operator = seats[MARKET.users.findIndex(({ permissions }) => permissions.includes("Market.Operate"))];
  await operator?.ok("mkt_resume_market");
  await operator?.ok("mkt_flush_all_orders", { confirm: true });
  Bun.gc(true);
  return process.memoryUsage.rss();
}

test(
  `${CALLS} generated calls of all ${TOOLS.length} tools end in answers that fit, and leave nothing behind`,
  async () => {
    const outcomes = new Map<string, number>();
    const memory: number[] = [];
    let made = 0;
    const property = fc.asyncProperty(calls(), async (call) => {
      const outcome = await checkedCall(call);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (++made % 50 === 0) await Promise.all(seats.map((seat) => seat.call("mkt_connect_pubsub")));
      if (made % CALLS_BETWEEN_FLUSHES === 0) memory.push(await settle());
    });
    await fc.assert(property, { numRuns: CALLS, endOnFailure: true });
    memory.push(await settle());

    if (LONG) {
      console.log(
        `${made} calls, ${JSON.stringify(Object.fromEntries(outcomes))}, RSS ${
          memory.map((bytes) => Math.round(bytes / 1e6))
        } MB`,
      );
    }
    expect(outcomes.get("ok")).toBeGreaterThan(CALLS / 10);
    expect(outcomes.get("invalid_input")).toBeGreaterThan(CALLS / 10);
    const half = memory.slice(Math.floor(memory.length / 2));
    expect((half.at(-1) ?? 0) - (half[0] ?? 0)).toBeLessThan(MEMORY_NOISE);
  },
);
