// Which requests count as the same: compared with the text of action and payload, with sorted keys and without bounds.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Action, ACTION_NAMES, type ActionPayload, ACTIONS } from "../../../protocol/index.ts";
import { fingerprintOf } from "../../../engine/commands/command-contents.ts";
import { fingerprintFrom, fingerprintText } from "../../../engine/api/fingerprint.ts";
import { codePoint } from "../../support/code-point.ts";
import { size } from "../../support/sizes.ts";

const text = fc.oneof(
  fc.constantFrom("A", "B", "AB", "BA", "A\u0000", "Á", "aá€"),
  fc.string({ unit: codePoint, maxLength: 6 }),
);
const id = text.filter((value) => value !== "");
const amount = fc.oneof(fc.constantFrom(0, -0, 1, 2, 0.1, 1e12, -5), fc.double({ min: -1e9, max: 1e9, noNaN: true }));
const absentOr = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const order = { contractId: id, side: fc.constantFrom(0, 1), price: fc.integer({ min: -3, max: 3 }), quantity: amount };
const pair = { entityId: id, counterpartyId: id };
const market = { marketId: absentOr(id), reason: absentOr(text) };

/** Every property of each action's payload but `bounds`. */
const PAYLOADS: { readonly [Name in Action]: { readonly [property: string]: fc.Arbitrary<unknown> } } = {
  "order.submit": { ...order, timeInForce: fc.constantFrom("day", "gtc"), clientOrderId: absentOr(id) },
  "order.modify": { orderId: id, price: absentOr(order.price), quantity: absentOr(amount) },
  "order.cancel": { orderId: id },
  "market.halt": market,
  "market.resume": market,
  "credit.setLimit": {
    ...pair,
    limitType: fc.constantFrom("notional", "mw", "mwh"),
    scope: fc.constantFrom("total", "per_contract"),
    contractId: absentOr(id),
    limit: amount,
    marginPercent: fc.constantFrom(0, 50, 100),
  },
  "credit.setDocumentation": { ...pair, status: fc.constantFrom("no_docs", "pending"), notes: absentOr(text) },
  "engine.flush": { engineId: id, preview: fc.boolean() },
  "market.flush": { preview: fc.boolean() },
  "dev.reset": { secret: text, creditLimit: amount, skipCredit: fc.boolean(), skipDocs: fc.boolean() },
  "clock.set": { speed: amount },
  "clock.advance": { to: id },
  "spot.publish": {
    prices: fc.array(
      fc.record({
        node: id,
        price: fc.integer({ min: -1, max: 1 }),
        regime: fc.constantFrom("base", "spike"),
        time: id,
      }),
      { maxLength: 3 },
    ),
  },
};

const bounds = fc.option(fc.record({ maxQuantity: amount }), { nil: undefined });

function print<Name extends Action>(action: Name, payload: unknown): string {
  return fingerprintText(fingerprintOf(action, payload as ActionPayload<Name>));
}

function contentText(action: Action, payload: Record<string, unknown>): string {
  const sorted = Object.entries(payload).filter(([key]) => key !== "bounds").sort(([a], [b]) => a < b ? -1 : 1);
  return JSON.stringify([action, Object.fromEntries(sorted)]);
}

describe("the content of a request", () => {
  test("has every property that an action declares, except for bounds", () => {
    for (const action of ACTION_NAMES) {
      const declared = Object.keys(ACTIONS[action].payload.shape).filter((name) => name !== "bounds");
      expect(Object.keys(PAYLOADS[action]).sort()).toEqual(declared.sort());
    }
    const { prices } = ACTIONS["spot.publish"].payload.shape;
    expect(Object.keys(prices.element.shape)).toEqual(["node", "price", "regime", "time"]);
  });

  for (const action of ACTION_NAMES) {
    test(`of ${action} has the same fingerprint if and only if it is the same`, () => {
      const arbitraries = PAYLOADS[action];
      const change = fc.constantFrom(...Object.keys(arbitraries)).chain((property) =>
        fc.record({ property: fc.constant(property), value: arbitraries[property] ?? fc.constant(undefined) })
      );
      fc.assert(
        fc.property(fc.record(arbitraries), change, bounds, (payload, { property, value }, otherBounds) => {
          const reversed = Object.fromEntries(Object.entries(payload).reverse());
          expect(print(action, { ...reversed, bounds: otherBounds })).toBe(print(action, payload));
          const changed = { ...payload, [property]: value };
          const isSame = contentText(action, changed) === contentText(action, payload);
          expect(print(action, changed) === print(action, payload)).toBe(isSame);
        }),
        { numRuns: size(75, 20_000) },
      );
    });
  }

  test("differs if two texts are split elsewhere, and between actions", () => {
    const documents = { status: "pending" };
    const prints = [
      print("credit.setDocumentation", { ...documents, entityId: "AB", counterpartyId: "C" }),
      print("credit.setDocumentation", { ...documents, entityId: "A", counterpartyId: "BC" }),
      print("market.halt", {}),
      print("market.resume", {}),
      print("market.halt", { reason: "" }),
      print("market.halt", { marketId: "" }),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });

  test("gives many similar orders as many fingerprints, which are texts of 16 digits", () => {
    const count = size(25_000, 2_000_000);
    const prints = new Set<string>();
    const terms = { contractId: "N-H12", side: 0, quantity: 1, timeInForce: "gtc" } as const;
    for (let price = 0; price < count; price++) prints.add(print("order.submit", { ...terms, price }));
    expect(prints.size).toBe(count);
    for (const text of ["0000000000000001", "00000001ffffffff", "ffffffff00000000", "fedcba9876543210"]) {
      expect(fingerprintText(fingerprintFrom(text))).toBe(text);
    }
  });
});
