import { describe, expect, test } from "bun:test";
import {
  BUYER,
  BYSTANDER,
  connect,
  isKind,
  OPERATOR,
  serveTestEngine,
  submit,
  type TestClient,
  type TestEngine,
} from "../harness.ts";

function submitMany(engine: TestEngine, count: number): void {
  for (let number = 0; number < count; number++) submit(engine);
}

const gapsOf = (client: TestClient) => client.messages.filter((message) => isKind(message, "gap"));

async function resume(engine: TestEngine, userId: string, epoch: number, sequence: number): Promise<TestClient> {
  const client = await connect(engine, userId, { resume: { epoch, sequence } });
  await client.settled();
  return client;
}

describe("a connection that resumes", () => {
  test("gets a whole snapshot, then every missed event once, then live events, without a hole", async () => {
    const engine = serveTestEngine();
    const first = await connect(engine, OPERATOR);
    submitMany(engine, 3);
    await first.settled();
    const seen = first.events.at(-1)?.sequence ?? 0;
    first.close();
    submitMany(engine, 4);
    const second = await resume(engine, OPERATOR, engine.epoch, seen);
    submitMany(engine, 2);
    await second.settled();
    const numbers = second.sequences;
    expect(numbers).toEqual(Array.from(numbers, (_, place) => seen + 1 + place));
    expect(numbers.at(-1)).toBe(engine.engine.sequence);
    expect(gapsOf(second)).toEqual([]);
    expect(second.kinds.indexOf("event")).toBeGreaterThan(second.kinds.indexOf("snapshotEnd"));
    const end = await second.message("snapshotEnd");
    expect(end.sequence).toBe((await second.message("welcome")).sequence);
  });

  test("gets a gap for events that are no longer held, then the rest", async () => {
    const engine = serveTestEngine({ historySize: 5 });
    const first = await connect(engine, OPERATOR);
    await first.settled();
    const { sequence: seen } = await first.message("welcome");
    submitMany(engine, 6);
    const newest = engine.engine.sequence;
    const second = await resume(engine, OPERATOR, engine.epoch, seen);
    expect(gapsOf(second)).toEqual([{ kind: "gap", from: seen + 1, to: newest - 5 }]);
    expect(second.sequences).toEqual([4, 3, 2, 1, 0].map((back) => newest - back));
    expect(second.kinds.indexOf("gap")).toBeLessThan(second.kinds.indexOf("event"));
  });

  test("gets all events from before the first, its connection if none is missed, none of another epoch", async () => {
    const engine = serveTestEngine();
    submitMany(engine, 2);
    const last = await resume(engine, OPERATOR, engine.epoch, engine.engine.sequence);
    expect(last.events.map(({ type }) => type)).toEqual(["change.user"]);
    const all = await resume(engine, OPERATOR, engine.epoch, 0);
    expect(all.sequences[0]).toBe(engine.epoch + 1);
    const other = await resume(engine, OPERATOR, engine.epoch - 1, engine.epoch - 1);
    expect((await other.message("welcome")).epoch).toBe(engine.epoch);
    expect([other.sequences, gapsOf(other), gapsOf(all)]).toEqual([[], [], []]);
  });

  test("gets no event again, and no gap, if it names a number beyond the newest; the welcome has the true one", async () => {
    const engine = serveTestEngine();
    submitMany(engine, 2);
    const ahead = await resume(engine, OPERATOR, engine.epoch, engine.engine.sequence + 50);
    const { sequence: newest } = await ahead.message("welcome");
    expect(newest).toBe(engine.engine.sequence);
    submitMany(engine, 1);
    await ahead.settled();
    expect(gapsOf(ahead)).toEqual([]);
    expect(ahead.sequences).toEqual(Array.from(ahead.sequences, (_, place) => newest + 1 + place));
    expect(ahead.sequences.at(-1)).toBe(engine.engine.sequence);
  });

  test("gets only the missed events that its user may see", async () => {
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
