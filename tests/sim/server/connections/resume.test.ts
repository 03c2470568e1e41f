import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { EventMessage } from "../../../../protocol/index.ts";
import { EventHistory } from "../../../../sim/server/publication/event-history.ts";
import {
  BUYER,
  BYSTANDER,
  connect,
  isKind,
  OPERATOR,
  serveTestEngine,
  type TestClient,
  type TestEngine,
} from "../harness.ts";
import { restingBuy } from "../harness.ts";

function submit(engine: TestEngine, count: number): void {
  for (let number = 0; number < count; number++) {
    const operationId = crypto.randomUUID();
    engine.execute({ userId: BUYER, operationId, action: "order.submit", payload: restingBuy(engine.contractId) });
  }
}

const sequences = (client: TestClient) => client.events.map(({ sequence }) => sequence);
const gapsOf = (client: TestClient) => client.messages.filter((message) => isKind(message, "gap"));

async function resume(engine: TestEngine, userId: string, epoch: number, sequence: number): Promise<TestClient> {
  const client = await connect(engine, userId, { resume: { epoch, sequence } });
  await client.settled();
  return client;
}

describe("a connection that resumes", () => {
  test("gets a whole snapshot, then every event missed, then live ones, with no hole and none twice", async () => {
    const engine = serveTestEngine();
    const first = await connect(engine, OPERATOR);
    submit(engine, 3);
    await first.settled();
    const seen = first.events.at(-1)?.sequence ?? 0;
    first.close();
    submit(engine, 4);
    const second = await resume(engine, OPERATOR, engine.epoch, seen);
    submit(engine, 2);
    await second.settled();
    const numbers = sequences(second);
    expect(numbers).toEqual(Array.from(numbers, (_, place) => seen + 1 + place));
    expect(numbers.at(-1)).toBe(engine.engine.sequence);
    expect(gapsOf(second)).toEqual([]);
    const kinds = second.messages.map((message) => "kind" in message ? message.kind : "state");
    expect(kinds.indexOf("event")).toBeGreaterThan(kinds.indexOf("snapshotEnd"));
    const end = await second.message("snapshotEnd");
    expect(end.sequence).toBe((await second.message("welcome")).sequence);
  });

  test("is told of the events that are no longer there, then gets the rest", async () => {
    const engine = serveTestEngine({ historySize: 5 });
    const first = await connect(engine, OPERATOR);
    await first.settled();
    const { sequence: seen } = await first.message("welcome");
    submit(engine, 6);
    const newest = engine.engine.sequence;
    const second = await resume(engine, OPERATOR, engine.epoch, seen);
    expect(gapsOf(second)).toEqual([{ kind: "gap", from: seen + 1, to: newest - 5 }]);
    expect(sequences(second)).toEqual([4, 3, 2, 1, 0].map((back) => newest - back));
    const kinds = second.messages.map((message) => "kind" in message ? message.kind : "state");
    expect(kinds.indexOf("gap")).toBeLessThan(kinds.indexOf("event"));
  });

  test("from before the first event gets all of them", async () => {
    const engine = serveTestEngine();
    submit(engine, 2);
    const client = await resume(engine, OPERATOR, engine.epoch, 0);
    expect(sequences(client)[0]).toBe(engine.epoch + 1);
    expect(gapsOf(client)).toEqual([]);
  });

  test("of another epoch gets neither events nor a gap: the welcome tells that history is new", async () => {
    const engine = serveTestEngine();
    submit(engine, 2);
    const client = await resume(engine, OPERATOR, engine.epoch - 1, engine.epoch - 1);
    expect((await client.message("welcome")).epoch).toBe(engine.epoch);
    expect([sequences(client), gapsOf(client)]).toEqual([[], []]);
  });

  test("with nothing missed gets nothing but what its own return made", async () => {
    const engine = serveTestEngine();
    submit(engine, 1);
    const client = await resume(engine, OPERATOR, engine.epoch, engine.engine.sequence);
    expect(client.events.map(({ type }) => type)).toEqual(["change.user"]);
  });

  test("gets only what it may see of what it missed", async () => {
    const engine = serveTestEngine();
    const payload = { entityId: "RIVERBEND", counterpartyId: "HEARTLAND", status: "pending" };
    const from = engine.engine.sequence;
    engine.execute({ userId: BUYER, operationId: "1", action: "credit.setDocumentation", payload });
    const types = async (userId: string) =>
      (await resume(engine, userId, engine.epoch, from)).events.map(({ type }) => type);
    expect(await types(BYSTANDER)).not.toContain("change.documentation");
    expect(await types(OPERATOR)).toContain("change.documentation");
  });
});

describe("the history of events", () => {
  test("answers as a plain list does, for any size and numbers", () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 0, max: 22 }),
      (capacity, count, seen) => {
        const history = new EventHistory(capacity);
        const events = Array.from({ length: count }, (_, place): EventMessage => ({
          kind: "event",
          sequence: place + 1,
          type: "new.order",
          time: "2026-01-01T00:00:00.000Z",
          data: {},
        }));
        history.append(events);
        const held = events.slice(-capacity);
        const missing = Math.max(0, Math.min(count, count - held.length) - seen);
        const gap = missing > 0 ? [{ kind: "gap" as const, from: seen + 1, to: seen + missing }] : [];
        expect([...history.after(seen, count)]).toEqual([...gap, ...held.filter(({ sequence }) => sequence > seen)]);
      },
    );
    fc.assert(property);
  });

  test("announces the numbers between its events, and those after the last, as gaps", () => {
    const history = new EventHistory();
    const event = (sequence: number): EventMessage => ({
      kind: "event",
      sequence,
      type: "new.order",
      time: "2026-01-01T00:00:00.000Z",
      data: {},
    });
    history.append([event(1), event(2), event(5)]);
    const gap = (from: number, to: number) => ({ kind: "gap" as const, from, to });
    expect([...history.after(1, 7)]).toEqual([event(2), gap(3, 4), event(5), gap(6, 7)]);
    expect([...history.after(3, 5)]).toEqual([gap(4, 4), event(5)]);
    expect([...history.after(5, 5)]).toEqual([]);
  });
});
