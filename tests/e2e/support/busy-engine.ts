// An engine that publishes events at a fixed rate, more than the traders of a simulation would: orders that come and go, trades
// and book changes, over a hundred contracts or more. Prices and quantities come from a seed.

import { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { EngineMessage } from "../../../protocol/index.ts";
import type { BookLevel, ModuleType } from "../../../protocol/modules/registry.ts";
import { atEnd } from "../../support/at-end.ts";
import { bookChange, wholeModule } from "../../support/modules.ts";
import { EPOCH, orderData, ScriptedEngine } from "../../support/scripted-engine.ts";

/** As the built-in engine sends its frames in a busy market. */
const FRAME_MS = 10;
/** Orders that are open at a time. */
const OPEN_ORDERS = 2_000;
const DEPTH = 10;
const HOUR_MS = 3_600_000;

interface BusyEngine {
  readonly env: Record<string, string>;
  /** Begins to publish, after the server has connected. */
  start(eventsPerSecond: number): void;
  /** Publishes no more, and gives the sequence number of the last event. */
  stop(): number;
}

export function startBusyEngine({ contracts = 100 } = {}): BusyEngine {
  const engine = new ScriptedEngine();
  atEnd(() => engine.stop());
  const flow = new Flow(contracts);
  let sendFrame: (messages: EngineMessage[]) => void = () => {};
  let timer: Timer | undefined;
  let published = 0;
  const serve = async () => {
    const connection = await engine.connection();
    await connection.admit(flow.states(), { time: new Date().toISOString() });
    sendFrame = (messages) => connection.send(...messages);
    for (;;) {
      await connection.next("ping");
      connection.send({ kind: "pong", time: new Date().toISOString() });
    }
  };
  void serve();
  atEnd(() => clearInterval(timer));
  return {
    env: {
      MKT_HOST: `127.0.0.1:${engine.port}`,
      MKT_BASE_URL: `http://127.0.0.1:${engine.port}`,
      MKT_USER_ID: "operator",
      MKT_AUTO_CONNECT: "1",
    },
    start(eventsPerSecond) {
      const began = performance.now();
      const before = published;
      timer = setInterval(() => {
        const due = before + Math.floor((performance.now() - began) * eventsPerSecond / 1_000);
        if (due <= published) return;
        const messages: EngineMessage[] = [];
        while (published < due) messages.push(flow.event(EPOCH + ++published));
        sendFrame(messages);
      }, FRAME_MS);
    },
    stop() {
      clearInterval(timer);
      return EPOCH + published;
    },
  };
}

interface Book {
  readonly contractId: string;
  readonly engineId: string;
  /** Cents/MWh, between the best bid and the best ask. */
  middle: number;
  lastPrice: number | null;
  tradedQuantity: number;
}

/** What happens in the market, one event after the other. */
class Flow {
  readonly #random = new SeededRandom(7);
  readonly #books: readonly Book[];
  #orders = 0;

  constructor(contracts: number) {
    this.#books = Array.from({ length: contracts }, (_, index) => ({
      contractId: `contract-${index}`,
      engineId: `engine-${index}`,
      middle: 4_000 + 10 * (index % 100),
      lastPrice: null,
      tradedQuantity: 0,
    }));
  }

  states(): EngineMessage[] {
    const start = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
    const time = (hours: number) => new Date(start + hours * HOUR_MS).toISOString();
    return [
      state("MARKET", "m", { name: "Busy market", code: "M", timezone: "UTC", nodes: ["N"], status: "open" }),
      state("PRODUCT", "p", {
        marketId: "m",
        type: "hour",
        name: "Hourly",
        code: "P",
        contractSpecification: SPECIFICATION,
      }),
      state("ENTITY", "north", { name: "North", code: "N" }),
      ...this.#books.flatMap(({ contractId, engineId, ...book }, index) => [
        state("CONTRACT", contractId, {
          ...PLACE,
          productId: "p",
          engineId,
          node: "N",
          deliveryStart: time(24 + index),
          deliveryEnd: time(25 + index),
          hours: 1,
          ...SPECIFICATION,
          status: "listed",
        }),
        state("ENGINE", engineId, { ...PLACE, contractId, ...sides(book.middle, () => 5), lastUpdate: time(0) }),
      ]),
    ];
  }

  event(sequence: number): EngineMessage {
    const book = this.#books[this.#random.integer(0, this.#books.length - 1)]!;
    const kind = this.#random.integer(0, 9);
    const [type, data] = kind < 4 ? this.#order(book) : kind < 7 ? this.#bookChange(book) : this.#trade(book, sequence);
    return { kind: "event", sequence, type, time: new Date().toISOString(), data } as EngineMessage;
  }

  /** A new order, or the end of the oldest one. */
  #order({ contractId, engineId, middle }: Book): [string, object] {
    const number = this.#orders++;
    const isNew = number < OPEN_ORDERS || number % 2 === 0;
    const id = `order-${isNew ? number : number - OPEN_ORDERS}`;
    const fields = { contractId, engineId, clientOrderId: id, price: middle - 5, quantity: 5, remainingQuantity: 5 };
    if (isNew) return ["new.order", orderData(id, fields)];
    return ["cancel.order", orderData(id, { ...fields, status: "cancelled", closeReason: "cancelled" })];
  }

  /** One change in ten moves the prices; the others change the volume of a level of each side. */
  #bookChange(book: Book): [string, object] {
    const { contractId, engineId, lastPrice, tradedQuantity } = book;
    const moved = this.#random.integer(0, 9) > 0 || book.middle < 1_000 ? 0 : this.#random.next() < 0.5 ? -1 : 1;
    book.middle += moved;
    const { bids, asks } = sides(book.middle, () => this.#random.integer(1, 50));
    const at = this.#random.integer(0, DEPTH - 1);
    const place = { ...PLACE, contractId, engineId };
    const prices = { bestBid: book.middle - 1, bestAsk: book.middle + 1, lastPrice, tradedQuantity };
    const changed = moved === 0
      ? { bids: [bids[at]], asks: [asks[at]] }
      // The level that has left the best ten is at the other end of its side.
      : moved > 0
      ? { bids: [bids[0], left(book.middle - DEPTH - 1)], asks: [left(book.middle), asks[DEPTH - 1]] }
      : { bids: [left(book.middle), bids[DEPTH - 1]], asks: [asks[0], left(book.middle + DEPTH + 1)] };
    return ["change.book", bookChange({ ...place, ...changed, ...prices, totalWorkingOrders: 100 })];
  }

  #trade(book: Book, sequence: number): [string, object] {
    const { contractId, engineId, middle } = book;
    const aggressorSide = this.#random.integer(0, 1);
    const price = middle + (aggressorSide === 0 ? 1 : -1);
    const quantity = this.#random.integer(1, 20);
    book.lastPrice = price;
    book.tradedQuantity += quantity;
    const id = `trade-${sequence}`;
    const time = new Date().toISOString();
    const whole = wholeModule("TRADE", { ...PLACE, contractId, engineId, price, quantity, aggressorSide, time });
    return ["new.trade", { ...whole, id }];
  }
}

function left(price: number): BookLevel {
  return { price, volume: 0, orderCount: 0 };
}

const SPECIFICATION = { lot: 1, tick: 1, minimumPrice: -50_000, maximumPrice: 500_000 };
const PLACE = { productCode: "P", marketId: "m" };

function state(type: ModuleType, id: string, data: Record<string, unknown>): EngineMessage {
  return { statePath: `/${type}/${id}`, state: { ...wholeModule(type, data), id } };
}

/** The ten best levels of each side. */
function sides(middle: number, volume: () => number): { bids: BookLevel[]; asks: BookLevel[] } {
  const levels = (sign: 1 | -1) =>
    Array.from({ length: DEPTH }, (_, at) => ({ price: middle + sign * (at + 1), volume: volume(), orderCount: 1 }));
  return { bids: levels(-1), asks: levels(1) };
}
