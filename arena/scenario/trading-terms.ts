// What a trading scenario asks for, besides its words: what may be traded, what is held, what must be held at the end, and the
// plant or battery behind it. The score follows from these terms alone.
//
// A position is in MW, in each contract of the products that is listed at the beginning. What is delivered otherwise than
// agreed is an imbalance: it settles at spot, and costs the fee.

import { z } from "zod";

/** Of a drawn amount, in texts and in terms: {name}. */
export const PLACEHOLDER = /\{(\w+)\}/g;

/** `Amount`: a number, or what stands for one. */
function termsWith<Amount extends z.ZodType<number | string>>(amount: Amount) {
  const plant = z.strictObject({
    kind: z.literal("plant"),
    megawatts: amount.describe("Its capacity, MW"),
    costPerMwh: amount.describe("Of generation, dollars/MWh"),
    rampMw: amount.describe(
      "By how much its output may change from one delivery to the next, MW; before the first it is 0",
    ),
  });
  const battery = z.strictObject({
    kind: z.literal("battery"),
    megawatts: amount.describe("The most that it charges or discharges, MW"),
    hours: z.number().positive().describe(
      "For how long it can discharge that when it is full; it is empty at the beginning",
    ),
    efficiency: z.number().gt(0).max(1).describe("Share of what is charged that can be discharged again"),
  });
  return z.strictObject({
    products: z.array(z.string()).min(1).describe("Ids of the products that the agent may trade"),
    position: z.union([amount, z.literal(0)]).default(0).describe(
      "MW held in each contract at the beginning, bought at the forecast then; negative: sold",
    ),
    least: amount.describe("The least net position allowed in a contract, MW; negative: sold"),
    most: amount.describe("The greatest net position allowed in a contract, MW"),
    side: z.enum(["buy", "sell"]).nullable().default(null).describe(
      "The only side that the agent may trade on; null: both",
    ),
    duty: amount.nullable().default(null).describe("Net position needed at the end in each contract, MW; null: any"),
    imbalanceFee: z.union([amount, z.literal(0)]).default(0).describe(
      "For each MWh that is held beyond the duty, or missing, or that the plant or battery does not deliver, dollars",
    ),
    asset: z.discriminatedUnion("kind", [plant, battery]).nullable().default(null).describe(
      "What generates and stores; it runs at the end in the best way for what was traded and for spot prices",
    ),
    floor: z.number().positive().describe("Dollars: the least difference that a score of 1 stands for"),
  });
}

export const tradingTerms = termsWith(z.number());
export type TradingTerms = z.output<typeof tradingTerms>;
export type Asset = NonNullable<TradingTerms["asset"]>;

const drawnAmount = z.string().regex(/^-?\{\w+\}$/, "is neither a number nor {name} nor -{name}");

/** As a scenario's file has them: "{name}" stands for a drawn amount, and "-{name}" for the same below 0. */
export const drawnTerms = termsWith(z.union([z.number(), drawnAmount]));
type DrawnTerms = z.output<typeof drawnTerms>;

type Drawn = Readonly<Record<string, number | string>>;

/** The terms with what was drawn in its places. Throws ZodError if a text is in place of a number. */
export function tradingTermsWith(terms: DrawnTerms, drawn: Drawn): TradingTerms {
  return tradingTerms.parse(drawnInto(terms, drawn));
}

/** The JSON with what was drawn for each {name} and -{name}, also within a text. */
export function drawnInto(json: unknown, drawn: Drawn): unknown {
  const valueOf = (sign: string, name: string) => {
    const value = drawn[name];
    return typeof value === "number" ? `${sign}${value}` : JSON.stringify(`${sign}${value}`);
  };
  const text = JSON.stringify(json)
    .replaceAll(/"(-?)\{(\w+)\}"/g, (_, sign: string, name: string) => valueOf(sign, name))
    .replaceAll(PLACEHOLDER, (_, name: string) => String(drawn[name]));
  return JSON.parse(text);
}
