import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { logger } from "../../../common/logger.ts";
import { freeze, thaw } from "../../../cli/server/freeze.ts";
import { examineRedis } from "../../../replicas/examine-redis.ts";
import { Desk, type Seat } from "../../plugins/support/desk.ts";
import { BASE } from "../../plugins/support/market.ts";
import { findRedisServer, startRedisServer } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";

const program = findRedisServer("tests of the access list for Redis");
const ORDER = { contractId: BASE, side: "BUY", price: 100, quantity: 1 };

/** The words of the command in docs/security.md. */
async function documentedCommand(): Promise<readonly string[]> {
  const text = await Bun.file(resolve(import.meta.dir, "../../../docs/security.md")).text();
  const line = /^ACL SETUSER .*$/m.exec(text)?.[0];
  if (line === undefined) throw new Error("docs/security.md has no ACL SETUSER");
  return line.split(" ");
}

describe.skipIf(program === null)("the documented access list", () => {
  test("gives a replica all that it needs, and nothing outside of its namespace", async () => {
    const redis = await startRedisServer(program!);
    const [command = "", ...args] = await documentedCommand();
    expect(await redis.command(command, ...args)).toBe("OK");
    const url = `redis://mkt:PASSWORD@127.0.0.1:${redis.port}`;
    const desk = await Desk.open();
    const open = async () => {
      const seat = await desk.seat("alice", { MKT_REDIS_URL: url });
      await until(() => seat.runtime.services.redis().status === "connected");
      return seat;
    };
    const [one, two] = [await open(), await open()];
    await one.ok("mkt_connect_pubsub");
    // A replica that connects later gets the order's events sent again, which come without the book.
    await until(() => two.runtime.services.pubsub.status === "connected");
    const { orderId } = await one.ok("mkt_create_test_order", ORDER);
    const ordersOfTwo = () => two.ok("mkt_list_orders", { status: "working" });
    await until(ordersOfTwo, ({ orders }) => JSON.stringify(orders).includes(String(orderId)));
    const eventsOf = (seat: Seat) => seat.ok("mkt_get_recent_events", {});
    // The order, and the book with it.
    const events = await until(() => eventsOf(one), ({ count }) => count === 2);
    expect(await until(() => eventsOf(two), ({ count }) => count === 2)).toEqual(events);
    const target = { path: null, redis: { url, namespace: "mkt" } };
    expect((await freeze(target, "")).failed).toEqual([]);
    expect((await thaw(target)).failed).toEqual([]);
    await two.ok("mkt_disconnect_pubsub");
    const { replicas } = one.runtime.services;
    await replicas!.pendingStates.put("id", null);
    expect(await replicas!.pendingStates.take("id", null)).toBe(true);
    expect(await replicas!.pendingStates.key()).toHaveLength(32);
    const log = await redis.command("ACL", "LOG");
    expect(log).toEqual([]);
    expect((await examineRedis({ url, namespace: "mkt" }, "alice", logger("test"))).state).toBe("warning");
    const { state, detail } = await examineRedis({ url, namespace: "other" }, "alice", logger("test"));
    expect({ state, detail }).toEqual({ state: "failed", detail: expect.stringContaining("NOPERM") });
  });
});
