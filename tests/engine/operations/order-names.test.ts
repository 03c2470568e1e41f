import { describe, expect, test } from "bun:test";
import { isPast, OrderNames } from "../../../engine/operations/order-names.ts";
import type { ContractState } from "../../../engine/state/market-state.ts";
import { DAY_MS } from "../../../protocol/time-units.ts";

const contract = (serial: number) =>
  ({
    serial,
    id: `C-${serial}`,
    bookId: `E-${serial}`,
    product: { code: `P-${serial}`, marketId: `M-${serial}`, more: 1 },
  }) as unknown as ContractState;
const namesOf = (serial: number) => {
  const { id, bookId, product: { code, marketId } } = contract(serial);
  return { id, bookId, product: { code, marketId } };
};
const entity = (party: number, id: string) => ({ party, definition: { id } }) as never;

describe("the texts of records", () => {
  test("have one number each, whether they name a user, an entity or both", () => {
    const names = new OrderNames();
    expect([names.numberOf("anna"), names.numberOf("bob"), names.numberOf("anna")]).toEqual([0, 1, 0]);
    expect([names.numberOfEntity(entity(0, "A")), names.numberOfEntity(entity(1, "bob"))]).toEqual([2, 1]);
    expect([names.numberOfUser({ number: 0, id: "A" }), names.numberOfUser({ number: 1, id: "carl" })]).toEqual([2, 3]);
    expect([names.numberOfEntity(entity(0, "A")), names.numberOfUser({ number: 1, id: "carl" })]).toEqual([2, 3]);
    expect([0, 1, 2, 3].map((number) => names.textOf(number))).toEqual(["anna", "bob", "A", "carl"]);
    expect(() => names.textOf(4)).toThrow("broken invariant");
  });

  test("name a contract with what its orders show", () => {
    const names = new OrderNames();
    names.useContract(contract(7), 5);
    expect(names.contractOf(7)).toEqual(namesOf(7));
    expect(() => names.contractOf(8)).toThrow("broken invariant");
  });

  test("are saved and restored with their numbers and times, also beside texts that are known", () => {
    const names = new OrderNames();
    for (const text of ["anna", "bob"]) names.numberOf(text);
    names.useContract(contract(7), 5);
    names.useContract(contract(3), 6);
    names.useContract(contract(7), 9);
    const saved = names.save();
    expect(saved).toEqual({
      texts: ["anna", "bob"],
      contracts: [[7, 9, "C-7", "E-7", "P-7", "M-7"], [3, 6, "C-3", "E-3", "P-3", "M-3"]],
    });
    names.numberOf("later");
    expect(saved.texts).toHaveLength(2);
    const restored = new OrderNames();
    restored.restore(JSON.parse(JSON.stringify(saved)));
    restored.restore(JSON.parse(JSON.stringify(saved)));
    expect([restored.save(), restored.numberOf("bob"), restored.numberOf("new")]).toEqual([saved, 1, 2] as never);
    expect(restored.contractOf(3)).toEqual(namesOf(3));
  });

  test("of contracts are forgotten a day after their last use, once there are many", () => {
    const names = new OrderNames();
    const known = () => names.save().contracts.map(([serial]) => serial);
    for (let serial = 1; serial <= 64; serial++) names.useContract(contract(serial), serial);
    names.useContract(contract(1), 100);
    expect(known()).toHaveLength(64);
    // Those up to 10 were used a day ago, but for the first one.
    names.useContract(contract(65), DAY_MS + 10);
    expect(known()).toEqual([1, ...Array.from({ length: 55 }, (_, at) => at + 11)]);
    // The next search comes at twice as many as were left, and 64.
    for (let serial = 66; serial <= 2 * 55 + 64 + 9; serial++) names.useContract(contract(serial), 3 * DAY_MS);
    expect(known()[0]).toBe(1);
    names.useContract(contract(999), 3 * DAY_MS);
    expect(known()[0]).toBe(66);
    expect(known().at(-1)).toBe(999);
  });

  test.each([[0, DAY_MS - 1, false], [0, DAY_MS, true], [5, DAY_MS + 4, false], [9, 3, false]])(
    "are kept for a day: from %d until %d, %p",
    (time, now, past) => {
      expect(isPast(time, now)).toBe(past);
    },
  );
});
