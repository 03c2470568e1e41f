// The permissions that tools declare and describe, compared with what the engine and the simulator do for a user who lacks one.
// The tools' own early checks are taken away, so every refusal here is the backend's. Each tool is called about the user's own
// entity and about another one.

import { expect, test } from "bun:test";
import type { Runtime } from "../../core/runtime.ts";
import type { Tool } from "../../core/tools/tool.ts";
import { logger } from "../../common/logger.ts";
import { marketDefinition } from "../../engine/definition/market-definition.ts";
import { type Permission, PERMISSIONS } from "../../protocol/index.ts";
import { embedSimulator } from "../../sim/live/embedded-simulator.ts";
import { resultOf } from "../core/support/results.ts";
import { atEnd } from "../support/at-end.ts";
import { startTestEngine } from "../support/engines.ts";
import { wholeInputSchema } from "../support/schema-inputs.ts";
import { runtimeAt, type Value } from "./support/desk.ts";
import { BASE, MARKET, SECRET } from "./support/market.ts";
import { PACKS, PROGRAM, TOOLS } from "./support/packs.ts";

type Input = Readonly<Record<string, unknown>>;

const lacking = (permission: Permission | null) => `without-${permission ?? "none"}`;
const DEFINITION = marketDefinition.parse({
  ...MARKET,
  users: [
    ...MARKET.users,
    ...[null, ...PERMISSIONS].map((permission) => ({
      id: lacking(permission),
      name: "Somebody",
      entityId: "alpha",
      permissions: PERMISSIONS.filter((each) => each !== permission),
    })),
  ],
});

const engine = await startTestEngine({ definition: DEFINITION, secret: SECRET, updateIntervalMs: 0 });
const simulator = embedSimulator({ engine, log: logger("test"), now: Date.now });
atEnd(() => simulator.close());

const withoutChecks = (tool: Tool): Tool => {
  const { permissions: _, ...requires } = tool.requires ?? {};
  return { ...tool, requires };
};
const packs = PACKS.map((pack) => ({ ...pack, tools: pack.tools.map(withoutChecks) }));

async function runtimeOf(userId: string): Promise<Runtime> {
  const environment = { MKT_USER_ID: userId, STRESS_TEST_SECRET: SECRET };
  const runtime = await runtimeAt(engine, environment, { ...PROGRAM, packs });
  await answerOf(runtime, "mkt_connect_pubsub", {});
  return runtime;
}

/** A refusal as its code, a list as its length, everything else as `ok`. */
async function answerOf({ dispatcher }: Runtime, name: string, input: Input): Promise<unknown> {
  const result = await resultOf(dispatcher.call(name, input, { signal: new AbortController().signal }));
  const [content] = result?.content ?? [];
  if (content?.type !== "text") throw new Error(`${name} gave no text`);
  const value = JSON.parse(content.text) as Value;
  const { error, total, totalConfigs, count, latestSequence } = value as
    & { readonly error?: { readonly code: string } }
    & Value;
  if (result?.isError === true) return error?.code;
  // Those of other entities, since connections differ in when they began.
  if (latestSequence !== undefined) return JSON.stringify(value["events"]).includes("beta") ? "of others, too" : "own";
  return total ?? totalConfigs ?? count ?? "ok";
}

const everything = await runtimeOf(lacking(null));
const runtimes = new Map<Permission, Runtime>();
for (const permission of PERMISSIONS) runtimes.set(permission, await runtimeOf(lacking(permission)));
const bob = await runtimeOf("bob");
const orders = await Promise.all([everything, bob].map(async (runtime, at) => {
  const order = { contractId: BASE, side: at === 0 ? "BUY" : "SELL", price: 100, quantity: 2 };
  const { value } = await valueOf(runtime, "mkt_create_test_order", order);
  return String(value["orderId"]);
}));
await valueOf(bob, "mkt_create_test_order", { contractId: BASE, side: "SELL", price: 500, quantity: 2 });
const fillOf = async (entityId: string) =>
  String(((await valueOf(everything, "mkt_list_fills", { entityId })).value["fills"] as Value[])[0]?.["id"]);
const fills = [await fillOf("alpha"), await fillOf("beta")];

async function valueOf({ dispatcher }: Runtime, name: string, input: Input): Promise<{ readonly value: Value }> {
  const result = await resultOf(dispatcher.call(name, input, { signal: new AbortController().signal }));
  const [content] = result?.content ?? [];
  return { value: JSON.parse(content?.type === "text" ? content.text : "{}") as Value };
}

/** About the own entity, and about another one. */
function inputsOf(tool: Tool): Input[] {
  return [0, 1].map((at) => {
    const known: Input = {
      orderId: orders[at],
      fillId: fills[at],
      entityId: ["alpha", "beta"][at],
      counterpartyId: ["beta", "alpha"][at],
      userId: ["alice", "bob"][at],
      productId: "base",
      moduleType: at === 0 ? "ORDER" : "CREDIT",
      contractId: BASE,
      side: "BUY",
      price: -100,
      quantity: 1,
      limitType: "mwh",
      scope: "total",
      limit: 1e9,
      status: "docs_in_place",
      creditLimit: 1e9,
      type: "heat_wave",
    };
    const required = (wholeInputSchema(tool)["required"] ?? []) as readonly string[];
    return Object.fromEntries(required.map((name) => [name, known[name]]));
  });
}

/** What a client reads before it calls the tool. */
const textOf = (tool: Tool) => `${tool.description} ${JSON.stringify(wholeInputSchema(tool))}`;

/** Neither asks for a permission, and a call would end what the other calls need. */
const UNASKED = ["mkt_connect_pubsub", "mkt_disconnect_pubsub"];

/** Checked after the user's entity, whose absence has a status of its own. */
const CHECKED_LATER = { tool: "mkt_create_test_order", permission: "Order.Submit" };
/** The engine gives a user the own entity's credit without it; the specification has the tools ask for it. */
const ASKED_BY_TOOLS: Permission = "Credit.View";

test.each([...runtimes])("%s: tools declare and name it if the backend asks for it", async (permission, runtime) => {
  const faults: string[] = [];
  for (const tool of TOOLS.filter(({ name }) => !UNASKED.includes(name))) {
    const { name, requires, annotations } = tool;
    const differences: unknown[] = [];
    for (const input of inputsOf(tool)) {
      const answer = await answerOf(runtime, name, input);
      // A change is made once, unless it was refused.
      const isRepeated = annotations.readOnlyHint || answer === "forbidden";
      differences.push(isRepeated && answer !== await answerOf(everything, name, input) ? answer : null);
    }
    const isLater = name === CHECKED_LATER.tool && permission === CHECKED_LATER.permission;
    const isDeclared = isLater || requires?.permissions?.includes(permission) === true;
    const isAsked = differences.some((difference) => difference !== null);
    if (differences[0] === "forbidden" && !isDeclared) faults.push(`${name} does not declare it`);
    if ((isAsked || isDeclared) && !textOf(tool).includes(permission)) faults.push(`${name} does not name it`);
    if (isDeclared && !isAsked && permission !== ASKED_BY_TOOLS) faults.push(`${name} declares it in vain`);
  }
  expect(faults).toEqual([]);
});
