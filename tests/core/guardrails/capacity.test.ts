import { expect, test } from "bun:test";
import { Capacity, shareOf } from "../../../core/guardrails/capacity.ts";

test("all clients together may hold the whole capacity, and not more", () => {
  const capacity = new Capacity(3, () => 3);
  expect([capacity.take("a", 1), capacity.take("b", 2), capacity.take("c", 1)]).toEqual(["taken", "taken", "full"]);
  capacity.release("a", 1);
  expect([capacity.take("c", 2), capacity.take("c", 1), capacity.take("d", 1)]).toEqual(["full", "taken", "full"]);
});

test("one client may hold its share, and not more; an amount that does not fit takes nothing", () => {
  const capacity = new Capacity(4, () => 3);
  expect([capacity.take("a", 4), capacity.take("a", 3)]).toEqual(["share_used", "taken"]);
  expect(capacity.take("a", 1)).toBe("share_used");
  expect([capacity.take("b", 2), capacity.take("b", 1)]).toEqual(["full", "taken"]);
  capacity.release("a", 1);
  expect([capacity.take("a", 2), capacity.take("a", 1)]).toEqual(["full", "taken"]);
});

test("an amount may be released in parts, and clients that hold nothing are forgotten", () => {
  const capacity = new Capacity(4, () => 3);
  capacity.take("a", 3);
  capacity.take("b", 1);
  expect(capacity.holders).toBe(2);
  capacity.release("a", 1);
  expect([capacity.holders, capacity.take("a", 2)]).toEqual([2, "full"]);
  capacity.release("a", 2);
  expect(capacity.holders).toBe(1);
  expect([capacity.take("a", 4), capacity.take("a", 3)]).toEqual(["full", "taken"]);
});

test("no client releases more than it holds", () => {
  const capacity = new Capacity(4, () => 3);
  capacity.take("a", 1);
  expect(() => capacity.release("a", 2)).toThrow("a releases more than it holds");
  expect(() => capacity.release("b", 1)).toThrow("b releases more than it holds");
});

test("the share is read on each take", () => {
  let share = 2;
  const capacity = new Capacity(4, () => share);
  expect([capacity.take("a", 2), capacity.take("a", 1)]).toEqual(["taken", "share_used"]);
  share = 4;
  expect([capacity.take("a", 2), capacity.take("a", 1)]).toEqual(["taken", "full"]);
});

test.each([[1, 1], [2, 1], [3, 2], [4, 3], [2048, 1536]])("of %p the share is %p", (most, share) => {
  expect(shareOf(most)).toBe(share);
});
