// The places of running requests: for all, for each client, given back once.

import { expect, test } from "bun:test";
import { RequestSlot, RequestSlots } from "../../../../core/server/limits/request-limit.ts";

function taken(slots: RequestSlots, client: string): RequestSlot {
  const slot = slots.take(client);
  if (!(slot instanceof RequestSlot)) throw new Error(slot.message);
  return slot;
}

test("a client has its share, all together have the limit, and a place is given back once", () => {
  const slots = new RequestSlots(3, () => 2);
  const first = taken(slots, "a");
  taken(slots, "a");
  const refused = { status: 503 as const, code: "busy", headers: { "Retry-After": "1" } };
  expect(slots.take("a")).toEqual({
    ...refused,
    message: "More than 2 requests with your token are running: try again.",
  });
  taken(slots, "b");
  expect(slots.take("b")).toEqual({ ...refused, message: "More than 3 requests are running: try again." });
  first.free();
  first.free();
  taken(slots, "b");
  expect(slots.take("c")).toMatchObject({ message: "More than 3 requests are running: try again." });
});

test("a place that was given back is that of the client that had it", () => {
  const slots = new RequestSlots(4, () => 1);
  const slot = taken(slots, "a");
  taken(slots, "b");
  slot.free();
  taken(slots, "a");
  expect(slots.take("b")).toMatchObject({ code: "busy" });
});
