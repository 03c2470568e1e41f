import { beforeEach, describe, expect, test } from "bun:test";
import type { AuditStore } from "../../../common/audit/audit-store.ts";
import type { AzureAuditStore } from "../../../common/audit/azure/azure-audit-store.ts";
import type { Logger } from "../../../common/logger.ts";
import type { AuditEvent } from "../../../protocol/index.ts";
import { AuditDelivery } from "../../../engine/audit/audit-delivery.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import { EventMaker, ids, NOW, query } from "../../common/audit/support/events.ts";
import { createTable, startAzurite, storeIn } from "../../support/azurite.ts";
import { TableProxy } from "../../support/table-proxy.ts";
import { until } from "../../support/until.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { atEnd } from "../../support/at-end.ts";

const azurite = await startAzurite();
let proxy: TableProxy;
/** The store to which events are delivered, and one on the same table with a short time limit. */
let target: AzureAuditStore;
let impatientTarget: AzureAuditStore;
let directory: string;
let log: RecordedLog;

beforeEach(async () => {
  proxy = new TableProxy(azurite.port);
  const tableName = await createTable(azurite);
  target = storeIn(tableName, proxy.port, { now: () => NOW, timeLimitMs: 60_000 });
  impatientTarget = storeIn(tableName, proxy.port, { now: () => NOW, timeLimitMs: 1000 });
  directory = temporaryDirectory();
  log = new RecordedLog();
});

class RecordedLog {
  readonly lines: { level: string; message: string; facts: Record<string, unknown> }[] = [];
  readonly logger: Logger;

  constructor() {
    const note = (level: string) => (message: string, facts: Record<string, unknown> = {}) =>
      void this.lines.push({ level, message, facts });
    this.logger = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") } as Logger;
  }

  at(...levels: string[]) {
    return this.lines.filter(({ level }) => levels.includes(level));
  }
}

/** The audit trail and delivery of an engine process. */
function start(source = SqliteAuditStore.open(directory, { now: () => NOW }), to: AuditStore = target) {
  const delivery = new AuditDelivery({ source, target: to, log: log.logger, random: () => 0 });
  atEnd(() => delivery.stop(0));
  return {
    source,
    delivery,
    untilDelivered: () => until(() => delivery.undelivered === 0),
    /** Ends without a sync, as a kill would. */
    kill: async () => {
      await proxy.disconnect();
      await delivery.stop(0);
      source.close();
      proxy.connect();
    },
  };
}

/** All events in the target, oldest first. */
async function arrived(): Promise<AuditEvent[]> {
  const events: AuditEvent[] = [];
  let cursor: string | undefined;
  do {
    const page = await target.query(query({ limit: 200, cursor }));
    events.push(...page.events);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return events.reverse();
}

describe("audit events", () => {
  test("arrive unchanged and in order, in batches", async () => {
    const { source, untilDelivered } = start();
    const events = new EventMaker().many(210, (index) => ({ details: { index } }));
    source.append(events);
    await untilDelivered();
    expect(await arrived()).toEqual(events);
    // Three batches in each of three kinds of partitions.
    expect(proxy.requests.filter(({ path }) => path.endsWith("$batch"))).toHaveLength(9);
    expect(log.at("warn", "error")).toEqual([]);
  });

  test.each<[string, TableProxy["fault"]]>([
    ["unreachable", null],
    ["busy", { kind: "status", status: 503 }],
    ["throttling", { kind: "status", status: 429 }],
    ["failing after it has written", { kind: "status", status: 500, applied: true }],
    ["silent", { kind: "silence" }],
  ])("wait while storage is %s, then all arrive once and in order", async (_name, fault) => {
    const maker = new EventMaker();
    const { source, delivery, untilDelivered } = start(undefined, fault?.kind === "silence" ? impatientTarget : target);
    const events = maker.many(40);
    if (fault === null) await proxy.disconnect();
    proxy.fault = fault;
    source.append(events);
    await until(() => log.at("warn").length > 0);
    expect(delivery.undelivered).toBe(40);
    const more = maker.many(10);
    source.append(more);
    proxy.fault = null;
    if (fault === null) proxy.connect();
    await untilDelivered();
    expect(ids(await arrived())).toEqual(ids([...events, ...more]));
    // A warning for each time without storage, not for each attempt. Impatience may see another one on a busy machine.
    const ends = log.at("info").filter(({ message }) => message.includes("delivered again"));
    expect(log.at("warn")).toHaveLength(ends.length);
    if (fault?.kind !== "silence") expect(ends).toHaveLength(1);
  });

  test("that were undelivered at a kill are delivered by the next process", async () => {
    const maker = new EventMaker();
    const first = start();
    const delivered = maker.many(20);
    first.source.append(delivered);
    await first.untilDelivered();
    proxy.fault = { kind: "status", status: 503 };
    const waiting = maker.many(110);
    first.source.append(waiting);
    first.source.sync();
    await until(() => log.at("warn").length > 0);
    await first.kill();
    proxy.fault = null;
    proxy.requests.length = 0;
    const second = start();
    expect(second.delivery.undelivered).toBe(110);
    await second.untilDelivered();
    expect(proxy.requests.filter(({ path }) => path.endsWith("$batch"))).toHaveLength(6);
    expect(ids(await arrived())).toEqual(ids([...delivered, ...waiting]));
  });

  test("that were written but not marked at a kill arrive once", async () => {
    const events = new EventMaker().many(40);
    await target.append(events.slice(0, 25));
    const { source, untilDelivered } = start();
    source.append(events);
    await untilDelivered();
    expect(ids(await arrived())).toEqual(ids(events));
  });

  test("in memory wait up to the capacity, and lost ones are counted", async () => {
    const maker = new EventMaker();
    const { source, untilDelivered } = start(SqliteAuditStore.inMemory({ now: () => NOW, capacity: 100 }));
    await proxy.disconnect();
    const events = maker.many(300);
    source.append(events);
    await until(() => log.at("warn").length > 0);
    proxy.connect();
    await untilDelivered();
    expect(log.at("error").map(({ facts }) => facts)).toContainEqual({ lost: 200 });
    expect(ids(await arrived())).toEqual(ids(events.slice(200)));
  });

  test("are reported as undeliverable before there are any, if storage fails", async () => {
    proxy.fault = { kind: "status", status: 503 };
    const { source } = start();
    await until(() => log.at("warn").length > 0);
    expect(log.at("warn")[0]?.facts).toMatchObject({
      undelivered: 0,
      reason: expect.stringContaining("busy or failing (503)"),
    });
    proxy.fault = null;
    await until(() => log.at("info").length > 0);
    proxy.fault = { kind: "status", status: 503 };
    source.append(new EventMaker().many(1));
    await until(() => log.at("warn").length > 1);
    expect(log.at("warn")[1]?.facts).toMatchObject({ undelivered: 1 });
  });

  test("are all delivered at an orderly stop", async () => {
    const events = new EventMaker().many(110);
    const { source, delivery } = start();
    source.append(events);
    await delivery.stop(30_000);
    expect(ids(await arrived())).toEqual(ids(events));
  });

  test("that can't be delivered at a stop are counted, without waiting", async () => {
    const { source, delivery } = start();
    proxy.fault = { kind: "silence" };
    source.append(new EventMaker().many(10));
    await delivery.stop(50);
    expect(log.at("warn").map(({ facts }) => facts)).toContainEqual({
      undelivered: 10,
      fate: "will be at the next start",
    });
  });
});
