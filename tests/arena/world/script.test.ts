import { expect, test } from "bun:test";
import { Script } from "../../../arena/world/script.ts";
import { MINUTE, worldOf } from "../support.ts";

test("a script runs what is due by time, and within a time in the order of planning", () => {
  const script = new Script();
  const ran: string[] = [];
  script.at(20, () => ran.push("c"));
  script.at(10, () => {
    ran.push("a");
    script.at(10, () => ran.push("b"));
  });
  script.at(20, () => ran.push("d"));
  expect(script.next).toBe(10);
  script.run(10);
  expect(ran).toEqual(["a", "b"]);
  script.run(19);
  expect(ran).toHaveLength(2);
  script.run(20);
  expect([ran, script.next]).toEqual([["a", "b", "c", "d"], Infinity]);
});

test("a world runs its script at the planned times, and may be enough after any of it", () => {
  const world = worldOf(1);
  const start = world.now;
  const times: number[] = [];
  for (const minutes of [3, 1, 2]) world.script.at(start + minutes * MINUTE, () => times.push(world.now - start));
  world.advanceTo(start + 5 * MINUTE, () => times.length === 2);
  expect([times, world.now - start]).toEqual([[MINUTE, 2 * MINUTE], 2 * MINUTE]);
  world.advanceTo(start + 3 * MINUTE);
  expect(times).toEqual([MINUTE, 2 * MINUTE, 3 * MINUTE]);
});

test("an order that a world places of any user looks like one of a persona", () => {
  const world = worldOf(1);
  const contractId = [...world.engine.state.contracts.keys()].at(-1)!;
  const placed = world.place("juniper-trader-1", contractId, 0, 100, 5)!;
  const ids = [...world.engine.state.orders].map(({ clientOrderId }) => clientOrderId);
  expect(ids.every((id) => /^persona-\d+$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  world.withdraw(placed);
  expect(world.engine.state.openOrders.get(placed.key)).toBeUndefined();
});
