// A slow and simple model of the market: plain lists that are sorted when they are read, and lots that are matched one by
// one against the limits. It replays the journal's calls. It shares only the protocol and the definition with the engine.
//
// It supports only what the simulated clients do: one market whose session changes at most once in a run, no deliveries, no
// flush of all markets, and no dev.reset.

import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import type { JournalCall } from "../../../engine/journal/journal-call.ts";
import { ModelCredit } from "./model-credit.ts";
import {
  boundOf,
  close,
  type Contract,
  faultIn,
  isWorking,
  kilowatts,
  type Limit,
  type ModelAnswer,
  type ModelFill,
  type ModelOrder,
  type ModelPosition,
  type Pair,
  type Payload,
  rejected,
  type Trade,
} from "./model-terms.ts";

const OK: ModelAnswer = { status: "ok" };
const EASTERN_OFFSET_MS = 5 * 3_600_000;
const DAY_MS = 86_400_000;

export class MarketModel {
  readonly orders: ModelOrder[] = [];
  readonly fills: ModelFill[] = [];
  readonly trades: Trade[] = [];
  readonly connected = new Set<string>();
  /** By user and operationId. */
  readonly answers = new Map<string, ModelAnswer & { readonly content: string }>();
  halted = false;
  #session: "preopen" | "open" | "closed";
  #places = 0;
  #now = 0;
  #realNow = 0;
  readonly #contracts: readonly Contract[];
  readonly credit: ModelCredit;

  constructor(readonly definition: MarketDefinition, start: number) {
    this.#session = this.#sessionAt(start);
    this.#contracts = definition.contracts.map((contract) => {
      const product = definition.products.find(({ id }) => id === contract.productId);
      if (product === undefined) throw new Error(`no product ${contract.productId}`);
      return { ...product, id: contract.id, lot: kilowatts(product.lot), minutes: contract.hours * 60 };
    });
    this.credit = new ModelCredit(definition, this.#contracts, this.trades);
  }

  get marketStatus(): string {
    return this.halted ? "halted" : this.#session;
  }

  apply(call: JournalCall): void {
    // The engine's time never goes back.
    this.#now = Math.max(this.#now, call.now);
    this.#realNow = Math.max(this.#realNow, call.realNow ?? call.now);
    this.#followSchedule(this.#now);
    switch (call.kind) {
      case "execute":
        return this.#request(call.userId, call.operationId, call.action, call.payload as Payload, call.validUntil);
      case "setConnected":
        if (call.connected) this.connected.add(call.userId);
        else this.connected.delete(call.userId);
        return;
      case "cancelDisconnected":
        for (const order of this.#open()) if (call.orderIds.includes(order.id)) close(order, "disconnected");
        return;
      case "advance":
      case "secret":
    }
  }

  /** The positions of an entity in the contracts that it has traded. */
  positions(entityId: string): ModelPosition[] {
    const own = new Map(this.orders.filter((order) => order.entityId === entityId).map((order) => [order.id, order]));
    return this.#contracts.flatMap((contract) => {
      let [bought, sold, value] = [0, 0, 0];
      for (const { orderId, price, quantity } of this.fills) {
        const order = own.get(orderId);
        if (order?.contract !== contract) continue;
        if (order.side === 0) bought += quantity;
        else sold += quantity;
        value += (order.side === 0 ? -1 : 1) * price * quantity;
      }
      if (bought + sold === 0) return [];
      const cash = value * contract.minutes / 6_000_000;
      const quantities = { boughtQuantity: bought / 1000, soldQuantity: sold / 1000 };
      return [{ contractId: contract.id, netQuantity: (bought - sold) / 1000, ...quantities, cash }];
    });
  }

  #request(userId: string, operationId: string, action: string, payload: Payload, validUntil?: string): void {
    const key = `${userId} ${operationId}`;
    if (this.answers.has(key)) return;
    const content = JSON.stringify([action, payload]);
    const isLate = validUntil !== undefined && new Date(validUntil) < new Date(this.#realNow);
    const answer = isLate ? rejected("too_late") : this.#carryOut(userId, operationId, action, payload);
    this.answers.set(key, { ...answer, content });
  }

  #carryOut(userId: string, operationId: string, action: string, payload: Payload): ModelAnswer {
    switch (action) {
      case "order.submit":
        return this.#submit(userId, operationId, payload);
      case "order.modify":
        return this.#modify(userId, payload);
      case "order.cancel":
        return this.#cancel(userId, payload);
      case "market.halt":
        this.halted = true;
        return OK;
      case "market.resume":
        if (!this.halted) return OK;
        this.halted = false;
        this.#enterSession();
        return OK;
      case "engine.flush": {
        const flushed = this.#open().filter(({ contract }) => `ENG-${contract.id}` === payload["engineId"]);
        for (const order of flushed) close(order, "flushed");
        return OK;
      }
      case "credit.setLimit":
        return this.#setLimit(userId, payload);
      case "credit.setDocumentation":
        return this.#setDocumentation(userId, payload);
      default:
        throw new Error(`the model knows no ${action}`);
    }
  }

  #submit(userId: string, operationId: string, payload: Payload): ModelAnswer {
    const contract = this.#contracts.find(({ id }) => id === payload["contractId"]);
    const entityId = this.#entityOf(userId);
    if (contract === undefined || entityId === null) return rejected("not_found");
    const [price, quantity] = [Number(payload["price"]), kilowatts(Number(payload["quantity"]))];
    const fault = faultIn(contract, price, quantity);
    if (fault !== null) return rejected(fault);
    if (this.marketStatus === "closed") return rejected("market_closed");
    const number = this.orders.length + 1;
    const order: ModelOrder = {
      id: `ORD-${number}`,
      number,
      clientOrderId: operationId,
      userId,
      entityId,
      contract,
      side: payload["side"] === 0 ? 0 : 1,
      timeInForce: String(payload["timeInForce"]),
      price,
      quantity,
      filled: 0,
      status: "held",
      closeReason: null,
      place: 0,
      maxNotional: boundOf(payload) ?? null,
    };
    this.orders.push(order);
    if (this.#arrive(order)) return OK;
    this.orders.pop();
    return rejected("limit_exceeded");
  }

  #modify(userId: string, payload: Payload): ModelAnswer {
    const order = this.orders.find(({ id }) => id === payload["orderId"]);
    if (order === undefined) return rejected("not_found");
    if (order.entityId !== this.#entityOf(userId)) return rejected("forbidden");
    if (payload["price"] === undefined && payload["quantity"] === undefined) return rejected("invalid_payload");
    if (order.closeReason !== null) return rejected("not_modifiable");
    if (this.marketStatus === "closed") return rejected("market_closed");
    const price = payload["price"] === undefined ? order.price : Number(payload["price"]);
    const quantity = payload["quantity"] === undefined ? order.quantity : kilowatts(Number(payload["quantity"]));
    const fault = faultIn(order.contract, price, quantity);
    if (fault !== null) return rejected(fault);
    if (quantity <= order.filled) return rejected("invalid_quantity");
    const keepsPlace = price === order.price && quantity <= order.quantity;
    const before = { ...order };
    order.price = price;
    order.quantity = quantity;
    if (keepsPlace) return OK;
    order.maxNotional = boundOf(payload) ?? order.maxNotional;
    if (this.#arrive(order)) return OK;
    Object.assign(order, before);
    return rejected("limit_exceeded");
  }

  #cancel(userId: string, payload: Payload): ModelAnswer {
    const order = this.orders.find(({ id }) => id === payload["orderId"]);
    if (order === undefined) return rejected("not_found");
    if (order.entityId !== this.#entityOf(userId)) return rejected("forbidden");
    if (order.closeReason !== null) return rejected("not_cancellable");
    close(order, "cancelled");
    return OK;
  }

  #setLimit(userId: string, payload: Payload): ModelAnswer {
    const { limitType, contractId, limit, marginPercent } = payload;
    const pair = this.#managedPair(userId, payload);
    if (pair === null) return rejected("forbidden");
    const terms: Limit = {
      limitType: String(limitType),
      contractId: contractId === undefined ? null : String(contractId),
      limit: Number(limit),
      marginPercent: marginPercent === undefined ? 100 : Number(marginPercent),
    };
    const at = pair.limits.findIndex((one) => one.limitType === terms.limitType && one.contractId === terms.contractId);
    if (at < 0) pair.limits.push(terms);
    else pair.limits[at] = terms;
    this.#matchAll();
    return OK;
  }

  #setDocumentation(userId: string, payload: Payload): ModelAnswer {
    const pair = this.#managedPair(userId, payload);
    if (pair === null) return rejected("forbidden");
    pair.documentation = String(payload["status"]);
    this.#matchAll();
    return OK;
  }

  /** Null if the user may not change the pair's credit. */
  #managedPair(userId: string, { entityId, counterpartyId }: Payload): Pair | null {
    const user = this.definition.users.find(({ id }) => id === userId);
    if (entityId !== user?.entityId || !user?.permissions.includes("Credit.Manage")) return null;
    return this.credit.of(String(entityId), String(counterpartyId));
  }

  /** Returns false and changes nothing else if the order could exceed its bound. */
  #arrive(order: ModelOrder): boolean {
    order.place = ++this.#places;
    const isOpen = this.marketStatus === "open";
    if (isOpen) order.status = order.filled > 0 ? "partial" : "working";
    else order.status = "held";
    if (!this.#isWithinBound(order, isOpen ? this.#crossedBy(order) : [])) return false;
    if (isOpen) this.#match(order);
    return true;
  }

  /** Whether the order stays within its bound even if it trades with all of the orders that it crosses. */
  #isWithinBound(order: ModelOrder, crossed: readonly ModelOrder[]): boolean {
    const { id, contract, price, quantity, filled, maxNotional } = order;
    if (maxNotional === null) return true;
    const parts: { price: number; quantity: number }[] = this.fills.filter(({ orderId }) => orderId === id);
    let left = quantity - filled;
    for (const other of crossed.filter((one) => Math.abs(one.price) > Math.abs(price))) {
      const traded = Math.min(left, other.quantity - other.filled);
      parts.push({ price: other.price, quantity: traded });
      left -= traded;
    }
    parts.push({ price, quantity: left });
    const notional = parts.reduce((sum, part) => sum + Math.abs(part.price) * part.quantity * contract.minutes, 0);
    return notional <= Math.floor(maxNotional * 6_000_000);
  }

  /** Matches the order with older orders of the other side, by price and then by age. */
  #match(order: ModelOrder): void {
    for (const other of this.#crossedBy(order)) this.#trade(other, order);
  }

  #crossedBy(order: ModelOrder): ModelOrder[] {
    const better = order.side === 0 ? 1 : -1;
    return this.orders.filter((other) =>
      isWorking(other) && other.contract === order.contract && other.side !== order.side &&
      other.place < order.place && (order.price - other.price) * better >= 0
    ).sort((a, b) => (a.price - b.price) * better || a.place - b.place);
  }

  #trade(resting: ModelOrder, aggressor: ModelOrder): void {
    const { contract, price } = resting;
    const possible = Math.min(resting.quantity - resting.filled, aggressor.quantity - aggressor.filled);
    let quantity = 0;
    const mayTrade = (more: number) =>
      this.credit.allows(resting.entityId, aggressor.entityId, { contract, price, quantity: more });
    while (quantity + contract.lot <= possible && mayTrade(quantity + contract.lot)) quantity += contract.lot;
    if (quantity === 0) return;
    for (const order of [resting, aggressor]) {
      order.filled += quantity;
      order.status = order.filled === order.quantity ? "filled" : "partial";
      if (order.status === "filled") order.closeReason = "filled";
      const liquidity = order === resting ? "resting" : "aggressor";
      this.fills.push({ orderId: order.id, price, quantity, liquidity });
    }
    this.trades.push({ contract, entityIds: [resting.entityId, aggressor.entityId], price, quantity });
  }

  #matchAll(): void {
    if (this.marketStatus !== "open") return;
    for (const contract of this.#contracts) {
      const resting = this.orders.filter((order) => isWorking(order) && order.contract === contract);
      for (const order of resting.sort((a, b) => a.place - b.place)) {
        if (isWorking(order)) this.#match(order);
      }
    }
  }

  #followSchedule(now: number): void {
    const session = this.#sessionAt(now);
    if (session === this.#session) return;
    this.#session = session;
    if (session === "closed") this.#expireDayOrders();
    else if (!this.halted) this.#enterSession();
  }

  #enterSession(): void {
    if (this.#session === "closed") this.#expireDayOrders();
    if (this.#session !== "open") return;
    this.#matchAll();
    const held = this.orders.filter(({ status }) => status === "held").sort((a, b) => a.place - b.place);
    for (const order of held) if (!this.#arrive(order)) close(order, "limit_exceeded");
  }

  #expireDayOrders(): void {
    for (const order of this.#open()) if (order.timeInForce === "day") close(order, "expired");
  }

  #sessionAt(now: number): "preopen" | "open" | "closed" {
    const schedule = this.definition.markets[0]?.schedule ?? null;
    if (schedule === null) return "open";
    const local = (now - EASTERN_OFFSET_MS) % DAY_MS;
    if (local < timeOfDay(schedule.preopen) || local >= timeOfDay(schedule.close)) return "closed";
    return local < timeOfDay(schedule.open) ? "preopen" : "open";
  }

  #open(): ModelOrder[] {
    return this.orders.filter(({ closeReason }) => closeReason === null);
  }

  #entityOf(userId: string): string | null {
    return this.definition.users.find(({ id }) => id === userId)?.entityId ?? null;
  }
}

function timeOfDay(local: string): number {
  const [hours = 0, minutes = 0] = local.split(":").map(Number);
  return (hours * 60 + minutes) * 60_000;
}
