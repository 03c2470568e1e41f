import { describe, expect, test } from "bun:test";
import { CLOSE_REASONS, ORDER_STATUSES } from "../../../protocol/modules/registry.ts";
import { AnswerRecords } from "../../../engine/operations/answer-record.ts";
import { rejectionOf } from "../../../engine/operations/operation-outcome.ts";
import { OrderNames } from "../../../engine/operations/order-names.ts";
import { PackedBytes } from "../../../engine/operations/packed-bytes.ts";
import { orderModule } from "../../../engine/modules/order-modules.ts";
import { createState } from "../../../engine/state/initial-state.ts";
import { Order } from "../../../engine/state/market-state.ts";
import { EPOCH, smallMarket, START, USERS } from "../support/market.ts";

const state = createState(smallMarket(), { engineId: "test", epoch: EPOCH, now: START });
const [hour, peak] = [...state.contracts.values()];
const [alpha, blind] = [state.users.get(USERS.alpha)!, state.users.get(USERS.blind)!];
const NOW = START + 5_000;

function orderWith(change: Partial<Order> & { readonly createdAt?: number } = {}): Order {
  const { createdAt = START, status = "working", closeReason = null, updatedAt = NOW, ...terms } = change;
  const order = new Order(
    71,
    {
      clientOrderId: "mine",
      contract: hour!,
      entity: alpha.entity!,
      user: alpha,
      side: 0,
      timeInForce: "gtc",
      price: 4_500,
      quantity: 9_000,
      maxNotional: null,
      ...terms,
    },
    status,
    createdAt,
  );
  const { filledQuantity = 0, filledValue = 0 } = change;
  return Object.assign(order, { closeReason, updatedAt, filledQuantity, filledValue });
}

function recorded(order: Order, operationId = "op", code: "not_cancellable" | "not_modifiable" | null = null) {
  const records = new AnswerRecords(new OrderNames());
  const bytes = new PackedBytes();
  bytes.text("before");
  const start = bytes.length;
  const outcome = code === null ? { status: "ok", order } as const : { status: "rejected", code, order } as const;
  records.write(bytes, operationId, outcome, NOW);
  return records.read(bytes.readerAt(start), operationId, NOW);
}

describe("the record of an answer gives the whole answer again, to", () => {
  const orders: [what: string, Order][] = [
    ["an order that has just been accepted", orderWith({ createdAt: NOW })],
    ["an order whose clientOrderId is the operation's", orderWith({ clientOrderId: "op" })],
    ["a sale for the day at a negative price", orderWith({ side: 1, timeInForce: "day", price: -50_000 })],
    ["an order of another user and contract", orderWith({ user: blind, entity: blind.entity!, contract: peak! })],
    ["an order that was changed before", orderWith({ updatedAt: NOW - 1 })],
    ["an order of a time that a slow clock has not reached", orderWith({ createdAt: NOW + 1, updatedAt: NOW + 9 })],
    ["a partly filled order", orderWith({ status: "partial", filledQuantity: 1_000, filledValue: 4_400_000 })],
    ["fills at negative prices", orderWith({ status: "partial", filledQuantity: 3_000, filledValue: -4_400_001 })],
    ["fills at a price of 0", orderWith({ status: "partial", filledQuantity: 3_000 })],
    ["fills of a value above 2^53", orderWith({ filledQuantity: 9_000, filledValue: 3n ** 40n })],
    ["an order in small units", orderWith({ quantity: 1, price: 0 })],
    ["the greatest order", orderWith({ quantity: 1_000_000_000, price: 1_000_000_000 })],
  ];
  test.each(orders)("%s", (_, order) => {
    expect(recorded(order)).toEqual({ operationId: "op", status: "ok", result: { order: orderModule(order) } });
  });

  test("an order of every status and reason, and the refusal of what is closed", () => {
    for (const status of ORDER_STATUSES) {
      for (const closeReason of [null, ...CLOSE_REASONS]) {
        const order = orderWith({ status, closeReason });
        expect(recorded(order)).toMatchObject({ status: "ok", result: { order: { status, closeReason } } });
        for (const code of ["not_cancellable", "not_modifiable"] as const) {
          expect(recorded(order, "other", code)).toEqual({ operationId: "other", ...rejectionOf(code, order) });
        }
      }
    }
  });

  test("an order, whose contract is kept from then on for as long as the answer", () => {
    const names = new OrderNames();
    new AnswerRecords(names).write(new PackedBytes(), "op", { status: "ok", order: orderWith() }, NOW);
    expect(names.save().contracts.map(([serial, usedAt]) => [serial, usedAt])).toEqual([[hour!.serial, NOW]]);
  });

  test("any other request", () => {
    const records = new AnswerRecords(new OrderNames());
    const answers = [
      { status: "ok", result: { published: 2, text: "\u0100" } },
      { status: "rejected", code: "not_found", message: "There is no \u{1f600}." },
    ] as const;
    for (const answer of answers) {
      const bytes = new PackedBytes();
      records.write(bytes, "op", answer, NOW);
      expect(records.read(bytes.readerAt(0), "op", NOW)).toEqual({ operationId: "op", ...answer });
    }
  });
});

describe("the names in records", () => {
  const DAY = 86_400_000;

  test("are the same for an entity and a user of one id, and are found again by a restored engine", () => {
    const names = new OrderNames();
    const { entity } = alpha;
    const numbers = () => [names.numberOfEntity(entity!), names.numberOfUser(alpha), names.numberOfUser(blind)];
    expect(numbers()).toEqual([0, 1, 2]);
    expect([numbers(), names.numberOf("ALPHA"), names.numberOf("new")]).toEqual([[0, 1, 2], 0, 3]);
    names.useContract(peak!, NOW);
    const restored = new OrderNames();
    restored.restore(names.save());
    expect([0, 1, 2, 3].map((number) => restored.textOf(number))).toEqual(["ALPHA", USERS.alpha, USERS.blind, "new"]);
    expect(restored.contractOf(peak!.serial)).toEqual({
      id: "S-PK",
      bookId: "ENG-S-PK",
      product: { code: "S-PEAK", marketId: "M1" },
    });
    expect(restored.save()).toEqual(names.save());
    expect(restored.numberOfUser(blind)).toBe(2);
    expect(() => restored.textOf(4)).toThrow("broken invariant");
    expect(() => restored.contractOf(hour!.serial)).toThrow("broken invariant");
  });

  test("of a contract are kept for a day after the last record that named it", () => {
    const names = new OrderNames();
    const contract = (serial: number) => ({ ...hour!, serial, id: `C${serial}` });
    for (let serial = 1; serial <= 64; serial++) names.useContract(contract(serial), NOW + serial);
    names.useContract(contract(1), NOW + DAY);
    names.useContract(contract(65), NOW + DAY + 3);
    const kept = names.save().contracts.map(([serial]) => serial);
    expect(kept).toEqual([1, ...Array.from({ length: 61 }, (_, at) => at + 4), 65]);
  });
});
