// What happens in an operating scenario, by kind. Each kind leaves facts, which are the hidden truth of the episode: the answer
// is scored against them. Who, where and when it is that the terms don't say, the seed decides.

import { z } from "zod";

/** How the value of a fact, or of a field of an answer, is written. */
export const FACT_TYPES = ["id", "ids", "choice", "number"] as const;
type FactType = (typeof FACT_TYPES)[number];

/** `Amount`: a number, or what stands for one. */
export function incidentWith<Amount extends z.ZodType<number | string>>(amount: Amount) {
  const product = z.string().describe("Id of the product");
  const blockedOrder = z.strictObject({
    kind: z.literal("blocked-order").describe(
      "An order of the agent's user crosses an order of another company and does not trade: documents or credit are missing",
    ),
    product,
    counterparty: z.string().describe("Id of the other company, which no persona trades for"),
    megawatts: amount.describe("Of both orders"),
    limitDollars: amount.describe("The notional limit that mends it, if credit is missing"),
  });
  const priceMove = z.strictObject({
    kind: z.literal("price-move").describe(
      "Somebody moves the price of a contract by a few orders, before the beginning",
    ),
    products: z.array(z.string()).min(1).describe("Ids of the products, of which one contract is moved"),
    withinMinutes: z.int().min(3).max(600).describe("Before the beginning of the episode"),
    percent: amount.describe("Of the price, by which it moves"),
  });
  const marketIncident = z.strictObject({
    kind: z.literal("market-incident").describe(
      "Before the beginning, a company sets a credit limit to 0, and operators halt the market, flush a book and resume it",
    ),
    product,
    withinMinutes: z.int().min(15).max(600).describe("Before the beginning of the episode"),
  });
  const runawayTrader = z.strictObject({
    kind: z.literal("runaway-trader").describe(
      "Somebody sends orders far from the market all the time, until all of them have been cancelled",
    ),
    products: z.array(z.string()).min(1).describe("Ids of the products, of which one contract gets the orders"),
    everySeconds: amount.describe("Between two orders"),
    sinceMinutes: z.int().min(1).max(600).describe("Before the beginning of the episode"),
  });
  const lostAnswer = z.strictObject({
    kind: z.literal("lost-answer").describe(
      "The agent gets no answer to its first orders, of which each may have been accepted or not",
    ),
    most: z.int().min(1).max(5).describe("How many answers may be lost"),
  });
  const report = z.strictObject({
    kind: z.literal("report").describe(
      "Somebody has placed large orders before the beginning and withdrawn each at once: the accused, or somebody else",
    ),
    accused: z.string().describe("Id of the user, whom no persona trades as"),
    product,
    megawatts: amount.describe("Of each order"),
    count: amount.describe("Of the orders that were withdrawn"),
    withinMinutes: z.int().min(3).max(600).describe("Before the beginning of the episode"),
  });
  return z.discriminatedUnion("kind", [blockedOrder, priceMove, marketIncident, runawayTrader, lostAnswer, report]);
}

const incident = incidentWith(z.number());
export type Incident = z.output<typeof incident>;
export type IncidentKind = Incident["kind"];
export type IncidentOf<Kind extends IncidentKind> = Extract<Incident, { readonly kind: Kind }>;

/** The facts that each kind leaves. A fact may be missing, if it did not happen. */
export const FACTS = {
  "blocked-order": { order: "id", offer: "id", obstacle: "choice" },
  "price-move": { contract: "id", trader: "id", orders: "ids" },
  "market-incident": {
    creditUser: "id",
    counterparty: "id",
    haltUser: "id",
    flushUser: "id",
    resumeUser: "id",
    contract: "id",
    ordersEnded: "number",
    haltMinutes: "number",
    users: "ids",
  },
  "runaway-trader": { trader: "id" },
  "lost-answer": { tookEffect: "choice" },
  // `guilty` is the accused, and is missing if the report is false.
  "report": { verdict: "choice", offender: "id", orders: "ids", guilty: "id" },
} as const satisfies { readonly [Kind in IncidentKind]: Readonly<Record<string, FactType>> };

/** The types of all facts of some incidents, by name. */
export function factsOf(incidents: readonly Pick<Incident, "kind">[]): ReadonlyMap<string, FactType> {
  return new Map(incidents.flatMap(({ kind }) => Object.entries(FACTS[kind])));
}
