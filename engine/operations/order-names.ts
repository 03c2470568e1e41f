// The texts that the records of answers name by numbers: users, entities, and contracts with their product.
//
// A contract's texts are kept for as long as a record of the last 24 hours may name them, so its state need not be kept for
// that. Users and entities are those of the definition, so there is no need to forget them.

import { DAY_MS } from "../../protocol/time-units.ts";
import type { ContractState } from "../state/market-state.ts";
import type { EntityState, UserState } from "../state/party-state.ts";

/** What the module of an order shows of its contract. */
interface ContractNames {
  readonly id: string;
  readonly bookId: string;
  readonly product: { readonly code: string; readonly marketId: string };
}

interface NamedContract {
  readonly names: ContractNames;
  /** When a record last named it, in milliseconds since the epoch. */
  usedAt: number;
}

/** Texts by number, and each contract: its serial, `usedAt`, and its names. */
export interface SavedNames {
  readonly texts: readonly string[];
  readonly contracts: readonly (readonly [
    serial: number,
    usedAt: number,
    id: string,
    bookId: string,
    productCode: string,
    marketId: string,
  ])[];
}

/** Contracts that are not used any more are looked for when there are twice as many as after the last search, and some. */
const LEAST_CONTRACTS = 64;

export class OrderNames {
  readonly #texts: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** By serial. */
  readonly #contracts = new Map<number, NamedContract>();
  #mostContracts = LEAST_CONTRACTS;

  readonly #ofEntities: number[] = [];
  readonly #ofUsers: number[] = [];

  numberOfEntity({ party, definition }: Pick<EntityState, "party" | "definition">): number {
    return this.#ofEntities[party] ??= this.numberOf(definition.id);
  }

  numberOfUser({ number, id }: Pick<UserState, "number" | "id">): number {
    return this.#ofUsers[number] ??= this.numberOf(id);
  }

  /** The number of a user's or an entity's id. */
  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.push(text) - 1;
    this.#numbers.set(text, number);
    return number;
  }

  textOf(number: number): string {
    return found(this.#texts[number]);
  }

  useContract({ serial, id, bookId, product }: ContractState, now: number): void {
    const known = this.#contracts.get(serial);
    if (known !== undefined) {
      known.usedAt = now;
      return;
    }
    if (this.#contracts.size >= this.#mostContracts) this.#forgetUnused(now);
    const names = { id, bookId, product: { code: product.code, marketId: product.marketId } };
    this.#contracts.set(serial, { names, usedAt: now });
  }

  contractOf(serial: number): ContractNames {
    return found(this.#contracts.get(serial)).names;
  }

  save(): SavedNames {
    const contracts = [...this.#contracts].map(([serial, { names: { id, bookId, product }, usedAt }]) =>
      [serial, usedAt, id, bookId, product.code, product.marketId] as const
    );
    return { texts: [...this.#texts], contracts };
  }

  restore({ texts, contracts }: SavedNames): void {
    for (const text of texts) this.numberOf(text);
    for (const [serial, usedAt, id, bookId, code, marketId] of contracts) {
      this.#contracts.set(serial, { names: { id, bookId, product: { code, marketId } }, usedAt });
    }
  }

  #forgetUnused(now: number): void {
    for (const [serial, { usedAt }] of this.#contracts) if (isPast(usedAt, now)) this.#contracts.delete(serial);
    this.#mostContracts = 2 * this.#contracts.size + LEAST_CONTRACTS;
  }
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("broken invariant: a record names only what is kept");
  return value;
}

/** Whether an operation that was answered at `time` is no longer kept. Both are milliseconds since the epoch. */
export function isPast(time: number, now: number): boolean {
  return now - time >= DAY_MS;
}
