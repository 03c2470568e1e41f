// Makes the columns that facts need of the rows of a tape, while a run goes or from its files.
//
// Memory: 24 bytes for a row of quotes, 8 to 16 for one of orders, of the time that is measured, and the ids of the orders
// that were not cancelled.

import type { MarketDefinition } from "../../engine/definition/market-definition.ts";
import type { OrderAction } from "../tape/run-observer.ts";
import type { Cell, TableName, TapeRows } from "../tape/tables.ts";
import { contractsBetween } from "./contracts.ts";
import { marketMinutes } from "./market-minutes.ts";
import type { NameColumn, Tape } from "./recorded-tape.ts";

type Row = readonly Cell[];

export class TapeCollector implements TapeRows {
  readonly #trades = new Map<string, ReturnType<typeof newTradeRows>>();
  readonly #quotes = new Map<string, ReturnType<typeof newQuoteRows>>();
  readonly #messages = new Numbers();
  readonly #counts = { submit: 0, change: 0, cancel: 0 };
  readonly #lifetimes = new Numbers();
  /** When each order was submitted that was not cancelled. */
  readonly #submitted = new Map<Cell, number>();
  readonly #spot = new Map<string, PriceRows>();
  readonly #forecasts = new Map<string, Map<string, PriceRows>>();
  readonly #positions = {
    time: new Numbers(),
    persona: new Names(),
    contractId: new Names(),
    positionMw: new Numbers(),
    cash: new Numbers(),
  };

  /** `until`: rows from this time on are ignored. */
  constructor(private readonly until: number) {}

  append(table: TableName, time: number, row: Row): void {
    if (time >= this.until) return;
    if (table === "orders") this.#order(time, row);
    else if (table === "quotes") this.#quote(time, row);
    else if (table === "trades") this.#trade(time, row);
    else if (table === "spot") ofName(this.#spot, row[1], newPriceRows).add(time, row[2]);
    else if (table === "positions") this.#position(time, row);
    else if (table === "forecasts") {
      const forecasters = ofName(this.#forecasts, row[1], () => new Map<string, PriceRows>());
      ofName(forecasters, row[2], newPriceRows).add(time, row[3]);
    }
  }

  /** `start`, `end`: of the run. */
  tape(definition: MarketDefinition, start: number, end: number): Tape {
    const measuredEnd = Math.min(end, this.until);
    const { time, persona, contractId, positionMw, cash } = this.#positions;
    return {
      definition,
      contracts: contractsBetween(definition, start, measuredEnd),
      minutes: marketMinutes(definition, start, measuredEnd),
      trades: mapped(this.#trades, ({ times, prices, quantities, signs, buyers, sellers }) => ({
        times: times.values(),
        prices: prices.values(),
        quantities: quantities.values(),
        signs: signs.values(),
        buyers,
        sellers,
      })),
      quotes: mapped(this.#quotes, ({ times, bids, asks }) => ({
        times: times.values(),
        bids: bids.values(),
        asks: asks.values(),
      })),
      messageTimes: this.#messages.values(),
      orders: {
        submits: this.#counts.submit,
        changes: this.#counts.change,
        cancels: this.#counts.cancel,
        lifetimes: this.#lifetimes.values(),
      },
      spot: mapped(this.#spot, (rows) => rows.series()),
      forecasts: mapped(this.#forecasts, (forecasters) => mapped(forecasters, (rows) => rows.series())),
      positions: {
        length: time.length,
        time: time.values(),
        persona: persona.column(),
        contractId: contractId.column(),
        positionMw: positionMw.values(),
        cash: cash.values(),
      },
    };
  }

  #order(time: number, [, action, orderId]: Row): void {
    this.#messages.add(time);
    this.#counts[action as OrderAction] += 1;
    if (orderId === undefined || action === "change") return;
    if (action === "submit") this.#submitted.set(orderId, time);
    else {
      this.#lifetimes.add(time - (this.#submitted.get(orderId) ?? NaN));
      this.#submitted.delete(orderId);
    }
  }

  #trade(time: number, [, contractId, price, quantity, side, buyer, seller]: Row): void {
    const rows = ofName(this.#trades, contractId, newTradeRows);
    rows.times.add(time);
    rows.prices.add(numberOf(price));
    rows.quantities.add(numberOf(quantity));
    rows.signs.add(side === "BUY" ? 1 : -1);
    rows.buyers.push(String(buyer));
    rows.sellers.push(String(seller));
  }

  #quote(time: number, [, contractId, bestBid, , bestAsk]: Row): void {
    const rows = ofName(this.#quotes, contractId, newQuoteRows);
    rows.times.add(time);
    rows.bids.add(numberOf(bestBid));
    rows.asks.add(numberOf(bestAsk));
  }

  #position(time: number, [, persona, contractId, positionMw, cash]: Row): void {
    this.#positions.time.add(time);
    this.#positions.persona.add(String(persona ?? ""));
    this.#positions.contractId.add(String(contractId ?? ""));
    this.#positions.positionMw.add(numberOf(positionMw));
    this.#positions.cash.add(numberOf(cash));
  }
}

function newQuoteRows() {
  return { times: new Numbers(), bids: new Numbers(), asks: new Numbers() };
}

function newTradeRows() {
  const [buyers, sellers]: [string[], string[]] = [[], []];
  const [times, prices, quantities, signs] = [new Numbers(), new Numbers(), new Numbers(), new Numbers()];
  return { times, prices, quantities, signs, buyers, sellers };
}

class PriceRows {
  readonly #times = new Numbers();
  readonly #prices = new Numbers();

  add(time: number, price: Cell | undefined): void {
    this.#times.add(time);
    this.#prices.add(numberOf(price));
  }

  series() {
    return { times: this.#times.values(), prices: this.#prices.values() };
  }
}

/** A growing column of numbers. */
class Numbers {
  #values = new Float64Array(64);
  length = 0;

  add(value: number): void {
    if (this.length === this.#values.length) {
      const longer = new Float64Array(this.length * 2);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.length++] = value;
  }

  values(): Float64Array {
    return this.#values.subarray(0, this.length);
  }
}

/** A growing column of few different names. */
class Names {
  readonly #names: string[] = [];
  readonly #codes = new Map<string, number>();
  readonly #rows = new Numbers();

  add(name: string): void {
    let code = this.#codes.get(name);
    if (code === undefined) this.#codes.set(name, code = this.#names.push(name) - 1);
    this.#rows.add(code);
  }

  column(): NameColumn {
    return { codes: Int32Array.from(this.#rows.values()), names: this.#names };
  }
}

function newPriceRows(): PriceRows {
  return new PriceRows();
}

/** NaN for an empty cell. */
function numberOf(cell: Cell | undefined): number {
  return typeof cell === "number" ? cell : NaN;
}

function ofName<Value>(map: Map<string, Value>, name: Cell | undefined, first: () => Value): Value {
  const key = String(name ?? "");
  let value = map.get(key);
  if (value === undefined) map.set(key, value = first());
  return value;
}

function mapped<From, To>(map: ReadonlyMap<string, From>, to: (value: From) => To): Map<string, To> {
  return new Map([...map].map(([name, value]) => [name, to(value)]));
}
