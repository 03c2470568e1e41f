import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Condition, type Entry, ModuleIndex } from "../../../core/market/module-index.ts";
import { Revisions } from "../../../core/market/revisions.ts";
import type { AnyModuleData } from "../../../protocol/modules/registry.ts";

/** Some pairs of them make the same text, one after the other. */
const VALUES = ["", "a", "aa", "a 1", "1 a", "1"];
const value = fc.constantFrom(...VALUES);
const data = fc.record({ one: value, two: value, other: fc.nat(1) });
const step = fc.record({
  kind: fc.constantFrom("add", "move", "move", "remove"),
  id: fc.nat(9),
  rank: fc.nat(2),
  data,
});

test.each([[["one"]], [["one", "two"]]])(
  "an index by %j finds the modules that a scan finds, in the same order",
  (properties) => {
    fc.assert(
      fc.property(fc.array(data, { maxLength: 5 }), fc.array(step, { maxLength: 60 }), (first, steps) => {
        const entryOf = (rank: number, id: string, data: object): Entry => ({
          rank,
          id,
          data: { id, ...data } as AnyModuleData,
        });
        const plain = new Map(first.map((data, at) => [`first-${at}`, entryOf(at, `first-${at}`, data)]));
        const index = new ModuleIndex(properties, plain.values());
        for (const { kind, id: number, rank, data } of steps) {
          const id = String(number);
          const known = plain.get(id);
          if (kind === "add" && known === undefined) {
            const entry = entryOf(rank, id, data);
            plain.set(id, entry);
            index.add(entry);
          } else if (known !== undefined && kind === "move") {
            index.move(known, { id, ...data } as AnyModuleData);
            known.data = { id, ...data } as AnyModuleData;
          } else if (known !== undefined && kind === "remove") {
            index.remove(known);
            plain.delete(id);
          }
        }
        for (const one of VALUES) {
          for (const two of VALUES) {
            const conditions: Condition[] = [["two", two], ["one", one]];
            const fits = [...plain.values()]
              .filter(({ data }) => properties.every((name) => data[name] === (name === "one" ? one : two)))
              .toSorted((a, b) => a.rank - b.rank || a.id.length - b.id.length || (a.id < b.id ? -1 : 1));
            const found = index.bucketFor(conditions);
            expect([found.size, ...found.ascending()]).toEqual([fits.length, ...fits]);
          }
        }
      }),
      { numRuns: 40 },
    );
  },
);

test("revisions of several tables of a snapshot are all different", () => {
  const counter = { last: 0 };
  const tables = [new Revisions(counter), new Revisions(counter)];
  const module = { id: "m" } as AnyModuleData;
  const seen = tables.map((table) => table.newest);
  for (let change = 0; change < 20; change += 1) {
    const table = tables[change % 3 === 0 ? 0 : 1]!;
    table.changed(undefined, module);
    seen.push(table.newest);
  }
  seen.push(new Revisions(counter).newest);
  expect(new Set(seen).size).toBe(seen.length);
});
