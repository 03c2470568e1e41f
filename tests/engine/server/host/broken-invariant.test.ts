// An engine that throws has met a broken invariant. No input breaks an invariant, so the tests wrap a method that throws.

import { describe, expect, test } from "bun:test";
import { MemoryDisk } from "../../support/memory-journal.ts";
import { Engine } from "../../../../engine/engine.ts";
import { builtInMarket } from "../../../../engine/definition/built-in-market.ts";
import {
  BUYER,
  connect,
  restingBuy,
  SELLER,
  serveTestEngine,
  submission,
  type TestClient,
  VIEWER,
} from "../harness.ts";
import { CONTRACT, copyOf, snapshotOf, start } from "../journalled-engine.ts";

const FATAL = "fatal";
/** The price of the fatal order, in JSON within JSON, too. Numbers of events and times may have the same digits. */
const FATAL_PRICE = /price\W{1,9}666\b/;

/** Throws after the fatal request was applied: the worst case, since the state is changed. */
function failingOnRequest(engine: Engine): void {
  const execute = engine.execute.bind(engine);
  engine.execute = (request, now) => {
    const execution = execute(request, now);
    if (request.operationId === FATAL) throw new Error("an invariant\nis broken");
    return execution;
  };
}

function orders(modules: ReadonlyMap<string, unknown>): string[] {
  return [...modules.keys()].filter((path) => path.startsWith("/ORDER/"));
}

/** Sends two requests in one frame. The second is fatal. */
async function sendFatal(client: TestClient, others: readonly TestClient[]): Promise<void> {
  client.send([submission("before", restingBuy(CONTRACT)), submission(FATAL, { ...restingBuy(CONTRACT), price: 666 })]);
  for (const each of [client, ...others]) await each.ended();
}

describe("a request on which the engine fails", () => {
  test("ends connections and engine; the journal has it without its payload, and the restart leaves it out", async () => {
    const disk = new MemoryDisk();
    const engine = start(disk, { sabotage: failingOnRequest });
    const [client, witness] = [await connect(engine, BUYER), await connect(engine, VIEWER)];
    await sendFatal(client, [witness]);
    for (const { closed } of [client, witness]) expect(closed).toEqual({ code: 1001, reason: "shutting_down" });
    const { message } = await engine.failed;
    expect(message).toBe(
      `the engine failed on order.submit of user ${BUYER}, operation fatal: an invariant is broken; ` +
        "nobody was sent any result of it; start the engine again: it comes up without this request",
    );
    expect(() => engine.execute({ userId: BUYER, operationId: "2", action: "order.submit", payload: {} })).toThrow(
      message,
    );
    expect((await client.response("before")).status).toBe("ok");
    for (const each of [client, witness]) {
      expect(each.events.filter(({ type }) => type === "new.order")).toHaveLength(1);
      expect(JSON.stringify(each.messages)).not.toMatch(FATAL_PRICE);
    }
    // It is marked in the journal without its payload, and the restart leaves it out.
    const marks = disk.records.map(({ text }) => JSON.parse(text)).filter(({ kind }) => kind === "failed");
    expect(marks).toEqual([{
      kind: "failed",
      call: { kind: "execute", userId: BUYER, operationId: FATAL, action: "order.submit" },
      error: "an invariant is broken",
      now: expect.any(Number),
    }]);
    expect(JSON.stringify(disk)).not.toMatch(FATAL_PRICE);
    expect(orders(await snapshotOf(start(copyOf(disk))))).toEqual(["/ORDER/ORD-1"]);
  });

  test.each([["from its calls", undefined], ["from a checkpoint", 1]])(
    "is answered `internal` if it is repeated after a restart %s, with any content",
    async (_, checkpointRecords) => {
      const disk = new MemoryDisk();
      await sendFatal(await connect(start(disk, { sabotage: failingOnRequest }), BUYER), []);
      await start(disk, { checkpointRecords }).stop();
      const client = await connect(start(disk, { checkpointRecords }), BUYER);
      for (const price of [666, 777]) {
        const answer = await client.request("order.submit", { ...restingBuy(CONTRACT), price }, FATAL);
        expect(answer).toMatchObject({ status: "error", code: "internal" });
        expect(answer.message).toContain("it was not carried out");
      }
      expect(orders(await snapshotOf(start(copyOf(disk))))).toHaveLength(1);
      expect((await client.request("order.submit", restingBuy(CONTRACT), "another")).status).toBe("ok");
    },
  );

  test("ends an engine without a journal too, with a message that the market is lost", async () => {
    const now = Date.now();
    const options = { epoch: now * 1000, now, engineId: "test-engine", secret: null };
    const broken = new Engine(builtInMarket(), options);
    failingOnRequest(broken);
    const engine = serveTestEngine({ engine: broken });
    const client = await connect(engine, BUYER);
    client.send(submission(FATAL, restingBuy(CONTRACT)));
    await client.ended();
    expect((await engine.failed).message).toContain("without --data the market is lost");
  });
});

describe("another call on which the engine fails", () => {
  test("is marked too: the orders of an ended connection stay open after the restart", async () => {
    const disk = new MemoryDisk();
    const engine = start(disk, {
      sabotage: (broken) => {
        broken.cancelDisconnected = () => {
          throw new Error("an invariant is broken");
        };
      },
    });
    const leaving = await connect(engine, BUYER, { cancelOnDisconnect: true });
    await leaving.request("order.submit", restingBuy(CONTRACT));
    leaving.close();
    expect((await engine.failed).message).toContain("the cancellation of 1 orders of an ended connection");
    const modules = await snapshotOf(start(copyOf(disk)));
    expect(modules.get("/ORDER/ORD-1")).toMatchObject({ status: "working" });
  });

  test("of the schedule is reported as one that a restart meets again", async () => {
    const engine = start(new MemoryDisk(), {
      sabotage: (broken) => {
        broken.nextDeadline = () => 0;
        broken.advance = () => {
          throw new Error("an invariant is broken");
        };
      },
    });
    expect((await engine.failed).message).toContain("a restart meets the same schedule again");
  });
});

test("a record on which the engine fails stops the start, with the record's number", async () => {
  const disk = new MemoryDisk();
  const engine = start(disk);
  await (await connect(engine, SELLER)).request("order.submit", restingBuy(CONTRACT));
  const copy = copyOf(disk);
  const number = copy.records.length + 1;
  const text = JSON.stringify({ kind: "setConnected", userId: "nobody", connected: true, now: 1 });
  copy.records = [...copy.records, { number, text }];
  expect(() => start(copy)).toThrow(`journal: the engine fails on record ${number} (setConnected): `);
});
