// Agents trade through a proxy that cuts connections and stalls, delays and duplicates frames. What an agent was told about
// an order must agree with the engine, and every event must be seen once or counted as missed. A second proxy garbles
// frames: mkt must keep running, and show what the engine has once the connection works again.

import { describe, expect, test } from "bun:test";
import { EVENT_CATEGORIES } from "../../protocol/index.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { startSimulatedMarket } from "../support/power-market.ts";
import { LONG, size } from "../support/sizes.ts";
import { type ChaosProfile, ChaosProxy } from "./support/chaos-proxy.ts";
import { differenceFrom, viewEngine } from "./support/engine-view.ts";
import { verdictOn } from "./support/order-verdict.ts";
import { TradingPost } from "./support/trading-post.ts";
import { until } from "../support/until.ts";
import { SEED, withSeedInFailures } from "../support/seed.ts";

const ORDERS = size(40, 10_000);
const CONFIRM_TIMEOUT_MS = size(700, 15_000);
const GARBLED_ORDERS = size(12, 3_000);
const OUTSTANDING = 8;
/** Events of each category. An agent makes far more of its own, however few the market adds. */
const SMALL_BUFFER = size(3, 20);
const TIMEOUT = { MKT_CONFIRM_TIMEOUT_MS: String(CONFIRM_TIMEOUT_MS) };
const untilSoon = () => Bun.sleep(size(100, 20));
const TRADERS = ["riverbend-trader-1", "heartland-trader-1", "summit-trader-1", "lakeshore-trader-1"];
const USERS = TRADERS.slice(0, size(2, 4));
/**
 * A connection that has brought so many answers since a fault has also brought the outcomes from before it, with the full
 * confirmation timeout of 15 s. A number of answers, because a busy machine needs more time for each.
 */
const LINK_IS_BACK = 400;

const ROUGH: ChaosProfile = {
  meanLifeMs: size(600, 2_500),
  ends: { cut: 5, swallow: 4, stall: 3, hole: size(0, 0.5) },
  stallMs: [20, size(300, 2_000)],
  outageMs: [0, 200],
  longOutageMs: [CONFIRM_TIMEOUT_MS, CONFIRM_TIMEOUT_MS + 500],
  longOutages: 0.15,
  delayed: 0.05,
  duplicated: 0.05,
  garbled: 0,
};

describe("a faulty connection", () => {
  test(`never misleads an agent about any of ${ORDERS} orders`, async () => {
    const random = new SeededRandom(SEED);
    const engine = await startSimulatedMarket();
    const { webSocketUrl: engineUrl } = engine;
    const proxies = USERS.map((userId) => new ChaosProxy(engineUrl, random.fork(userId).integer(0, 2 ** 40), ROUGH));
    const posts: TradingPost[] = [];
    let isTrading = true;
    /** The first agent polls only after its buffer has lost events, as the second one has seen, and at the end. */
    const untilMissed = async () => {
      const seen = () => posts[1]?.poller?.sequences.length ?? 0;
      const enough = seen() + 3 * EVENT_CATEGORIES.length * SMALL_BUFFER;
      do await untilSoon(); while (isTrading && seen() < enough);
    };
    await withSeedInFailures(async () => {
      for (const [index, userId] of USERS.entries()) {
        const proxy = proxies[index] as ChaosProxy;
        const buffer = index === 0 && { MKT_EVENT_BUFFER_SIZE: String(SMALL_BUFFER) };
        const post = await TradingPost.open({
          userId,
          env: { ...engine.environmentFor(userId), MKT_WS_URL: proxy.url, ...TIMEOUT, ...buffer },
          random: random.fork(`${userId} trades`),
          greatestPauseMs: size(80, 150),
          untilPoll: index === 0 ? untilMissed : untilSoon,
          answersSinceFault: () => proxy.answersSinceFault,
        });
        posts.push(post);
        await post.poll();
      }
      const share = ORDERS / posts.length;
      await Promise.all(posts.map(({ trader }) => trader.trade(share / 2, OUTSTANDING)));
      for (const post of posts) await post.connected();
      // With every seed, each agent has a request whose response is lost.
      const trading = Promise.all(posts.map(({ trader }) => trader.trade(share, OUTSTANDING)));
      await Promise.all(proxies.map((proxy) => proxy.blackOut(CONFIRM_TIMEOUT_MS)));
      await trading;
      isTrading = false;
      for (const proxy of proxies) proxy.calm();
      for (const post of posts) await post.connected();
      for (const [index, post] of posts.entries()) {
        const view = await viewEngine(engineUrl, post.trader.options.userId);
        await post.agreesWith(view);
        const counts = verdictOn(view, post.trader);
        const { answersBeforeTimeouts, refusals, settled } = post.trader;
        const { sequences: { length: seen }, missed, stalePages } = post.poller!;
        const { reconnects } = await post.pubsub();
        console.log(JSON.stringify({ ...counts, settled, refusals, reconnects, seen, missed, stalePages }));
        console.log(JSON.stringify(proxies[index]?.tally));
        if (LONG) expect(Math.max(0, ...answersBeforeTimeouts)).toBeLessThan(LINK_IS_BACK);
        expect(reconnects).toBeGreaterThan(0);
      }
      expect(posts.flatMap(({ trader }) => trader.answersBeforeTimeouts).length).toBeGreaterThan(0);
      expect(posts[0]?.poller?.missed).toBeGreaterThan(0);
    });
  });

  test(
    `that garbles frames does not stop mkt, which is correct again once the connection works (${GARBLED_ORDERS} orders)`,
    async () => {
      const [userId = ""] = USERS;
      const random = new SeededRandom(SEED);
      const engine = await startSimulatedMarket();
      const { webSocketUrl: engineUrl } = engine;
      const proxy = new ChaosProxy(engineUrl, SEED, { ...ROUGH, garbled: size(0.1, 0.02) });
      const post = await TradingPost.open({
        userId,
        env: { ...engine.environmentFor(userId), MKT_WS_URL: proxy.url, ...TIMEOUT },
        random: random.fork("trades"),
        greatestPauseMs: 50,
        untilPoll: untilSoon,
        mayBeGarbled: true,
      });
      await withSeedInFailures(async () => {
        await post.trader.trade(GARBLED_ORDERS, OUTSTANDING);
        proxy.calm();
        await post.connect();
        const { reconnects: before } = await post.pubsub();
        proxy.cut();
        // The snapshot is certainly whole only on a connection that is made after the proxy stopped garbling.
        await until(
          () => post.pubsub(),
          ({ status, reconnects }) => status === "connected" && Number(reconnects) > Number(before),
        );
        const difference = await differenceFrom(await viewEngine(engineUrl, userId), post.client);
        if (difference !== null) throw new Error(difference);
        const { reconnects, unreadableMessages, incomplete } = await post.pubsub();
        const orders = post.trader.attempts.length;
        console.log(JSON.stringify({ reconnects, unreadableMessages, orders, ...proxy.tally }));
        expect(proxy.tally.garbled).toBeGreaterThan(0);
        expect(incomplete).toBe(false);
      });
    },
  );
});
