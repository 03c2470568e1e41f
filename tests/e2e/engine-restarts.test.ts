// The engine is killed under load and restarted again and again. mkt must reconnect each time, polling with `since`
// must continue, and what an agent was told about its orders must agree with the engine.

import { describe, expect, test } from "bun:test";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { startEngineProcess } from "../support/executable.ts";
import { size } from "../support/sizes.ts";
import { viewEngine } from "./support/engine-view.ts";
import { verdictOn } from "./support/order-verdict.ts";
import { TradingPost } from "./support/trading-post.ts";
import { until } from "../support/until.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { SEED, withSeedInFailures } from "../support/seed.ts";

const RESTARTS = size(1, 20);
const OUTSTANDING = 8;
const USERS = ["riverbend-trader-1", "heartland-trader-1"];
/** Orders that each agent completes between two kills. */
const ORDERS_BETWEEN = size(10, 20);

describe("an engine that is killed under load", () => {
  test(`and restarted ${RESTARTS} times is reconnected each time, and no order and no event is lost`, async () => {
    const random = new SeededRandom(SEED);
    const directory = temporaryDirectory();
    const start = (port: number) =>
      startEngineProcess({ args: ["--data", directory], env: { LOG_LEVEL: "error" }, port });
    let engine = await start(0);
    const posts: TradingPost[] = [];
    await withSeedInFailures(async () => {
      for (const userId of USERS) {
        const post = await TradingPost.open({
          userId,
          env: engine.environmentFor(userId),
          random: random.fork(userId),
          greatestPauseMs: 20,
          untilPoll: () => Bun.sleep(size(100, 20)),
        });
        posts.push(post);
        await post.poll();
      }
      const trading = Promise.all(posts.map(({ trader }) => trader.trade(Infinity, OUTSTANDING)));
      for (let restart = 0; restart < RESTARTS; restart += 1) {
        for (const { trader } of posts) {
          const enough = trader.attempts.length + ORDERS_BETWEEN;
          await Promise.race([trading, until(() => trader.attempts.length >= enough)]);
        }
        await Bun.sleep(random.integer(0, 100));
        await engine.crash();
        engine = await start(engine.port);
        for (const post of posts) await post.connected();
      }
      for (const { trader } of posts) trader.stop();
      await trading;
      const url = engine.webSocketUrl;
      for (const post of posts) {
        const view = await viewEngine(url, post.trader.options.userId);
        await post.agreesWith(view);
        const { reconnects } = await post.pubsub();
        const { sequences: { length: seen }, missed } = post.poller!;
        console.log(JSON.stringify({ ...verdictOn(view, post.trader), reconnects, seen, missed }));
        expect(reconnects).toBe(RESTARTS);
        expect(seen).toBeGreaterThan(RESTARTS * ORDERS_BETWEEN);
      }
    });
  });
});
