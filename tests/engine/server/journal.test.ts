// An engine with a journal: when it sends messages, and what a restart restores. It is served over a real socket; the
// journal is in memory, and its synced records outlive the engine.

import { describe, expect, test } from "bun:test";
import { type EngineMessage, type entitiesResponse, PATHS } from "../../../protocol/index.ts";
import { DEFAULT_ENGINE_LIMITS } from "../../../common/http/guards/engine-limits.ts";
import { MemoryDisk } from "../support/memory-journal.ts";
import { BUYER, connect, consecutive, OPERATOR, restingBuy, SECRET, SELLER, submission, VIEWER } from "./harness.ts";
import { until } from "../../support/until.ts";
import {
  auditBeside,
  auditOf,
  CONTRACT,
  copyOf,
  FIRST_START,
  modulesOf,
  snapshotOf,
  start,
} from "./journalled-engine.ts";

/** The type of a state or an event, the requestId of a response, the kind of another message. */
function briefly(message: EngineMessage): string {
  if ("statePath" in message) return message.statePath.split("/")[1] ?? "";
  if (message.kind === "event") return message.type;
  return message.kind === "response" ? message.requestId : message.kind;
}

describe("an engine with a journal", () => {
  test("answers nothing before the sync", async () => {
    const engine = start(new MemoryDisk());
    const [client, witness] = [await connect(engine, BUYER), await connect(engine, VIEWER)];
    await client.settled();
    await witness.settled();
    const sent: number[] = [];
    const before = client.messages.length + witness.messages.length;
    engine.store.onSync = () => sent.push(client.messages.length + witness.messages.length - before);
    expect((await client.request("order.submit", restingBuy(CONTRACT))).status).toBe("ok");
    expect(sent).toEqual([0]);
  });

  test("commits and answers the requests of one frame together, the answers after all events", async () => {
    const engine = start(new MemoryDisk());
    const client = await connect(engine, BUYER);
    await client.settled();
    engine.store.log.length = 0;
    const before = client.frames.length;
    client.send(["a", "b", "c"].map((id) => submission(id, restingBuy(CONTRACT))));
    await client.response("c");
    expect(engine.store.log).toEqual(["append 3", "sync"]);
    const told = client.frames.slice(before).map((frame) => frame.map(briefly));
    const order = ["new.order", "change.book"];
    expect(told).toEqual([[...order, ...order, ...order], ["a", "b", "c"]]);
    expect(client.sequences).toEqual(consecutive(client.sequences));
  });

  test.each([undefined, 1])(
    "keeps its open orders after a restart with a lower limit (checkpoints: %p)",
    async (checkpointRecords) => {
      const disk = new MemoryDisk();
      const order = restingBuy(CONTRACT);
      const engine = start(disk, { checkpointRecords });
      const client = await connect(engine, BUYER);
      for (let count = 0; count < 3; count++) expect((await client.request("order.submit", order)).status).toBe("ok");
      await engine.stop();
      const ordersOf = async (served: typeof engine) =>
        [...await snapshotOf(served)].filter(([path]) => path.startsWith("/ORDER/")).length;

      const lowered = start(disk, { limits: { ...DEFAULT_ENGINE_LIMITS, openOrdersPerUser: 2 } });
      expect(await ordersOf(lowered)).toBe(3);
      const again = await connect(lowered, BUYER);
      expect(await again.request("order.submit", order)).toMatchObject({ status: "rejected", code: "limit_exceeded" });
      await lowered.stop();

      const raised = start(disk, { limits: { ...DEFAULT_ENGINE_LIMITS, openOrdersPerUser: 4 } });
      const last = await connect(raised, BUYER);
      expect((await last.request("order.submit", order)).status).toBe("ok");
      expect(await last.request("order.submit", order)).toMatchObject({ code: "limit_exceeded" });
      expect(await ordersOf(raised)).toBe(4);
    },
  );

  test("commits state before it shows the state over HTTP", async () => {
    const disk = new MemoryDisk();
    const engine = start(disk);
    engine.execute({ userId: BUYER, operationId: "1", action: "order.submit", payload: restingBuy(CONTRACT) });
    const isDurable = () => disk.records.some(({ text }) => text.includes('"operationId":"1"'));
    expect(isDurable()).toBe(false);
    const answer = await fetch(`${engine.url}${PATHS.entities}`, { headers: { "X-Mkt-User": OPERATOR } });
    expect((await answer.json() as typeof entitiesResponse._output).entities.length).toBeGreaterThan(0);
    expect(isDurable()).toBe(true);
  });

  test("stops if the journal can't be written: no answer, shutting_down, and a failure of one line", async () => {
    const disk = new MemoryDisk();
    const engine = start(disk);
    const [client, witness] = [await connect(engine, BUYER), await connect(engine, VIEWER)];
    await witness.settled();
    const events = witness.events.length;
    engine.store.failing = true;
    client.send(submission("lost", restingBuy(CONTRACT)));
    for (const each of [client, witness]) {
      await each.ended();
      expect(each.closed).toEqual({ code: 1001, reason: "shutting_down" });
    }
    expect(client.messages.some((message) => "requestId" in message && message.requestId === "lost")).toBe(false);
    expect(witness.events.length).toBe(events);
    expect((await engine.failed).message).toBe("the journal can't be written: the disk is full");
    expect(() => engine.execute({ userId: BUYER, operationId: "2", action: "order.submit", payload: {} })).toThrow();
    expect(fetch(`${engine.url}${PATHS.entities}`, { headers: { "X-Mkt-User": OPERATOR } })).rejects.toThrow();
    expect(disk.records.some(({ text }) => text.includes("lost"))).toBe(false);
  });
});

describe("an audit trail that can't be written", () => {
  test("stops the engine before it answers; the restart has the order and its audit event", async () => {
    const disk = new MemoryDisk();
    const client = await connect(start(disk), BUYER);
    const audit = auditBeside(disk);
    audit.record = () => {
      throw new Error("the disk is full");
    };
    client.send(submission("1", restingBuy(CONTRACT)));
    await client.ended();
    expect(client.closed).toEqual({ code: 1001, reason: "shutting_down" });
    expect(client.messages.some((message) => "requestId" in message)).toBe(false);
    Reflect.deleteProperty(audit, "record");
    const next = start(copyOf(disk));
    expect(await auditOf(next)).toMatchObject([{ event: "orderQueued" }]);
  });

  test("outside of a call stops the engine too", async () => {
    const disk = new MemoryDisk();
    let fail: (failure: Error) => void = () => {};
    const audit = auditBeside(disk);
    audit.watch = (onFailure: (failure: Error) => void) => void (fail = onFailure);
    const engine = start(disk);
    const client = await connect(engine, BUYER);
    fail(new Error("the thread of the audit trail has ended"));
    await client.ended();
    expect((await engine.failed).message)
      .toBe("the journal can't be written: the thread of the audit trail has ended");
    Reflect.deleteProperty(audit, "watch");
    expect((await connect(start(copyOf(disk)), BUYER)).closed).toBeNull();
  });
});

describe.each([["from the calls alone", undefined], ["from a checkpoint", 3]])(
  "a restart %s",
  (_, checkpointRecords) => {
    test("restores orders, trades, credit and audit trail, and event numbers continue", async () => {
      const disk = new MemoryDisk();
      const first = start(disk, { checkpointRecords });
      const [buyer, seller] = [await connect(first, BUYER), await connect(first, SELLER)];
      for (const quantity of [10, 20, 30]) {
        await buyer.request("order.submit", { ...restingBuy(CONTRACT), quantity });
      }
      await seller.request("order.submit", { ...restingBuy(CONTRACT), side: 1, quantity: 25 });
      const before = await snapshotOf(first);
      const audit = await auditOf(first);
      const { sequence: lastSequence } = await (await connect(first, VIEWER)).message("snapshotEnd");
      expect(disk.checkpoint !== null).toBe(checkpointRecords !== undefined);

      const second = start(copyOf(disk), { checkpointRecords, hours: 0.5 });
      const client = await connect(second, VIEWER);
      const welcome = await client.message("welcome");
      const after = modulesOf(client);
      for (const [path, state] of before) {
        if (!/^\/(MARKET|USER)\//.test(path)) expect([path, after.get(path)]).toEqual([path, state]);
      }
      expect(welcome.epoch).toBe(FIRST_START * 1000);
      expect(welcome.sequence).toBeGreaterThan(lastSequence);
      expect([...await auditOf(second)].slice(0, audit.length)).toEqual(audit);
      await (await connect(second, BUYER)).request("order.submit", restingBuy(CONTRACT));
      await until(() => client.events.some(({ type }) => type === "new.order"), "the order's event");
      expect(client.events[0]?.sequence).toBe(welcome.sequence + 1);
    });

    test("gives a repeated operation its first answer", async () => {
      const disk = new MemoryDisk();
      const client = await connect(start(disk, { checkpointRecords }), BUYER);
      const answer = await client.request("order.submit", restingBuy(CONTRACT), "once");
      for (const id of ["x", "y", "z"]) await client.request("order.submit", restingBuy(CONTRACT), id);
      const again = await connect(start(copyOf(disk), { checkpointRecords }), BUYER);
      const { requestId: _, ...repeat } = await again.request("order.submit", restingBuy(CONTRACT), "once");
      expect(repeat).toEqual(expect.objectContaining({ status: answer.status, result: answer.result }));
      const conflict = await again.request("order.submit", { ...restingBuy(CONTRACT), quantity: 7 }, "once");
      expect(conflict.code).toBe("operation_conflict");
    });

    test("cancels the orders of cancelOnDisconnect connections, and marks all users as disconnected", async () => {
      const disk = new MemoryDisk();
      const first = start(disk, { checkpointRecords });
      const leaving = await connect(first, BUYER, { cancelOnDisconnect: true });
      const staying = await connect(first, SELLER);
      const left = await leaving.request("order.submit", restingBuy(CONTRACT));
      const kept = await staying.request("order.submit", { ...restingBuy(CONTRACT), price: 900 });
      for (const price of [800, 700]) await staying.request("order.submit", { ...restingBuy(CONTRACT), price });
      expect((await snapshotOf(first)).get(`/USER/${BUYER}`)).toMatchObject({ connected: true });

      const modules = await snapshotOf(start(copyOf(disk), { checkpointRecords }));
      const orderOf = ({ result }: typeof left) => modules.get(`/ORDER/${(result?.order as { id: string }).id}`);
      expect(orderOf(left)).toMatchObject({ status: "cancelled", closeReason: "disconnected" });
      expect(orderOf(kept)).toMatchObject({ status: "working" });
      expect(modules.get(`/USER/${BUYER}`)).toMatchObject({ connected: false });
      expect(modules.get(`/USER/${SELLER}`)).toMatchObject({ connected: false });
    });

    test("with another secret keeps what the old one allowed, and stores neither secret", async () => {
      const disk = new MemoryDisk();
      const client = await connect(start(disk, { checkpointRecords }), OPERATOR);
      expect((await client.request("dev.reset", { secret: SECRET, creditLimit: 77 })).status).toBe("ok");
      for (const id of ["x", "y"]) await client.request("market.flush", { preview: true }, id);
      const copy = copyOf(disk);
      const second = await connect(start(copy, { checkpointRecords, secret: "another" }), OPERATOR);
      const credit = second.states.find(({ statePath }) => statePath.startsWith("/CREDIT/"));
      expect(credit?.state?.limits).toMatchObject([{ limit: 77 }]);
      expect((await second.request("dev.reset", { secret: SECRET, creditLimit: 7 })).code).toBe("wrong_secret");
      expect((await second.request("dev.reset", { secret: "another", creditLimit: 7 })).status).toBe("ok");
      expect(JSON.stringify(copy)).not.toContain(SECRET);
      const third = await connect(start(copyOf(copy), { checkpointRecords, secret: null }), OPERATOR);
      expect(third.states.find(({ statePath }) => statePath.startsWith("/CREDIT/"))?.state?.limits)
        .toMatchObject([{ limit: 7 }]);
      expect((await third.request("dev.reset", { secret: "another", creditLimit: 7 })).code).toBe("not_configured");
    });
  },
);

describe("after a restart", () => {
  test("events since the checkpoint are sent again to those that resume; older ones are a gap", async () => {
    const disk = new MemoryDisk();
    const client = await connect(start(disk), BUYER);
    const { sequence, epoch } = await client.message("welcome");
    for (const id of ["1", "2"]) await client.request("order.submit", restingBuy(CONTRACT), id);
    await client.settled();
    const seen = client.events;

    const resumed = await connect(start(copyOf(disk)), BUYER, { resume: { epoch, sequence } });
    await until(() => resumed.events.length >= seen.length, "the missed events");
    expect(resumed.events.slice(0, seen.length)).toEqual(seen);

    const stopped = start(disk);
    await stopped.stop();
    expect(disk.records).toEqual([]);
    const late = await connect(start(disk), BUYER, { resume: { epoch, sequence } });
    const gap = await late.message("gap");
    expect(gap.from).toBe(sequence + 1);
    expect(gap.to).toBeGreaterThanOrEqual(seen.at(-1)?.sequence ?? Infinity);
  });

  test("an orderly stop saves a checkpoint, and a second stop without changes keeps it", async () => {
    const disk = new MemoryDisk();
    const first = start(disk);
    await (await connect(first, BUYER)).request("order.submit", restingBuy(CONTRACT));
    await first.stop();
    expect(disk.checkpoint).not.toBeNull();
    expect(disk.records).toEqual([]);
    const { checkpoint } = disk;
    await start(disk).stop();
    expect(disk.checkpoint).toBe(checkpoint);
    const orders = [...await snapshotOf(start(disk))].filter(([path]) => path.startsWith("/ORDER/"));
    expect(orders.length).toBe(1);
  });
});
