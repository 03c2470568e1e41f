import { expect, test } from "bun:test";
import { collectPage, foreignCursor, MAX_MISSES, searchOfQuery } from "../../../common/audit/audit-search.ts";
import type { AuditEvent } from "../../../protocol/index.ts";
import { EventMaker, ids, query } from "./support/events.ts";

async function* inBatches(events: readonly AuditEvent[], size: number, taken: () => void = () => {}) {
  for (let start = 0; start < events.length; start += size) {
    taken();
    yield await Promise.resolve(events.slice(start, start + size));
  }
}

const cursorOf = ({ id }: AuditEvent) => id;
const needle = searchOfQuery(query({ search: "needle" }));

test("a search that is out of time returns what it has found, and a cursor after the last event that it has read", async () => {
  const maker = new EventMaker();
  const hit = maker.next({ details: { text: "Needle" } });
  const events = [hit, ...maker.many(99)];
  let batches = 0;
  const page = await collectPage(needle, inBatches(events, 10, () => batches += 1), cursorOf, () => batches === 3);
  expect(page).toMatchObject({ events: [hit], hasMore: true, cursor: events[29]?.id });
  expect(batches).toBe(3);
});

test("a search that has read no event yet goes on, although it is out of time, since its cursor would be nowhere", async () => {
  const [event] = new EventMaker().many(1);
  const batches = async function* () {
    for (const batch of [[], [event!], []]) yield await Promise.resolve(batch);
  };
  const page = await collectPage(searchOfQuery(query()), batches(), cursorOf, () => true);
  expect(page).toMatchObject({ events: [event], hasMore: true, cursor: event!.id });
});

test("a cursor of elsewhere is shown as far as its hundredth character", () => {
  expect(foreignCursor("x".repeat(101)).message).toStartWith(`cursor: "${"x".repeat(100)}" is not`);
});

test("so does a search that reads too many non-matching events, however little time it took", async () => {
  const events = new EventMaker().many(MAX_MISSES + 3000);
  const page = await collectPage(needle, inBatches(events, 1000), cursorOf);
  expect(page).toMatchObject({ events: [], hasMore: true, cursor: events[MAX_MISSES - 1]?.id });
});

test("a search that reaches the end has no cursor", async () => {
  const events = new EventMaker().many(30);
  expect(await collectPage(needle, inBatches(events, 10), cursorOf)).toMatchObject({ hasMore: false, cursor: null });
});

test("the cursor is after the last event that was read, so no event is read twice", async () => {
  const maker = new EventMaker();
  const events = ["a", "b", "a", "b", "b", "a"].map((event) => maker.next({ event }));
  const page = await collectPage(searchOfQuery(query({ event: "a", limit: 2 })), inBatches(events, 4), cursorOf);
  expect(ids(page.events)).toEqual(ids([events[0], events[2]]));
  expect(page).toMatchObject({ hasMore: true, cursor: events[4]?.id });
});

test.each([
  ["a field's name and value", '"price":-5', true],
  ["a part of a text, in any case", "ZOË", true],
  ["a text with a quotation mark, as it is", 'say "go"', true],
  ["the same as JSON has it", 'say \\"go\\"', true],
  ["a field's name", "note", true],
  ["another value", '"price":5', false],
])("a search finds in the details %s", (_what, search, isFound) => {
  const event = new EventMaker().next({ details: { price: -5, note: 'Zoë: say "go"' } });
  expect(searchOfQuery(query({ search })).matches(event)).toBe(isFound);
});

test("a search finds each of the ids by a part, and the event's own by the whole", () => {
  const event = new EventMaker().next({ moduleId: "ORD-77", orderId: "o-88", userId: "Anna", entityId: "North" });
  const found = (search: string) => searchOfQuery(query({ search })).matches(event);
  expect(["ord-7", "O-8", "ann", "nort", event.id].map(found)).toEqual(Array(5).fill(true));
  expect(["ord-8", "south", event.id.slice(1)].map(found)).toEqual([false, false, false]);
});
