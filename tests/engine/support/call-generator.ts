// Draws calls of an engine, of all kinds, from a seed: requests that are accepted, rejected, repeated or malformed, time
// that passes, connections. Ids and texts contain everything that JSON escapes.

import { type MarketDefinition, marketDefinition } from "../../../engine/definition/market-definition.ts";
import type { Engine } from "../../../engine/engine.ts";
import type { EngineRequest, Execution } from "../../../engine/api/market-engine.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { scheduledMarket, SECRET, START, USERS } from "./market.ts";

const MINUTE = 60_000;
/** A quote, a backslash, control characters, an umlaut, a lone surrogate, a pair of surrogates, a line separator. */
const ODD = '"\\\u0000\n\u001f\u007fü\ud800 \ud83d\ude00\u2028';

/** In the small market: names that must be escaped. */
const RENAMED: Readonly<Record<string, string>> = {
  "N-H12": `N-H12${ODD}`,
  "N-HOUR": `N"HOUR`,
  "S-PEAK": `S\\PEAK`,
  M1: `M\t1`,
  BETA: `BETA${ODD}`,
  GAMMA: "GAM\nMA",
  [USERS.beta]: `user-beta${ODD}`,
};
const nameOf = (name: string) => RENAMED[name] ?? name;
const CONTRACTS = ["N-H12", "S-PK"].map(nameOf);
const ENTITIES = ["ALPHA", "BETA", "GAMMA"].map(nameOf);
const TRADERS = [USERS.alpha, USERS.beta, USERS.gamma, USERS.alphaSecond, USERS.blind].map(nameOf);
const EVERYONE = [...TRADERS, USERS.operator, USERS.viewer, USERS.stranger, USERS.publisher, "nobody"];

/** The small market with a break at midnight, little credit, listed hours, and odd names. */
export function oddMarket(): MarketDefinition {
  const schedule = { days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], preopen: "00:05", open: "00:10" };
  const definition = scheduledMarket({ ...schedule, close: "23:55" });
  const [hour, ...products] = definition.products;
  const market = marketDefinition.parse({
    ...definition,
    markets: definition.markets.map((one) => ({ ...one, keepDeliveredHours: 2 })),
    products: [{ ...hour, listing: { ahead: 1 } }, ...products],
    creditDefaults: {
      limits: [
        { limitType: "notional", scope: "total", limit: 4_000, marginPercent: 87.5 },
        { limitType: "mw", scope: "per_contract", contractId: "S-PK", limit: 40.5, marginPercent: 100 },
        { limitType: "mwh", scope: "total", limit: 0.1 + 2e9, marginPercent: 100 },
      ],
      documentation: "docs_in_place",
    },
  });
  return JSON.parse(JSON.stringify(market), (_, value: unknown) => typeof value === "string" ? nameOf(value) : value);
}

type Call = (engine: Engine) => Execution;

export class CallGenerator {
  readonly #random: SeededRandom;
  #now = START;
  #count = 0;
  #orders = 0;
  #last: EngineRequest | null = null;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  get now(): number {
    return this.#now;
  }

  /** Learns how many orders there are. */
  took({ response }: Execution): void {
    const order = /"id":"ORD-(\d+)"/.exec(response?.order ?? "");
    this.#orders = Math.max(this.#orders, Number(order?.[1] ?? 0));
  }

  next(): Call {
    this.#count += 1;
    this.#now += this.#chance(0.5) ? 0 : this.#integer(1, 5_000);
    const kind = this.#random.next();
    if (kind < 0.03) this.#now += this.#integer(1, 300) * MINUTE;
    const now = this.#now;
    if (kind < 0.03) return (engine) => engine.advance(now);
    if (kind < 0.05) {
      const [userId, connected] = [this.#pick(EVERYONE.slice(0, -1)), this.#chance(0.5)];
      return (engine) => engine.setConnected(userId, connected, now);
    }
    if (kind < 0.07) {
      const orderIds = Array.from({ length: 3 }, () => this.#orderId());
      return (engine) => engine.cancelDisconnected(orderIds, now);
    }
    const repeats = kind < 0.09 && this.#last !== null;
    const request = repeats ? this.#last! : this.#last = this.#request();
    return (engine) => engine.execute(structuredClone(request), now);
  }

  #request(): EngineRequest {
    const [action, payload, userId] = this.#action();
    const operationId = this.#chance(0.2) ? `op-${this.#count}${ODD}` : `op-${this.#count}`;
    const validUntil = this.#chance(0.02) ? new Date(this.#now - 1).toISOString() : undefined;
    return { userId: userId ?? this.#pick(EVERYONE), operationId, action, payload, validUntil };
  }

  /** An action, its payload, and the user who usually may send it. */
  #action(): [action: string, payload: unknown, userId?: string] {
    const kind = this.#random.next();
    const user = this.#chance(0.03) ? undefined : this.#pick(TRADERS);
    const operator = this.#chance(0.1) ? undefined : USERS.operator;
    if (kind < 0.5) return ["order.submit", this.#submission(), user];
    if (kind < 0.65) return ["order.modify", { orderId: this.#orderId(), ...this.#changedTerms() }, user];
    if (kind < 0.78) return ["order.cancel", { orderId: this.#orderId() }, this.#chance(0.5) ? user : operator];
    if (kind < 0.84) return this.#limit();
    if (kind < 0.9) return this.#documentation();
    if (kind < 0.92) return ["market.halt", this.#chance(0.5) ? {} : { reason: `for ${ODD}` }, operator];
    if (kind < 0.95) return ["market.resume", this.#chance(0.5) ? {} : { marketId: nameOf("M1") }, operator];
    if (kind < 0.96) {
      return ["engine.flush", { engineId: `ENG-${this.#pick(CONTRACTS)}`, preview: this.#chance(0.5) }, operator];
    }
    if (kind < 0.965) return ["market.flush", { preview: this.#chance(0.5) }, operator];
    if (kind < 0.97) return ["dev.reset", { secret: SECRET, creditLimit: this.#integer(1, 5_000) }];
    if (kind < 0.985) return ["spot.publish", { prices: [this.#spotPrice(), this.#spotPrice()] }, USERS.publisher];
    return this.#pick<[string, unknown]>([
      ["order.submit", { contractId: 5 }],
      ["order.submit", { ...this.#submission(), further: 1 }],
      ["no.action", {}],
      ["order.cancel", null],
    ]);
  }

  #submission() {
    const [isPeak, isLarge] = [this.#chance(0.3), this.#chance(0.02)];
    return {
      contractId: this.#chance(0.02) ? "NOWHERE" : isPeak ? "S-PK" : nameOf("N-H12"),
      side: this.#integer(0, 1),
      price: isLarge ? 500_000 : isPeak ? this.#integer(-2, 12) * 5 : this.#integer(-3, 15),
      quantity: isLarge
        ? 1_000_000
        : this.#integer(1, 24) / (isPeak && this.#chance(0.95) ? 2 : this.#chance(0.97) ? 1 : 8),
      ...(this.#chance(0.5) && { timeInForce: this.#pick(["day", "gtc"]) }),
      ...(this.#chance(0.3) && { clientOrderId: `client ${this.#count % 7}${ODD}` }),
      ...(this.#chance(0.1) && { bounds: { maxNotional: this.#integer(0, 50), maxOpenOrders: this.#integer(1, 60) } }),
    };
  }

  #changedTerms() {
    return {
      ...(this.#chance(0.6) && { price: this.#integer(-3, 15) * (this.#chance(0.5) ? 1 : 5) }),
      ...(this.#chance(0.6) && { quantity: this.#integer(1, 24) }),
    };
  }

  #pair() {
    const at = this.#integer(0, 2);
    const further = this.#chance(0.05) ? 0 : this.#integer(1, 2);
    return { entityId: ENTITIES[at], counterpartyId: ENTITIES[(at + further) % 3], userId: TRADERS[at] };
  }

  #limit(): [string, unknown, string | undefined] {
    const { userId, ...pair } = this.#pair();
    const contractId = this.#chance(0.4) ? this.#pick(CONTRACTS) : undefined;
    const limit = this.#pick([0, 0.125, 12.5, 60, 4_000, 1e9, 123_456.789]);
    const limitType = this.#pick(["notional", "mw", "mwh"]);
    const scope = contractId === undefined ? "total" : "per_contract";
    const margin = this.#chance(0.5) ? {} : { marginPercent: this.#pick([0, 12.5, 33.3, 100]) };
    return [
      "credit.setLimit",
      { ...pair, limitType, scope, ...(contractId && { contractId }), limit, ...margin },
      userId,
    ];
  }

  #documentation(): [string, unknown, string | undefined] {
    const { userId, ...pair } = this.#pair();
    const status = this.#pick(["docs_in_place", "docs_in_place", "docs_in_place", "no_docs", "pending"]);
    return [
      "credit.setDocumentation",
      { ...pair, status, ...(this.#chance(0.5) && { notes: `notes ${ODD}` }) },
      userId,
    ];
  }

  #spotPrice() {
    const time = new Date(this.#now).toISOString();
    return { node: this.#pick(["NORTH", "SOUTH"]), price: this.#integer(-100, 900), regime: "base", time };
  }

  /** Mostly a recent one. */
  #orderId(): string {
    return `ORD-${this.#chance(0.1) ? this.#integer(0, this.#orders + 2) : this.#orders - this.#integer(0, 12)}`;
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#integer(0, values.length - 1)]!;
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }

  #integer(least: number, most: number): number {
    return this.#random.integer(least, most);
  }
}
