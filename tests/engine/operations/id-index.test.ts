import { expect, test } from "bun:test";
import fc from "fast-check";
import { IdIndex } from "../../../engine/operations/id-index.ts";

/** Few, so that many ids share one; the largest are the last places of a table of any size. */
const HASHES = [0, 1, 7, 8, 0xffff_fffe, 0xffff_ffff];

test("an index of ids finds the entries that are in it, however many share a hash, as it grows and shrinks", () => {
  const step = fc.record({ isAdded: fc.boolean(), id: fc.nat(60) });
  const growsAndShrinks = fc.tuple(fc.array(step, { maxLength: 150 }), fc.nat(60));
  fc.assert(fc.property(growsAndShrinks, ([steps, cleared]) => {
    const ids: string[] = [];
    const index = new IdIndex((entry, id) => ids[entry] === id);
    const plain = new Map<string, number>();
    const hashOf = (id: string) => HASHES[Number(id) % HASHES.length]!;
    const remove = (id: string) => {
      index.remove(plain.get(id) ?? ids.length, hashOf(id));
      plain.delete(id);
    };
    for (const { isAdded, id: number } of steps) {
      const id = String(number);
      if (!isAdded) remove(id);
      else if (!plain.has(id)) {
        const entry = ids.push(id) - 1;
        index.add(entry, hashOf(id));
        plain.set(id, entry);
      }
      for (let each = 0; each <= 60; each++) {
        expect(index.find(String(each), hashOf(String(each)))).toBe(plain.get(String(each)) ?? null);
      }
    }
    for (const id of [...plain.keys()].slice(0, cleared)) remove(id);
    for (const [id, entry] of plain) expect(index.find(id, hashOf(id))).toBe(entry);
  }));
});
