// Format 9: a checkpoint has each trade once, as an array, and says where it is kept: in the market's list, and in the orders
// that it filled. Before it had the modules of the trades in the list, and the modules of the orders' fills.
//
// A fill can be kept after its trade has left the list, and one of two fills after the other. Then the number of the other
// order may be unknown; it is 0, which no order has. It was shown nowhere any more.

import { changeSections, type SavedSection } from "./sections.ts";
import type { JsonObject, UpgradeStep } from "./journal-content.ts";

interface TradeModule {
  readonly id: string;
  readonly contractId: string;
  readonly buyOrderId: string;
  readonly sellOrderId: string;
  readonly buyEntityId: string;
  readonly sellEntityId: string;
  readonly aggressorSide: number;
  readonly price: number;
  readonly quantity: number;
  readonly time: string;
}

interface FillModule {
  readonly id: string;
  readonly orderId: string;
  readonly tradeId: string;
  readonly contractId: string;
  readonly entityId: string;
  readonly counterpartyId: string;
  readonly side: number;
  readonly price: number;
  readonly quantity: number;
  readonly liquidity: "resting" | "aggressor";
  readonly time: string;
}

const IN_LIST = 1;
const IN_BUY_ORDER = 2;
const IN_SELL_ORDER = 4;
const BUY = 0;

/** Sections that come after the fills. At least the last is always there. */
const AFTER_FILLS = new Set(["usage", "userPositions", "entityPositions"]);

export const FROM_FORMAT_8: UpgradeStep = {
  *parts(parts, header) {
    const { entities } = header["definition"] as { readonly entities: readonly { readonly id: string }[] };
    const trades = new SavedTrades(entities.map(({ id }) => id));
    yield* changeSections(parts, ([name, items]): readonly SavedSection[] => {
      if (name === "contracts") { for (const item of items) trades.addContract(item as JsonObject); }
      if (name === "trades") return trades.addTrades(items as readonly TradeModule[]);
      if (name === "fills") return trades.addFills(items as readonly FillModule[]);
      return AFTER_FILLS.has(name) ? [...trades.take(), [name, items]] : [[name, items]];
    });
  },
};

interface Trade extends TradeModule {
  places: number;
  buyOrder: number;
  sellOrder: number;
  restingFill: number;
}

class SavedTrades {
  readonly #contracts = new Map<string, number>();
  readonly #trades = new Map<string, Trade>();
  #isTaken = false;

  constructor(readonly parties: readonly string[]) {}

  addContract({ key, definition }: JsonObject): void {
    this.#contracts.set((definition as { readonly id: string }).id, key as number);
  }

  addTrades(modules: readonly TradeModule[]): readonly SavedSection[] {
    for (const trade of modules) {
      const buyOrder = numberOf(trade.buyOrderId);
      const sellOrder = numberOf(trade.sellOrderId);
      const restingFill = 2 * numberOf(trade.id) - 1;
      this.#trades.set(trade.id, { ...trade, places: IN_LIST, buyOrder, sellOrder, restingFill });
    }
    return [];
  }

  addFills(modules: readonly FillModule[]): readonly SavedSection[] {
    for (const fill of modules) {
      const trade = this.#trades.getOrInsertComputed(fill.tradeId, () => tradeOf(fill));
      const order = numberOf(fill.orderId);
      if (fill.side === BUY) trade.buyOrder = order;
      else trade.sellOrder = order;
      trade.places |= fill.side === BUY ? IN_BUY_ORDER : IN_SELL_ORDER;
      trade.restingFill = numberOf(fill.id) - (fill.liquidity === "resting" ? 0 : 1);
    }
    return [];
  }

  /** The new section, the first time: it comes where the fills have ended. */
  take(): readonly SavedSection[] {
    if (this.#isTaken) return [];
    this.#isTaken = true;
    const inOrder = [...this.#trades.values()].sort((a, b) => numberOf(a.id) - numberOf(b.id));
    return [["trades", inOrder.map((trade) => this.#saved(trade))]];
  }

  #saved(trade: Trade): readonly number[] {
    return [
      trade.places,
      numberOf(trade.id),
      this.#contracts.get(trade.contractId) ?? -1,
      trade.price,
      kilowattsOf(trade.quantity),
      Date.parse(trade.time),
      trade.aggressorSide,
      trade.buyOrder,
      trade.sellOrder,
      this.parties.indexOf(trade.buyEntityId),
      this.parties.indexOf(trade.sellEntityId),
      trade.restingFill,
    ];
  }
}

function tradeOf(
  { tradeId, contractId, entityId, counterpartyId, side, price, quantity, liquidity, time }: FillModule,
) {
  const [buyEntityId, sellEntityId] = side === BUY ? [entityId, counterpartyId] : [counterpartyId, entityId];
  const aggressorSide = liquidity === "aggressor" ? side : 1 - side;
  const ids = { id: tradeId, buyOrderId: "", sellOrderId: "", buyEntityId, sellEntityId };
  const trade: Trade = {
    ...ids,
    contractId,
    aggressorSide,
    price,
    quantity,
    time,
    places: 0,
    buyOrder: 0,
    sellOrder: 0,
    restingFill: 0,
  };
  return trade;
}

/** The number in an id such as TRD-12. */
function numberOf(id: string): number {
  return Number(id.slice(id.indexOf("-") + 1));
}

function kilowattsOf(megawatts: number): number {
  return Math.round(megawatts * 1000);
}
