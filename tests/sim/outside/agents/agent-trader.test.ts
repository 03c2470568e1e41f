// When an agent is woken up, and what it is told then.

import { expect, test } from "bun:test";
import { BUY, SELL } from "../../../../engine/market/order-book.ts";
import { MAX_TRADES, type Next } from "../../../../sim/outside/agents/agent-messages.ts";
import { AgentNews } from "../../../../sim/outside/agents/agent-news.ts";
import { AgentTrader } from "../../../../sim/outside/agents/agent-trader.ts";
import { EntityOrders } from "../../../../sim/personas/entity-orders.ts";
import { DEFAULT_LIMITS } from "../../../../sim/personas/limits.ts";
import type { PersonaView } from "../../../../sim/personas/persona.ts";
import { contract } from "../../personas/support.ts";

const [WATCHED, OTHER] = [contract(0), contract(1)];
const START = 1_000_000;

function agent(wishes: { readonly products?: string[]; readonly contracts?: string[] } = { contracts: [WATCHED.id] }) {
  const asked: unknown[] = [];
  const trader = new AgentTrader({
    id: "agent-a",
    entityId: "e",
    userId: "u",
    limits: DEFAULT_LIMITS,
    entityOrders: new EntityOrders(),
    forecasts: {
      advanceTo: (time: number) => void asked.push(time),
      of: ({ id }: { id: string }) => id.length,
    } as never,
    wishes: { depth: 5, wakeMs: 7_000, ...wishes },
    startTime: START,
  });
  const sleep = (next: Partial<Next> = {}) => trader.sleep(START, { fill: false, trade: [], quote: [], ...next });
  const update = (time: number, isTrade: boolean, of = WATCHED) =>
    trader.onMarketUpdate({ contract: of, side: SELL, price: 5, quantity: 1_000, isTrade }, { time } as never);
  const submit = (price = 3_900, of = WATCHED) => {
    const order = trader.orders.submit(of, BUY, price, 2_000);
    if ("code" in order) throw new Error(order.code);
    return order;
  };
  return { trader, sleep, update, submit, asked };
}

test("an agent is due at the start, then after the time that it gives, or its own", () => {
  const { trader, sleep } = agent();
  expect([trader.nextTime, trader.reason]).toEqual([START, "start"]);
  sleep({ inMs: 500 });
  expect([trader.nextTime, trader.reason]).toEqual([START + 500, "time"]);
  sleep();
  expect(trader.nextTime).toBe(START + 7_000);
  trader.leave();
  expect(trader.nextTime).toBe(Infinity);
});

const ALARMS = {
  fill: { fill: true },
  trade: { trade: [WATCHED.id, OTHER.id] },
  quote: { quote: [WATCHED.id, OTHER.id] },
};

test.each(["fill", "trade", "quote"] as const)(
  "a %s wakes an agent a millisecond later, if it asked for it",
  (kind) => {
    const happens = ({ trader, update, submit }: ReturnType<typeof agent>, time: number, of = WATCHED) => {
      if (kind !== "fill") return update(time, kind === "trade", of);
      const order = submit();
      trader.onAccepted(order.reference);
      trader.act({ time } as PersonaView);
      trader.onFill(order.reference, 3_900, 1_000);
    };
    const woken = (
      next: Partial<Next>,
      time = START + 100,
      of = WATCHED,
      before: (made: AgentTrader) => void = () => {},
    ) => {
      const made = agent();
      made.sleep(next);
      before(made.trader);
      happens(made, time, of);
      return [made.trader.nextTime - START, made.trader.reason];
    };
    expect(woken(ALARMS[kind])).toEqual([101, kind]);
    for (const other of (["fill", "trade", "quote"] as const).filter((name) => name !== kind)) {
      expect(woken(ALARMS[other])).toEqual([7_000, "time"]);
    }
    expect(woken({})).toEqual([7_000, "time"]);
    expect(woken(ALARMS[kind], START + 100, WATCHED, (trader) => trader.awake())).toEqual([7_000, "time"]);
    // Not later than it would wake up anyway.
    expect(woken({ ...ALARMS[kind], inMs: 101 })).toEqual([101, "time"]);
    expect(woken({ ...ALARMS[kind], inMs: 102 })).toEqual([101, kind]);
    if (kind !== "fill") expect(woken(ALARMS[kind], START + 100, OTHER)).toEqual([7_000, "time"]);
  },
);

test("an agent watches what it names, by product or contract, and everything if it names nothing", () => {
  const watches = (wishes: Parameters<typeof agent>[0]) =>
    [WATCHED, OTHER].map((each) => agent(wishes).trader.watches(each));
  expect(watches({})).toEqual([true, true]);
  expect(watches({ contracts: [OTHER.id] })).toEqual([false, true]);
  expect(watches({ products: [WATCHED.productId] })).toEqual(
    [WATCHED, OTHER].map(({ productId }) => productId === WATCHED.productId),
  );
  expect(watches({ products: [], contracts: [] })).toEqual([false, false]);
});

test("an agent is told everything once, and only of what it watches, but for its own fills and orders", () => {
  const { trader, update, submit } = agent();
  for (const each of [WATCHED, OTHER]) {
    trader.onListed(each);
    update(START + 1, true, each);
    update(START + 2, false, each);
    trader.onDelivery(each);
  }
  const order = submit(3_900, OTHER);
  trader.onAccepted(order.reference);
  trader.onFill(order.reference, 3_800, 1_000);
  trader.onClosed(order.reference);
  const news = trader.takeNews();
  expect([news.listed, news.delivered, news.closed, news.missedTrades]).toEqual([[WATCHED], [WATCHED], [1], 0]);
  expect(news.trades).toEqual([{ time: START + 1, contract: WATCHED, price: 5, quantity: 1_000, aggressorSide: SELL }]);
  expect(news.fills).toMatchObject([{ time: START + 2, price: 3_800, quantity: 1_000 }]);
  const { listed, delivered, closed, trades, fills } = trader.takeNews();
  expect([listed, delivered, closed, trades, fills]).toEqual([[], [], [], [], []]);
});

test("an action is counted by its kind once the market has answered, and its own fills are part of the answer", () => {
  const { trader, submit } = agent();
  const order = submit();
  trader.onFill(order.reference, 3_900, 500);
  trader.onAccepted(order.reference);
  expect(trader.takeResponse()).toMatchObject({ accepted: true, fills: [{ quantity: 500 }] });
  expect(() => trader.takeResponse()).toThrow("was not answered");
  trader.orders.modify(order, 3_800, 2_000);
  trader.onAccepted(order.reference);
  expect(trader.takeResponse()).toEqual({ accepted: true, fills: [] });
  trader.orders.cancel(order);
  trader.onClosed(order.reference);
  trader.onAccepted(order.reference);
  expect(trader.takeResponse()).toEqual({ accepted: true, fills: [] });
  const refused = submit(3_700);
  trader.onRefused(refused.reference, "submit", "no_credit");
  expect(trader.takeResponse()).toEqual({ accepted: false, code: "no_credit" });
  expect(trader.counts).toEqual({ orders: 1, changes: 1, cancels: 1, rejected: 1 });
  expect([trader.takeNews().closed, trader.workingOrders]).toEqual([[], 0]);
});

test("an agent acts once for each prepared action, and its forecasts are of the time that is asked for", () => {
  const { trader, asked } = agent();
  expect(() => trader.view).toThrow("agent agent-a has not seen the market");
  const view = { time: START } as PersonaView;
  const action = { kind: "cancel", reference: 1 } as const;
  trader.prepare(action);
  expect([trader.act(view), trader.act(view), trader.view]).toEqual([[action], [], view]);
  expect([trader.forecast(WATCHED, START + 5), asked]).toEqual([WATCHED.id.length, [START + 5]]);
});

test("the newest trades are kept, and those before them are counted", () => {
  const news = new AgentNews();
  const trade = (time: number) => news.trade({ time, contract: WATCHED, price: 1, quantity: 1, aggressorSide: BUY });
  for (let time = 0; time < 2 * MAX_TRADES - 1; time++) trade(time);
  expect([news.trades.length, news.missedTrades]).toEqual([2 * MAX_TRADES - 1, 0]);
  trade(2 * MAX_TRADES - 1);
  expect([news.trades.length, news.missedTrades, news.trades[0]?.time]).toEqual([MAX_TRADES, MAX_TRADES, MAX_TRADES]);
  trade(2 * MAX_TRADES);
  news.trim();
  expect([news.trades.length, news.missedTrades, news.trades[0]?.time]).toEqual([
    MAX_TRADES,
    MAX_TRADES + 1,
    MAX_TRADES + 1,
  ]);
  news.trim();
  expect(news.missedTrades).toBe(MAX_TRADES + 1);
});
