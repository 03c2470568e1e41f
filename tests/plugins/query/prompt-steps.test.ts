// The calls that the prompts of the query pack write out, with every parameter, for each user and each order that changes them.

import { expect, test } from "bun:test";
import type { Prompt } from "../../../core/prompts/prompt.ts";
import type { Services, ToolContext } from "../../../core/tools/context.ts";
import { creditReview } from "../../../plugins/query/prompts-credit-review.ts";
import { explainOrder } from "../../../plugins/query/prompts-explain-order.ts";
import { investigateOrder } from "../../../plugins/query/prompts-investigate-order.ts";
import { morningCheck } from "../../../plugins/query/prompts-morning-check.ts";
import { pubsubThatIs, servicesWith } from "../../core/support/services.ts";
import { callsIn } from "../support/prompts.ts";
import { snapshotOf } from "../support/still-market.ts";

const NOW = Date.parse("2030-06-10T12:00:00Z");
const WEEK_AGO = "2030-06-03T12:00:00.000Z";
const order = {
  contractId: "C",
  engineId: "ENG",
  marketId: "M",
  entityId: "A",
  userId: "u",
  side: 0,
  price: 500,
  quantity: 5,
  filledQuantity: 2,
  remainingQuantity: 3,
  status: "partial",
  closeReason: null,
  timeInForce: "gtc",
  createdAt: "2030-06-09T12:00:00.000Z",
  updatedAt: "2030-06-09T13:00:00.000Z",
};
const snapshot = snapshotOf({
  "/MARKET/M": { name: "Market", code: "MK", status: "open", halted: false, timezone: "UTC", nodes: ["N"] },
  "/MARKET/M2": { name: "Other", code: "OT", status: "halted", halted: true, timezone: "UTC", nodes: ["N"] },
  "/ENTITY/A": { name: "Alpha", code: "AL", userIds: [] },
  "/ENTITY/B": { name: "Beta", code: "BE", userIds: [] },
  "/CONTRACT/C": { name: "Contract", code: "CO", marketId: "M", engineId: "ENG" },
  "/USER/u": { name: "User", entityId: "A" },
  "/ENGINE/ENG": { contractId: "C", bids: [], asks: [], bestBid: 480, bestAsk: 490 },
  "/ORDER/1": order,
  "/ORDER/2": { ...order, side: 1, createdAt: "2030-06-01T12:00:00.000Z" },
});

interface Who {
  readonly isConnected?: boolean;
  readonly permissions?: readonly string[];
  readonly entityId?: string | null;
  readonly tools?: readonly string[];
}

const ASKED: unknown[] = [];
const contextWith = (services: Services) =>
  ({ ...services, signal: new AbortController().signal }) as unknown as ToolContext;

async function textOf(prompt: Prompt, given: Readonly<Record<string, string>>, who: Who = {}): Promise<string> {
  const { isConnected = true, permissions = [], entityId = "A", tools = [] } = who;
  const base = pubsubThatIs(isConnected ? "connected" : "disconnected", permissions);
  const session = base.session === null ? null : { ...base.session, entityId };
  const context = servicesWith({
    pubsub: { ...base, session, marketTime: () => NOW },
    snapshot,
    server: { name: "mkt", version: "1", instructions: "", tools: new Set(tools) },
    backend: {
      orderBlocks: (orderId: string) => {
        ASKED.push(orderId);
        const block = (at: number) => ({ counterpartyId: "B", reason: "entity_documents", quantity: at });
        return Promise.resolve({ orderId, blockedBy: [1, 2, 3, 4].map(block) });
      },
    } as never,
  });
  const made = await prompt.messages(given, contextWith(context));
  if (typeof made !== "string") throw new Error("it is no text");
  return made;
}

/** The steps' calls as texts. */
async function callsOf(...given: Parameters<typeof textOf>): Promise<string[]> {
  return callsIn(await textOf(...given)).map(({ tool, parameters }) => `${tool} ${JSON.stringify(parameters)}`);
}

const LATER = (field: string) => `<${field} of mkt_get_order>`;
const marketCall = (marketId: string, startTime: string) =>
  `mkt_get_audit_log ${JSON.stringify({ moduleType: "MARKET", moduleId: marketId, startTime })}`;

test.each<[string, Record<string, string>, Who, string[]]>([
  ["of a buy", { orderId: "1" }, { permissions: ["Market.Operate", "Market.View"] }, [
    'mkt_get_order_events {"orderId":"1"}',
    marketCall("M", "2030-06-09T12:00:00.000Z"),
    'mkt_find_modules {"moduleType":"TRADE","filters":{"contractId":"C","time":{"value":"2030-06-09T12:00:00.000Z",' +
    '"operator":"gte"},"price":{"value":500,"operator":"lte"}},"sort":"time","fields":["time","price","quantity",' +
    '"buyOrderId","sellOrderId"]}',
    'mkt_get_order_book {"contractId":"C"}',
  ]],
  ["of a sell that is older than a week", { orderId: "2" }, { permissions: ["Market.View"] }, [
    'mkt_get_audit_log {"moduleType":"ORDER","moduleId":"2"}',
    marketCall("M", WEEK_AGO),
    `mkt_find_modules {"moduleType":"TRADE","filters":{"contractId":"C","time":{"value":"${WEEK_AGO}","operator":"gte"},` +
    '"price":{"value":500,"operator":"gte"}},"sort":"time","fields":["time","price","quantity","buyOrderId","sellOrderId"]}',
    'mkt_get_order_book {"contractId":"C"}',
  ]],
  ["of a day, by someone with neither permission", { orderId: "1", date: "2030-06-09" }, {}, [
    'mkt_get_order_events {"orderId":"1","date":"2030-06-09"}',
    'mkt_get_audit_log {"moduleType":"ORDER","moduleId":"1","startTime":"2030-06-09","endTime":"2030-06-09"}',
    marketCall("M", "2030-06-09T12:00:00.000Z"),
    expect.stringContaining('"operator":"lte"') as never,
    'mkt_get_order_book {"contractId":"C"}',
  ]],
  ["without a connection", { orderId: "9" }, { isConnected: false }, [
    'mkt_get_order_events {"orderId":"9"}',
    'mkt_get_audit_log {"moduleType":"ORDER","moduleId":"9"}',
    marketCall(LATER("marketId"), LATER("createdAt")),
    `mkt_find_modules {"moduleType":"TRADE","filters":{"contractId":"${LATER("contractId")}","time":{"value":"${
      LATER("createdAt")
    }","operator":"gte"}},"sort":"time","fields":["time","price","quantity","buyOrderId","sellOrderId"]}`,
    `mkt_get_order_book {"contractId":"${LATER("contractId")}"}`,
  ]],
])("an investigation %s makes these calls", async (_what, given, who, expected) => {
  const { orderId } = given;
  expect(await callsOf(investigateOrder, given, who)).toEqual([
    `mkt_get_order {"orderId":"${orderId}"}`,
    `mkt_list_fills {"orderId":"${orderId}","fields":["time","price","quantity","counterpartyId","liquidity"]}`,
    ...expected,
  ]);
});

test("an investigation shows the order as it is now, and completes the days of the last two weeks", async () => {
  const [, json] = /^order: (\{.*\})$/m.exec(await textOf(investigateOrder, { orderId: "1" }))!;
  expect(JSON.parse(json!)).toMatchObject({ id: "1", side: "BUY", filledQuantity: 2, quantity: 5, price: 500 });
  const complete = investigateOrder.arguments!["date"]!.complete!;
  const context = contextWith(servicesWith({ pubsub: { ...pubsubThatIs("connected"), marketTime: () => NOW } }));
  const days = await complete("", context, {});
  expect([days.length, days[0], days[13]]).toEqual([14, "2030-06-10", "2030-05-28"]);
  expect(await complete(" 2030-05 ", context, {})).toEqual(["2030-05-31", "2030-05-30", "2030-05-29", "2030-05-28"]);
});

test.each<[string, string, Who, Record<string, string>]>([
  ["of a known order", "1", {}, { contractId: "C", marketId: "M", entityId: "A" }],
  ["without a connection", "9", { isConnected: false }, {
    contractId: LATER("contractId"),
    marketId: LATER("marketId"),
    entityId: LATER("entityId"),
  }],
])("an explanation %s makes these calls", async (_what, orderId, who, { contractId, marketId, entityId }) => {
  expect(await callsOf(explainOrder, { orderId }, who)).toEqual([
    `mkt_get_order {"orderId":"${orderId}"}`,
    `mkt_get_market_state {"marketId":"${marketId}"}`,
    `mkt_get_order_book {"contractId":"${contractId}"}`,
    `mkt_find_modules {"moduleType":"ORDER","filters":{"contractId":"${contractId}","entityId":"${entityId}","status":` +
    '{"value":["working","partial","held"],"operator":"in"}},"fields":["userId","side","price","remainingQuantity","createdAt"]}',
    `mkt_get_extended_credit {"entityId":"${entityId}","counterpartyId":"${LATER("counterpartyId")}"}`,
  ]);
});

test("an explanation asks for the reasons of its order, and shows three of them with the order and its market", async () => {
  ASKED.length = 0;
  const text = await textOf(explainOrder, { orderId: "1" });
  const facts = Object.fromEntries(
    [...text.matchAll(/^(order|market): (\{.*\})$/gm)].map(([, name, json]) => [name, JSON.parse(json!)]),
  );
  expect(ASKED).toEqual(["1"]);
  expect(facts["order"].blockedBy.map(({ quantity }: { quantity: number }) => quantity)).toEqual([1, 2, 3]);
  expect(facts["market"]).toMatchObject({ id: "M", status: "open", currentTime: "2030-06-10T12:00:00.000Z" });
});

const ENTITY_STEPS = (entityId: string, marketId: string) => [
  `mkt_find_modules {"moduleType":"ORDER","filters":{"marketId":"${marketId}","entityId":"${entityId}","status":` +
  '{"value":["working","partial","held"],"operator":"in"}},"fields":["contractId","side","price","remainingQuantity","status","userId"],"limit":50}',
  'mkt_get_order {"orderId":"<id of the order>"}',
  `mkt_get_entity {"entityId":"${entityId}","positions":true,"limit":30}`,
  `mkt_get_credit_status {"entityId":"${entityId}","marketId":"${marketId}"}`,
];
const MARKET_STEPS = (marketId: string, since: string) => [
  marketCall(marketId, since),
  `mkt_find_modules {"moduleType":"CONTRACT","filters":{"marketId":"${marketId}","status":"listed"},"sort":"deliveryStart",` +
  '"fields":["deliveryStart","bestBid","bestAsk","lastPrice","volume"],"limit":150}',
  `mkt_find_modules {"moduleType":"TRADE","filters":{"marketId":"${marketId}","time":{"value":"${since}","operator":"gte"}},` +
  '"sort":"-quantity","fields":["contractId","price","quantity","time"],"limit":5}',
];

test.each<[string, Record<string, string>, Who, string, string[]]>([
  ["of the default market", {}, {}, 'market "M": what happened in the last 24 h', [
    'mkt_get_market_state {"marketId":"M"}',
    ...MARKET_STEPS("M", "2030-06-09T12:00:00.000Z"),
    ...ENTITY_STEPS("A", "M"),
  ]],
  [
    "of a named market, for an hour, by a user without an entity",
    { marketId: "ot", hours: "1" },
    {
      entityId: null,
      tools: ["mkt_watch_market", "mkt_sim_get_spot_prices"],
    },
    'market "M2": what happened in the last 1 h',
    [
      'mkt_get_market_state {"marketId":"M2"}',
      marketCall("M2", "2030-06-10T11:00:00.000Z"),
      'mkt_watch_market {"limit":30}',
      ...MARKET_STEPS("M2", "2030-06-10T11:00:00.000Z").slice(1),
      'mkt_sim_get_spot_prices {"hours":1}',
    ],
  ],
  [
    "without a connection",
    { hours: "168" },
    { isConnected: false },
    "the default market: what happened in the last 168 h",
    [
      "mkt_get_market_state {}",
      ...MARKET_STEPS("<id of mkt_get_market_state>", "<currentTime of mkt_get_market_state less 168 h>"),
      ...ENTITY_STEPS("<your entityId>", "<id of mkt_get_market_state>"),
    ],
  ],
  ["of a named market without a connection", { marketId: "X" }, { isConnected: false }, 'market "X": what happened', [
    'mkt_get_market_state {"marketId":"X"}',
    ...MARKET_STEPS("X", "<currentTime of mkt_get_market_state less 24 h>"),
    ...ENTITY_STEPS("<your entityId>", "X"),
  ]],
])("a morning check %s makes these calls", async (_what, given, who, task, expected) => {
  expect(await callsOf(morningCheck, given, who)).toEqual(expected);
  const text = await textOf(morningCheck, given, who);
  expect(text).toContain(`Morning check of ${task}`);
  expect(text).toContain(`- Trades of the last ${given["hours"] ?? 24} h: number`);
  expect(text.includes("Your user trades for no entity")).toBe(who.entityId === null);
  expect(text.includes("- Own entity: ")).toBe(who.entityId !== null);
  expect(text.includes("If your entityId is null")).toBe(who.isConnected === false);
  expect(/^market: \{"id":"(\w+)"/m.exec(text)?.[1]).toBe(
    who.isConnected === false ? undefined : given["marketId"] ? "M2" : "M",
  );
});

const forEntity = (entityId: string) => `mkt_get_entity {"entityId":"${entityId}","positions":true}`;
const changes = (search: string) => `mkt_get_audit_log {"moduleType":"CREDIT","search":"${search}","startTime":"-7d"}`;
const ofPair = (entityId: string, counterpartyId: string) =>
  `mkt_get_extended_credit ${JSON.stringify({ entityId, counterpartyId })}`;

test.each<[Record<string, string>, Who, string, string[]]>([
  [{}, {}, 'entity "A":', [
    forEntity("A"),
    'mkt_get_credit_status {"entityId":"A"}',
    'mkt_list_credit_limit_configs {"entityId":"A"}',
    ofPair("A", "<counterpartyId of mkt_get_credit_status>"),
    changes("A"),
  ]],
  [{ counterpartyId: "be" }, {}, 'entity "A" towards "B":', [
    forEntity("A"),
    ofPair("A", "B"),
    ofPair("B", "A"),
    changes("B"),
  ]],
  [{ entityId: "B" }, { permissions: ["Scope.Global"] }, 'entity "B":', [
    forEntity("B"),
    'mkt_get_credit_status {"entityId":"B"}',
    'mkt_list_credit_limit_configs {"entityId":"B"}',
    ofPair("B", "<counterpartyId of mkt_get_credit_status>"),
    changes("B"),
  ]],
  [{ counterpartyId: "X" }, { isConnected: false }, 'entity "<your entityId>" towards "X":', [
    forEntity("<your entityId>"),
    ofPair("<your entityId>", "X"),
    ofPair("X", "<your entityId>"),
    changes("X"),
  ]],
])("a credit review with %j makes these calls", async (given, who, task, expected) => {
  expect(await callsOf(creditReview, given, who)).toEqual(expected);
  const text = await textOf(creditReview, given, who);
  expect(text).toContain(`Review the credit of ${task}`);
  expect(text).toContain("at least 80 % used");
});

test("a review offers every counterparty but the reviewed entity, which is the one typed, or else the own one", async () => {
  const base = pubsubThatIs("connected", ["Scope.Global"]);
  const pubsub = { ...base, session: { ...base.session!, entityId: "A" } };
  const context = contextWith(servicesWith({ pubsub, snapshot }));
  const complete = creditReview.arguments!["counterpartyId"]!.complete!;
  expect(await complete("", context, {})).toEqual(["B"]);
  expect(await complete("", context, { entityId: " " })).toEqual(["B"]);
  expect(await complete("", context, { entityId: "Beta" })).toEqual(["A"]);
});
