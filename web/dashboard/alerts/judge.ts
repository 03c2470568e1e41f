// Judges the market by a person's conditions: pure, one object for one person. Every value goes in, an alert comes out when it
// is due. Values that come again, or tremble at their limit, give none.

import type { ContractRow, Market } from "../../contract/market.ts";
import type { CreditPair } from "../../contract/credit.ts";
import { type Condition, keyOf } from "./conditions.ts";
import { backOfPrice, Crossing, type Limit } from "./crossing.ts";
import {
  CONNECTION_WORDS,
  creditWords,
  fillWords,
  haltWords,
  levelWords,
  type OwnFill,
  type Words,
} from "./alert-words.ts";

/** Percentage points. */
const CREDIT_BACK = 2;
/** Something is (1) or is not (0). */
const BECOMES_TRUE: Limit = { side: "above", limit: 1, back: 1 };

export class Judge {
  #conditions: readonly Condition[] = [];
  /** By condition, and by what else it is about. */
  readonly #crossings = new Map<string, Crossing>();

  constructor(readonly nameOf: (contractId: string) => string) {}

  /** Conditions that stay go on from where they are. */
  judgeBy(conditions: readonly Condition[]): void {
    if (conditions === this.#conditions) return;
    this.#conditions = conditions;
    const keys = conditions.map(keyOf);
    for (const key of this.#crossings.keys()) {
      if (!keys.some((kept) => key.startsWith(kept))) this.#crossings.delete(key);
    }
  }

  wants(kind: Condition["kind"]): boolean {
    return this.#conditions.some((condition) => condition.kind === kind);
  }

  contracts(rows: ReadonlyMap<string, ContractRow>): Words[] {
    return this.#conditions.flatMap((condition) => {
      if (condition.kind !== "price" && condition.kind !== "spread") return [];
      const row = rows.get(condition.contractId);
      const value = row === undefined ? null : valueOf(condition, row);
      const { side, limit } = condition;
      const isReached = this.#crossing(condition, "", { side, limit, back: backOfPrice(limit) }).reaches(value);
      return isReached ? [levelWords(condition, value!, this.nameOf)] : [];
    });
  }

  /** `entityId`: the own entity, with whose pairs it is about; null: all pairs that are seen. */
  credit(pairs: readonly CreditPair[], entityId: string | null): Words[] {
    const own = pairs.filter((pair) =>
      entityId === null || pair.entityId === entityId || pair.counterpartyId === entityId
    );
    return this.#conditions.flatMap((condition) => {
      if (condition.kind !== "credit") return [];
      const { limit } = condition;
      return own.flatMap((pair) => {
        const used = usedPercent(pair);
        const subject = `${pair.entityId} ${pair.counterpartyId}`;
        const crossing = this.#crossing(condition, subject, { side: "above", limit, back: CREDIT_BACK });
        return crossing.reaches(used) ? [creditWords(pair, used!)] : [];
      });
    });
  }

  markets(markets: readonly Market[]): Words[] {
    return this.#conditions.flatMap((condition) =>
      condition.kind !== "halt" ? [] : markets.flatMap((market) => {
        const isReached = this.#crossing(condition, market.id, BECOMES_TRUE).reaches(Number(market.halted));
        return isReached ? [haltWords(market)] : [];
      })
    );
  }

  /** `isAway` null: it can't be said yet. */
  connection(isAway: boolean | null): Words[] {
    return this.#conditions.flatMap((condition) => {
      if (condition.kind !== "connection") return [];
      const value = isAway === null ? null : Number(isAway);
      return this.#crossing(condition, "", BECOMES_TRUE).reaches(value) ? [CONNECTION_WORDS] : [];
    });
  }

  /** Of the own entity, which came together. One alert for each contract. */
  fills(fills: readonly OwnFill[]): Words[] {
    if (!this.wants("fill")) return [];
    return [...Map.groupBy(fills, ({ contractId }) => contractId).values()].map((ofOne) =>
      fillWords(ofOne, this.nameOf)
    );
  }

  #crossing(condition: Condition, subject: string, limit: Limit): Crossing {
    const key = `${keyOf(condition)}${subject}`;
    const known = this.#crossings.get(key);
    if (known !== undefined) return known;
    const made = new Crossing(limit);
    this.#crossings.set(key, made);
    return made;
  }
}

function valueOf(condition: Condition & { readonly kind: "price" | "spread" }, row: ContractRow): number | null {
  const { bestBid, bestAsk, lastPrice } = row;
  if (condition.kind === "spread") return bestBid === null || bestAsk === null ? null : bestAsk - bestBid;
  return condition.of === "bid" ? bestBid : condition.of === "ask" ? bestAsk : lastPrice;
}

/** Of the limit that is used most; null if there is none, or if it is 0. */
function usedPercent({ limits: [most] }: CreditPair): number | null {
  return most === undefined || most.limit <= 0 ? null : most.used / most.limit * 100;
}
