import { expect, test } from "bun:test";
import type { EventMessage } from "../../../../protocol/index.ts";
import { EventHistory } from "../../../../sim/server/publication/event-history.ts";

const event = (sequence: number) => ({ kind: "event", sequence }) as EventMessage;

test("events that are not held are told as gaps, the newest one alone included", () => {
  const history = new EventHistory(10);
  history.append([event(3), event(4)]);
  const after = (sequence: number, newest: number) =>
    [...history.after(sequence, newest)].map((each) =>
      each.kind === "gap" ? `gap ${each.from}-${each.to}` : each.sequence
    );
  expect(after(2, 4)).toEqual([3, 4]);
  expect(after(2, 5)).toEqual([3, 4, "gap 5-5"]);
  expect(after(2, 6)).toEqual([3, 4, "gap 5-6"]);
  expect(after(1, 4)).toEqual(["gap 2-2", 3, 4]);
  expect(after(4, 4)).toEqual([]);
});
