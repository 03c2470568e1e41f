import { expect, test } from "bun:test";
import { MarketFeed } from "../../../sim/live/market-feed.ts";
import { EngineDriver } from "../../engine/support/engine-driver.ts";
import { USERS } from "../../engine/support/market.ts";

const CONTRACT = "N-H12";

/** A feed with the ids of the contracts that it calls removed, and an engine with a bid. */
function followed() {
  const removed: string[] = [];
  const refused: string[] = [];
  const feed = new MarketFeed({
    marketUpdate: () => {},
    listed: () => {},
    expired: () => {},
    removed: (contractId) => void removed.push(contractId),
    orderChanged: () => {},
    orderRemoved: () => {},
    ordersForgotten: () => {},
    clockChanged: () => {},
    current: () => {},
    refused: (reason) => void refused.push(reason),
  });
  const driver = new EngineDriver();
  driver.buy(USERS.alpha, { price: 500, quantity: 2 });
  const show = (statePath: string, more = {}) =>
    feed.state({ statePath, state: { ...driver.modules.get(statePath)!, ...more } });
  return { feed, removed, refused, show };
}

test.each([true, false])("without its connection the market is not current (tried again: %p)", (willRetry) => {
  const { feed, refused } = followed();
  expect(feed.isCurrent).toBe(false);
  feed.welcomed();
  expect(feed.isCurrent).toBe(false);
  feed.synchronized();
  expect(feed.isCurrent).toBe(true);
  feed.ended({ kind: "lost", reason: "cut off" }, willRetry);
  expect([feed.isCurrent, refused.length]).toEqual([false, willRetry ? 0 : 1]);
});

test("a book that is gone after a reconnect is not shown any more", () => {
  const { feed, removed, show } = followed();
  feed.welcomed();
  for (const statePath of [`/ENGINE/ENG-${CONTRACT}`, `/CONTRACT/${CONTRACT}`]) show(statePath);
  feed.synchronized();
  expect([feed.book(CONTRACT).bestBid, removed]).toEqual([500, []]);

  feed.ended({ kind: "lost", reason: "lost" }, true);
  feed.welcomed();
  feed.synchronized();
  expect([feed.book(CONTRACT).bestBid, removed]).toEqual([null, [CONTRACT]]);
});

test.each(["listed", "expired"])("a contract that was %s counts as removed once a snapshot lacks it", (status) => {
  for (const lostSnapshots of [0, 1]) {
    const { feed, removed, show } = followed();
    feed.welcomed();
    show(`/CONTRACT/${CONTRACT}`, { status });
    feed.synchronized();
    for (let lost = 0; lost < lostSnapshots; lost++) feed.welcomed();
    feed.welcomed();
    show(`/CONTRACT/${CONTRACT}`, { status });
    feed.synchronized();
    expect(removed).toEqual([]);

    for (let lost = 0; lost < lostSnapshots; lost++) feed.welcomed();
    feed.welcomed();
    feed.synchronized();
    feed.welcomed();
    feed.synchronized();
    expect(removed).toEqual([CONTRACT]);
  }
});

/** A feed that is current, what it tells its listener, and an engine. */
function told() {
  const heard: string[] = [];
  const note = (name: string) => (...given: unknown[]) => void heard.push([name, ...given].join(" "));
  const feed = new MarketFeed({
    marketUpdate: ({ contractId, price, isTrade }, { bestBid, bestAsk, lastPrice }) =>
      note(isTrade ? "trade" : "quote")(contractId, price, "on", bestBid, bestAsk, lastPrice),
    listed: ({ id }) => note("listed")(id),
    expired: note("expired"),
    removed: note("removed"),
    orderChanged: ({ id, remainingQuantity }) => note("order")(id, remainingQuantity),
    orderRemoved: note("order removed"),
    ordersForgotten: note("orders forgotten"),
    clockChanged: note("clock"),
    current: note("current"),
    refused: note("refused"),
  });
  const driver = new EngineDriver();
  const state = (statePath: string, more: object | null = {}) =>
    feed.state({ statePath, state: more === null ? null : { ...driver.modules.get(statePath)!, ...more } } as never);
  return { feed, driver, state, heard: () => heard.splice(0) };
}

test("each update is told with the book before its frame, whether the book was known or not", () => {
  const { feed, driver, state, heard } = told();
  feed.welcomed();
  feed.synchronized();
  heard();
  /** As the client tells a frame: first each state, then the frame. */
  const frame = ({ events }: ReturnType<EngineDriver["buy"]>) => {
    state(`/ENGINE/ENG-${CONTRACT}`);
    state(`/ENGINE/ENG-${CONTRACT}`);
    feed.frame(events);
    return heard().filter((what) => /quote|trade/.test(what));
  };
  expect(frame(driver.buy(USERS.alpha, { price: 500, quantity: 2 }))).toEqual([`quote ${CONTRACT} 500 on   `]);
  expect(frame(driver.sell(USERS.beta, { price: 520, quantity: 2 }))).toEqual([`quote ${CONTRACT} 520 on 500  `]);
  const sweep = driver.sell(USERS.beta, { price: 500, quantity: 1 });
  expect(frame(sweep)).toEqual([`trade ${CONTRACT} 500 on 500 520 `]);
  expect(frame(driver.buy(USERS.alpha, { price: 510, quantity: 1 }))).toEqual([`quote ${CONTRACT} 510 on 500 520 500`]);
  expect(feed.book(CONTRACT)).toMatchObject({ bestBid: 510, bestAsk: 520, lastPrice: 500 });
  expect(feed.bookOf(`ENG-${CONTRACT}`)).toMatchObject({ contractId: CONTRACT });
  state(`/ENGINE/ENG-${CONTRACT}`, null);
  expect([feed.book(CONTRACT).bestBid, feed.bookOf(`ENG-${CONTRACT}`)]).toEqual([null, undefined]);
});

test("a contract is open while it is listed, its market is open, and the view is current", () => {
  const { feed, driver, state, heard } = told();
  const { marketId } = driver.modules.get(`/CONTRACT/${CONTRACT}`) as unknown as { marketId: string };
  const isOpen = () => feed.isOpen({ id: CONTRACT, marketId } as never);
  feed.welcomed();
  state(`/CONTRACT/${CONTRACT}`, { status: "listed" });
  state(`/MARKET/${marketId}`, { status: "open" });
  expect([isOpen(), heard()]).toEqual([false, ["orders forgotten", `listed ${CONTRACT}`]]);
  feed.synchronized();
  expect([isOpen(), heard()]).toEqual([true, ["current"]]);
  state(`/CONTRACT/${CONTRACT}`, { status: "listed" });
  for (const status of ["halted", "closed"]) {
    state(`/MARKET/${marketId}`, { status });
    expect(isOpen()).toBe(false);
  }
  state(`/MARKET/${marketId}`, { status: "open" });
  expect([isOpen(), feed.isOpen({ id: "OTHER", marketId } as never)]).toEqual([true, false]);
  state(`/CONTRACT/${CONTRACT}`, { status: "expired" });
  state(`/CONTRACT/${CONTRACT}`, { status: "expired" });
  expect([isOpen(), heard()]).toEqual([false, [`expired ${CONTRACT}`]]);
  state(`/CONTRACT/${CONTRACT}`, null);
  expect(heard()).toEqual([`removed ${CONTRACT}`]);
  // A market that the next snapshot lacks is not open.
  state(`/CONTRACT/${CONTRACT}`, { status: "listed" });
  feed.welcomed();
  state(`/CONTRACT/${CONTRACT}`, { status: "listed" });
  feed.synchronized();
  expect(isOpen()).toBe(false);
});

test("an entity has credit while its own status says so, and none before it is known", () => {
  const { feed, state } = told();
  const [one, other] = ["ALPHA", "BETA"];
  expect(feed.isCreditExhausted(one)).toBe(true);
  state(`/ENTITY/${one}`, { id: one, creditStatus: "ok" });
  state(`/ENTITY/${other}`, { id: other, creditStatus: "exhausted" });
  expect([feed.isCreditExhausted(one), feed.isCreditExhausted(other)]).toEqual([false, true]);
  state(`/ENTITY/${one}`, { id: one, creditStatus: "exhausted" });
  expect(feed.isCreditExhausted(one)).toBe(true);
  state(`/ENTITY/${one}`, { id: one, creditStatus: "ok" });
  feed.welcomed();
  expect(feed.isCreditExhausted(one)).toBe(true);
});

test("orders, the last change of the clock in a frame, and each change of a module are told", () => {
  const { feed, driver, state, heard } = told();
  const { orderId } = driver.buy(USERS.alpha, { price: 500, quantity: 2 });
  state(`/ORDER/${orderId}`, { remainingQuantity: 1 });
  state(`/ORDER/${orderId}`, null);
  feed.state({ statePath: "/", state: {} } as never);
  expect([heard(), feed.changes]).toEqual([[`order ${orderId} 1`, `order removed ${orderId}`], 3]);
  const clock = (second: number) =>
    ({ kind: "event", type: "change.clock", time: `2026-03-02T12:00:0${second}.000Z`, data: {} }) as never;
  feed.frame([clock(1), clock(2), { kind: "event", type: "change.spot", time: "2026-03-02T12:00:09.000Z" } as never]);
  feed.frame([{ kind: "pong" } as never]);
  expect(heard()).toEqual([`clock ${Date.parse("2026-03-02T12:00:02Z")}`]);
  feed.ended({ kind: "lost", reason: "cut off" }, false);
  expect(heard()).toEqual([expect.stringMatching(/^refused .*cut off/)]);
});
