import { describe, expect, test } from "bun:test";
import { MAX_REJECTED } from "../../../engine/operations/operation-log.ts";
import { MemoryDisk } from "../support/memory-journal.ts";
import { BUYER, connect, restingBuy, submission, type TestClient, VIEWER } from "./harness.ts";
import { auditOf, CONTRACT, copyOf, start } from "./journalled-engine.ts";

const MARKER = "not-for-the-journal";
const OFF_LOT = { ...restingBuy(CONTRACT), quantity: 1.5 };

/** Sends an order's submission with any payload, and waits for its answer. */
async function submit(client: TestClient, payload: unknown, operationId: string) {
  client.send(submission(operationId, payload));
  return await client.response(operationId);
}

/** A connected client, and the disk of its engine. */
async function connected(userId = BUYER) {
  const disk = new MemoryDisk();
  return { disk, client: await connect(start(disk), userId) };
}

function calls(disk: MemoryDisk): Record<string, unknown>[] {
  return disk.records.map(({ text }) => JSON.parse(text)).filter(({ kind }) => ["execute", "rejected"].includes(kind));
}

describe("the journal", () => {
  test("holds an accepted request as parsed, with defaults and without unknown fields", async () => {
    const { disk, client } = await connected();
    const payload = { ...restingBuy(CONTRACT), [MARKER]: { deep: [MARKER] } };
    expect((await submit(client, payload, "1")).status).toBe("ok");
    expect(calls(disk)).toMatchObject([{
      kind: "execute",
      userId: BUYER,
      operationId: "1",
      payload: { ...restingBuy(CONTRACT), timeInForce: "gtc" },
    }]);
    expect(JSON.stringify(disk)).not.toContain(MARKER);
  });

  test("holds of a rejected order what its audit event needs, and of another rejected request nothing", async () => {
    const { disk, client } = await connected();
    const payload = { ...OFF_LOT, clientOrderId: "mine" };
    expect((await submit(client, payload, "1")).code).toBe("invalid_quantity");
    expect((await client.request("market.halt", { reason: MARKER }, "2")).code).toBe("forbidden");
    expect(calls(disk)).toEqual([{
      kind: "rejected",
      userId: BUYER,
      operationId: "1",
      action: "order.submit",
      fingerprint: expect.any(String),
      code: "invalid_quantity",
      message: expect.any(String),
      terms: { ...OFF_LOT, clientOrderId: "mine" },
      now: expect.any(Number),
    }, expect.objectContaining({ kind: "rejected", operationId: "2", code: "forbidden" })]);
    expect(JSON.stringify(disk)).not.toContain(MARKER);
  });

  test("holds no unparsable request, no repeat and no conflict", async () => {
    const { disk, client } = await connected();
    await client.request("order.submit", restingBuy(CONTRACT), "1");
    await client.request("order.submit", OFF_LOT, "2");
    const before = disk.records.length;
    const send = async (payload: unknown, operationId: string, action = "order.submit") => {
      const requestId = crypto.randomUUID();
      client.send({ ...submission(requestId, payload, operationId), action });
      const { status, code } = await client.response(requestId);
      return code ?? status;
    };
    expect(await send(restingBuy(CONTRACT), "1")).toBe("ok");
    expect(await send(OFF_LOT, "2")).toBe("invalid_quantity");
    expect(await send({ ...restingBuy(CONTRACT), price: 7 }, "1")).toBe("operation_conflict");
    expect(await send({ [MARKER]: MARKER }, "3")).toBe("invalid_payload");
    expect(await send({}, "4", "market.explode")).toBe("invalid_payload");
    await client.settled();
    expect(disk.records.length).toBe(before);
  });
});

describe.each([["from the calls alone", undefined], ["from a checkpoint", 1]])(
  "a restart %s",
  (_, checkpointRecords) => {
    test("gives a repeated rejected request its first answer, and uses no event number twice", async () => {
      const disk = new MemoryDisk();
      const first = start(disk, { checkpointRecords });
      const client = await connect(first, BUYER);
      const { epoch, sequence } = await client.message("welcome");
      const { requestId: _, ...answer } = await client.request("order.submit", OFF_LOT, "1");
      await client.request("order.submit", restingBuy(CONTRACT), "2");
      const cancelled = await client.request("order.cancel", { orderId: "ORD-1" }, "3");
      expect(cancelled.status).toBe("ok");
      const { requestId: __, ...second } = await client.request("order.cancel", { orderId: "ORD-1" }, "4");
      expect(second).toMatchObject({ code: "not_cancellable", result: { order: { id: "ORD-1" } } });
      await client.settled();
      const last = client.events.at(-1)?.sequence ?? Infinity;

      const again = await connect(start(copyOf(disk), { checkpointRecords }), BUYER, { resume: { epoch, sequence } });
      expect(await again.request("order.submit", OFF_LOT, "1")).toMatchObject(answer);
      expect(await again.request("order.cancel", { orderId: "ORD-1" }, "4")).toMatchObject(second);
      expect((await again.request("order.submit", { ...OFF_LOT, quantity: 2.5 }, "1")).code).toBe("operation_conflict");
      const welcome = await again.message("welcome");
      expect(welcome.sequence).toBeGreaterThanOrEqual(last);
      // Every event number after the last one seen comes as an event or in a gap.
      const told = again.messages.flatMap((message) => {
        if (!("kind" in message)) return [];
        if (message.kind === "event") return [message.sequence];
        if (message.kind !== "gap") return [];
        return Array.from({ length: message.to - message.from + 1 }, (_, at) => message.from + at);
      });
      expect(told.slice(0, welcome.sequence - sequence)).toEqual(
        Array.from({ length: welcome.sequence - sequence }, (_, at) => sequence + 1 + at),
      );
    });
  },
);

describe("rejected requests", () => {
  test("are remembered up to a limit for each user; a forgotten one is checked again", async () => {
    const disk = new MemoryDisk();
    const engine = start(disk);
    const client = await connect(engine, BUYER);
    await client.request("order.submit", OFF_LOT, "first");
    for (let count = 0; count < MAX_REJECTED - 1; count++) {
      engine.execute({ userId: BUYER, operationId: `${count}`, action: "order.submit", payload: OFF_LOT });
    }
    expect((await client.request("order.submit", restingBuy(CONTRACT), "first")).code).toBe("operation_conflict");
    engine.execute({ userId: BUYER, operationId: "one more", action: "order.submit", payload: OFF_LOT });
    expect((await client.request("order.submit", restingBuy(CONTRACT), "first")).status).toBe("ok");
  });

  test("keep their place in an audit trail whose end was lost with the process", async () => {
    const { disk, client } = await connected();
    await client.request("order.submit", { ...OFF_LOT, clientOrderId: MARKER }, "1");
    await client.request("order.submit", restingBuy(CONTRACT), "2");
    const lost = Object.assign(new MemoryDisk(), { ...disk, records: [...disk.records] });
    expect(await auditOf(start(lost))).toMatchObject([
      {
        event: "orderRejected",
        userId: BUYER,
        orderId: `refused:${BUYER}:${MARKER}`,
        details: { ...OFF_LOT, clientOrderId: MARKER, code: "invalid_quantity" },
      },
      { event: "orderQueued", orderId: "ORD-1" },
    ]);
  });

  test("of a user without Order.Submit leave no payload either", async () => {
    const { disk, client } = await connected(VIEWER);
    const payload = { ...restingBuy(CONTRACT), clientOrderId: MARKER };
    expect((await client.request("order.submit", payload, "1")).code).toBe("forbidden");
    expect(JSON.stringify(disk)).not.toContain(MARKER);
  });
});
