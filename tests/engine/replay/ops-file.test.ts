// The file of operations, valid and invalid.

import { describe, expect, test } from "bun:test";
import { readOperations } from "../../../engine/replay/ops-file.ts";
import { buy, cancel, operationsFile, sell } from "./operations-file.ts";

function faultOf(file: Uint8Array): string {
  const read = readOperations(file);
  if (read.ok) throw new Error("the file was read");
  return read.fault;
}

function patched(file: Uint8Array, at: number, value: number): Uint8Array {
  const copy = file.slice();
  copy[at] = value;
  return copy;
}

describe("a file of operations", () => {
  const file = operationsFile([sell(4_294_967_295, -5, 4_294_967_295), buy(0, 2_147_483_647, 1), cancel(17)]);

  test("may have numbers of every size", () => {
    const read = readOperations(file);
    if (!read.ok) throw new Error(read.fault);
    const { count, op, side, id, price, quantity } = read.operations;
    expect({ count, op: [...op], side: [...side] }).toEqual({ count: 3, op: [0, 0, 1], side: [1, 0, 0] });
    expect([...id]).toEqual([4_294_967_295, 0, 17]);
    expect([...price]).toEqual([-5, 2_147_483_647, 0]);
    expect([...quantity]).toEqual([4_294_967_295, 1, 0]);
  });

  test("may lie inside a larger buffer", () => {
    const larger = new Uint8Array(file.length + 7);
    larger.set(file, 5);
    expect(readOperations(larger.subarray(5, 5 + file.length))).toEqual(readOperations(file));
  });

  test("may have no operations", () => {
    expect(readOperations(operationsFile([]))).toMatchObject({ ok: true, operations: { count: 0 } });
  });

  test.each([
    ["another magic", patched(file, 0, 88), "not a file of operations: it does not begin with LOBW"],
    ["nothing in it", new Uint8Array(0), "not a file of operations: it does not begin with LOBW"],
    ["another version", patched(file, 4, 2), "version 2; only version 1 is supported"],
    ["version 0", patched(file, 4, 0), "version 0; only version 1 is supported"],
    ["half a header", file.subarray(0, 31), "truncated: 31 bytes, but the header alone has 32"],
    ["half a record", file.subarray(0, 79), "truncated: 79 bytes, but 3 operations take 80"],
    ["records missing", patched(file, 8, 4), "truncated: 80 bytes, but 4 operations take 96"],
    ["extra bytes", patched(file, 8, 2), "too long: 80 bytes, but 2 operations take 64"],
    ["an unknown op", patched(file, 48, 2), "record 2: op 2 is neither 0 (new limit order) nor 1 (cancel)"],
    ["an unknown side", patched(file, 65, 2), "record 3: side 2 is neither 0 (buy) nor 1 (sell)"],
    ["an order of quantity 0", operationsFile([buy(1, 1, 0)]), "record 1: new order with quantity 0"],
  ])("with %s is rejected with the reason", (_, broken, fault) => {
    expect(faultOf(broken)).toBe(fault);
  });

  test("that claims 4,294,967,295 operations is rejected before memory is allocated for them", () => {
    const huge = file.slice();
    huge.fill(255, 8, 12);
    expect(faultOf(huge)).toStartWith("truncated");
  });
});
