import { beforeEach, describe, expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { countsOf, type History } from "../../../core/market/event-content.ts";
import type { BufferedEvent } from "../../../core/market/event-reader.ts";
import { LogStore } from "../../../replicas/event-log/log-store.ts";
import { BunRedisLink } from "../../../replicas/redis/bun-redis-link.ts";
import { keysOf } from "../../../replicas/redis/keys.ts";
import type { RedisLink } from "../../../replicas/redis/redis-link.ts";
import { atEnd } from "../../support/at-end.ts";
import { findRedisServer, startRedisServer } from "../../support/redis-server.ts";

const program = findRedisServer("tests of the log on Redis");
const HISTORY: History = { engineId: "engine-1", epoch: 0, userId: "u-1", entityId: null, capabilities: [] };

describe.skipIf(program === null)("the log on Redis", async () => {
  const server = program === null ? null! : await startRedisServer(program);
  beforeEach(() => server.clear());

  async function linkOf(): Promise<BunRedisLink> {
    const link = new BunRedisLink({ url: server.url, log: logger("test") });
    atEnd(() => link.close());
    await link.connected(20_000);
    return link;
  }

  test("is read without a hole if events are trimmed between two pages", async () => {
    const size = 300;
    const link = await linkOf();
    const writer = new LogStore(link, keysOf("mkt", "u-1"), HISTORY);
    const added = countsOf((category) => category === "other" ? size : 0);
    await writer.fill("g", events(1, size));
    await writer.replace("g", { generation: null, isDamaged: false }, {
      ...{ start: 0, top: size, added },
      items: events(1, size),
    });
    let pages = 0;
    const paused: RedisLink = {
      isUp: true,
      send: (command, args) => link.send(command, args),
      onUp: () => () => {},
      onDown: () => () => {},
      run: async (script, keys, args) => {
        const reply = await link.run(script, keys, args);
        pages += 1;
        if (pages === 1) {
          await writer.append({
            ...{ generation: "g", writer: "w", force: true, after: size, size: size - 1 },
            items: events(size + 1, 250),
          });
        }
        return reply;
      },
    };
    const part = await new LogStore(paused, keysOf("mkt", "u-1"), HISTORY).read("g", 0);
    expect(pages).toBe(2);
    expect(part!.head.top).toBe(size);
    expect(part!.items.other).toEqual(events(251, 50));
  });
});

function events(first: number, count: number): BufferedEvent[] {
  return Array.from({ length: count }, (_, at) => event(first + at));
}

function event(sequence: number): BufferedEvent {
  return { sequence, category: "other", type: "odd.thing", time: "2030-06-01T12:00:00.000Z", data: {}, book: null };
}
