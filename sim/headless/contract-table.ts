// The contracts of a headless run: each as personas see it, with its state on the exchange.

import type { ReadonlyContract } from "../../engine/embedded/read-only.ts";
import { BUY, SELL } from "../../engine/market/order-book.ts";
import type { ContractBook } from "../personas/persona.ts";
import { type TradedContract, tradedContract } from "../personas/traded-contract.ts";

interface Entry {
  readonly contract: TradedContract;
  readonly state: ReadonlyContract;
}

export class ContractTable {
  /** In the order of listing. */
  readonly #bySerial = new Map<number, Entry>();
  readonly #byId = new Map<string, TradedContract>();

  get contracts(): TradedContract[] {
    return [...this.#bySerial.values()].map(({ contract }) => contract);
  }

  add(state: ReadonlyContract): TradedContract {
    const contract = tradedContract(state.serial, state.definition, state.product);
    this.#bySerial.set(contract.index, { contract, state });
    this.#byId.set(contract.id, contract);
    return contract;
  }

  remove({ index, id }: TradedContract): void {
    this.#bySerial.delete(index);
    this.#byId.delete(id);
  }

  withId(id: string): TradedContract {
    const contract = this.#byId.get(id);
    if (contract === undefined) throw new Error(`no contract ${id}`);
    return contract;
  }

  contractOf({ serial, id }: ReadonlyContract): TradedContract {
    return this.#entry(serial, id).contract;
  }

  stateOf({ index, id }: TradedContract): ReadonlyContract {
    return this.#entry(index, id).state;
  }

  book(contract: TradedContract): ContractBook {
    const { book, lastPrice } = this.stateOf(contract);
    return { bestBid: book.bestPrice(BUY), bestAsk: book.bestPrice(SELL), lastPrice };
  }

  #entry(serial: number, id: string): Entry {
    const entry = this.#bySerial.get(serial);
    if (entry === undefined) throw new Error(`no contract ${id}`);
    return entry;
  }
}
