// The messages between `mkt simulate --agent` and an agent outside the process: JSON, one message a line
// (docs/outside-agents.md). The schemas also give docs/outside-agents.schema.json and the tables of that document.
//
// Units are those of the engine's protocol: prices in integer cents/MWh, quantities in MW, money in dollars, times as ISO 8601
// in market time. A reader must accept fields that it does not know.

// Gives the faults of schemas their words.
import "../../../common/schema-fault.ts";
import { z } from "zod";
import { oneLine } from "../../../common/command-line.ts";
import { MAX_ID_LENGTH } from "../../../protocol/limits.ts";
import { DAY_MS } from "../../../protocol/time-units.ts";

export const AGENT_PROTOCOL = 1;
/** Characters of one line. */
export const MAX_LINE_LENGTH = 1_048_576;
export const MAX_ACTIONS = 1_000;
const MAX_DEPTH = 50;
/** Newest public trades in one observation. */
export const MAX_TRADES = 1_000;
const MAX_WAKE_MS = DAY_MS;

const id = z.string().min(1).max(MAX_ID_LENGTH);
const ids = z.array(id).max(1_000);
const time = z.iso.datetime().describe("Market time");
const side = z.enum(["BUY", "SELL"]);
const price = z.int().describe("cents/MWh");
const quantity = z.number().positive().describe("MW");
const wakeMs = z.int().min(1).max(MAX_WAKE_MS);

export const hello = z.strictObject({
  type: z.literal("hello"),
  protocol: z.literal(AGENT_PROTOCOL).describe("Version of these messages"),
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "must be lower case letters, digits and dashes").describe(
    "Its id in report and tape is `agent-` and this; unique in a run",
  ),
  entityId: id.optional().describe(
    "Company that it trades for; absent: one without simulated traders, if there is any",
  ),
  products: ids.optional().describe("Watches the contracts of these products"),
  contracts: ids.optional().describe("Watches these contracts; without `products` and `contracts`: all"),
  depth: z.int().min(0).max(MAX_DEPTH).default(5).describe("Levels of each side in `books`"),
  wakeMs: wakeMs.default(300_000).describe("Market time to the next observation if `next` does not say"),
});

const submit = z.strictObject({
  kind: z.literal("submit"),
  contractId: id,
  side,
  price: price.describe("Limit, cents/MWh: a multiple of the contract's tick"),
  quantity: quantity.describe("MW: a multiple of the contract's lot"),
});

const modify = z.strictObject({
  kind: z.literal("modify"),
  orderId: id,
  price: price.optional().describe("Absent: unchanged"),
  quantity: quantity.optional().describe("New ordered quantity with what is filled, MW; absent: unchanged"),
});

const cancel = z.strictObject({ kind: z.literal("cancel"), orderId: id });

/** By name. */
export const ACTIONS = { submit, modify, cancel } as const;
export const action = z.discriminatedUnion("kind", [submit, modify, cancel]);

const act = z.strictObject({
  type: z.literal("act"),
  actions: z.array(action).max(MAX_ACTIONS).describe("Carried out in this order, now"),
});

const next = z.strictObject({
  type: z.literal("next"),
  inMs: wakeMs.optional().describe("Wake me after this market time at the latest; absent: hello's `wakeMs`"),
  fill: z.boolean().default(false).describe("Wake me at a fill of mine"),
  trade: ids.default([]).describe("Wake me at a trade in one of these contracts, if I watch it"),
  quote: ids.default([]).describe("Wake me if an order arrives or changes in one of these contracts, if I watch it"),
});

const leave = z.strictObject({ type: z.literal("leave") }).describe(
  "Its orders are cancelled, and the run goes on without it",
);

/** Each action is read alone, so that a wrong one is refused and the others are carried out. */
export const agentMessage = z.discriminatedUnion("type", [
  act.extend({ actions: z.array(z.unknown()).max(MAX_ACTIONS) }),
  next,
  leave,
]);

const contract = z.looseObject({
  contractId: id,
  productId: id,
  node: id,
  type: z.string().describe("Delivery period: hour, base, peak, weekend, week, month, quarter, year"),
  shape: z.enum(["base", "peak"]).describe("peak: only some of the hours are delivered"),
  deliveryStart: time.describe("Trading ends then"),
  deliveryEnd: time,
  hours: z.number().describe("Hours of delivery; 1 MW is this many MWh"),
  lot: z.number().describe("MW"),
  tick: price,
  minimumPrice: price,
  maximumPrice: price,
});

const welcome = z.looseObject({
  type: z.literal("welcome"),
  protocol: z.literal(AGENT_PROTOCOL),
  agentId: id.describe("Its id in report and tape"),
  entityId: id,
  userId: id,
  runId: id.describe("Another one for each run; it tells nothing of the seed"),
  start: time.describe("Start of the run"),
  end: time.nullable().describe("End of the run; null if it ends after a number of steps"),
  steps: z.int().nullable().describe("Steps of the run; null if it ends at a time"),
  nodes: z.array(id),
  limits: z.looseObject({
    workingOrders: z.int().describe("Open orders"),
    orderLots: z.int().describe("Lots of an order"),
    contractPositionMw: z.number().describe("Long or short in a contract, as if all open orders of a side were filled"),
    totalPositionMw: z.number().describe("The same over all contracts, long and short added up"),
    actionsPerWake: z.int().describe("Actions between two `next`"),
  }),
  contracts: z.array(contract).describe("Contracts of the market that it watches"),
});

const order = z.looseObject({
  orderId: id,
  contractId: id,
  side,
  price,
  quantity: quantity.describe("As ordered, MW"),
  remainingQuantity: z.number().describe("MW"),
});

const fill = z.looseObject({ time, orderId: id, contractId: id, side, price, quantity });

const level = z.looseObject({ price, quantity, orders: z.int() });

const observe = z.looseObject({
  type: z.literal("observe"),
  time,
  reason: z.enum(["start", "time", "fill", "trade", "quote"]).describe("Why it is woken"),
  cash: z.number().describe("Received less paid, dollars"),
  profitAndLoss: z.number().describe("Cash and positions at their marks, dollars"),
  positions: z.array(z.looseObject({
    contractId: id,
    position: z.number().describe("Bought less sold, MW"),
    averagePrice: z.number().describe("Mean entry price, cents/MWh"),
  })).describe("Positions other than 0 that are not settled"),
  orders: z.array(order).describe("Its open orders"),
  fills: z.array(fill).describe("Its fills since its last message of type `next`"),
  closed: z.array(id).describe("Its orders since then that ended unfilled without its cancel: delivery has begun"),
  books: z.array(z.looseObject({
    contractId: id,
    isOpen: z.boolean().describe("False: orders are refused now"),
    lastPrice: price.nullable(),
    forecast: z.number().describe("Its own forecast of the value at delivery, cents/MWh"),
    bids: z.array(level).describe("Best first"),
    asks: z.array(level).describe("Best first"),
  })).describe("Contracts that it watches and that can be traded"),
  trades: z.array(z.looseObject({ time, contractId: id, price, quantity, aggressorSide: side })).describe(
    `Trades since then in contracts that it watches, its own included; the newest ${MAX_TRADES}`,
  ),
  missedTrades: z.int().describe("Trades left out of `trades`"),
  spot: z.array(z.looseObject({ node: id, price, regime: z.enum(["base", "spike", "drop"]) })),
  events: z.array(z.looseObject({
    type: z.string(),
    node: id.nullable().describe("null: both"),
    size: z.number(),
    since: time,
  })).describe("Events that act now, as they are known"),
  listed: z.array(contract).describe("Contracts that it watches, listed since then"),
  delivered: z.array(id).describe("Contracts that it watches whose delivery has begun since then"),
});

const answer = z.looseObject({
  type: z.literal("answer"),
  results: z.array(z.union([
    z.looseObject({
      accepted: z.literal(true),
      orderId: id,
      remainingQuantity: z.number().describe("MW still open"),
      trades: z.array(z.looseObject({ price, quantity })).describe("Trades that the action caused"),
    }),
    z.looseObject({
      accepted: z.literal(false),
      code: z.string(),
      message: z.string(),
    }),
  ])).describe("One for each action, in order"),
});

const end = z.looseObject({
  type: z.literal("end"),
  time,
  reason: z.enum(["finished", "left"]),
  report: z.looseObject({}).describe("The agent, as in `personas` of `mkt simulate --format json`"),
});

const error = z.looseObject({
  type: z.literal("error"),
  code: z.enum(["invalid_message", "not_possible", "failed"]),
  message: z.string(),
}).describe("The connection ends");

/** By name, with who sends it. */
export const AGENT_MESSAGES = {
  hello: { from: "agent", schema: hello },
  welcome: { from: "mkt", schema: welcome },
  observe: { from: "mkt", schema: observe },
  act: { from: "agent", schema: act },
  answer: { from: "mkt", schema: answer },
  next: { from: "agent", schema: next },
  leave: { from: "agent", schema: leave },
  end: { from: "mkt", schema: end },
  error: { from: "mkt", schema: error },
} as const;

export type Hello = z.output<typeof hello>;
export type AgentMessage = z.output<typeof agentMessage>;
export type Action = z.output<typeof action>;
export type Next = z.output<typeof next>;
export type Welcome = z.output<typeof welcome>;
export type Observe = z.output<typeof observe>;
export type ContractTerms = z.output<typeof contract>;
export type Answer = z.output<typeof answer>;
export type ActionResult = Answer["results"][number];
export type End = z.output<typeof end>;
export type ErrorMessage = z.output<typeof error>;
export type MktMessage = Welcome | Observe | Answer | End | ErrorMessage;

/** An agent has ended its connection, sent something invalid, or stayed silent for too long: the run can't go on. */
export class AgentFailure extends Error {}

/** What is wrong with a message, on one line. */
export function messageFaults({ issues }: z.ZodError): string {
  return oneLine(issues.map(({ path, message }) => `${path.join(".") || "message"}: ${message}`).join("; "));
}
