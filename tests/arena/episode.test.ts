import { describe, expect, test } from "bun:test";
import { AGENT, busiestContract, episodeOf, MINUTE, type Value, worldOf } from "./support.ts";

const SCOPE = { signal: new AbortController().signal, caller: null };
const list = (value: unknown) => value as readonly Value[];

describe("a world", () => {
  test("is the same for a seed, and another for another", () => {
    const [one, again, other] = [1, 1, 2].map((seed) =>
      [...worldOf(seed, "volatile", 2 * MINUTE).engine.snapshot(null)].map(({ text }) => text)
    );
    expect(one).toEqual(again!);
    expect(one).not.toEqual(other!);
  });

  test("has the spot prices of its engine's events", () => {
    const world = worldOf(1);
    const prices: unknown[] = [];
    world.engine.follow(null, (messages) => {
      for (const { text } of messages) if (text.includes('"change.spot"')) prices.push(JSON.parse(text).data.price);
    });
    world.advanceTo(world.now + 5 * MINUTE);
    expect(prices).toEqual(world.spot.nodes.map((node) => world.spot.current(node).priceCents));
  });

  test("tells personas of an agent's orders: they trade with them, and nobody is left with an order that has ended", () => {
    const world = worldOf(3);
    const { id: contractId, bestAsk } = busiestContract(world);
    const submit = (operationId: string, price: number) =>
      world.execute({
        userId: AGENT,
        operationId,
        action: "order.submit",
        payload: { contractId, side: 0, price, quantity: 5 },
      });
    expect(submit("1", bestAsk).response?.status).toBe("ok");
    expect(submit("2", bestAsk + 2_000).response?.status).toBe("ok");
    world.advanceTo(world.now + 30 * MINUTE);
    const [position] = world.engine.positions("WILLOW")!.positions;
    expect(position).toMatchObject({ contractId });
    expect(position!.netQuantity).toBeGreaterThan(5);
  });
});

describe("an episode", () => {
  /** What an agent does that tries a bit of everything. */
  async function answersTo(seed: number): Promise<string[]> {
    const { world, answer } = await episodeOf({ seed });
    const { id: contractId, bestBid, bestAsk } = busiestContract(world);
    const texts: string[] = [];
    const ask = async (name: string, input: Value = {}) => texts.push((await answer(name, input)).text);
    await ask("mkt_connection_status");
    await ask("mkt_get_order_book", { contractId });
    await ask("mkt_create_test_order", { contractId, side: "BUY", price: bestAsk, quantity: 3 });
    await ask("mkt_create_test_order", { contractId, side: "BUY", price: bestBid - 500, quantity: 2 });
    await ask("mkt_arena_wait", { minutes: 10 });
    await ask("mkt_list_orders");
    await ask("mkt_watch_orders", { waitSeconds: 30 });
    await ask("mkt_list_entities", { positions: true });
    await ask("mkt_arena_wait", { minutes: 30, until: ["fill"] });
    await ask("mkt_ping");
    return texts;
  }

  test("gives the same answers to the same calls, byte for byte, and others for another seed", async () => {
    const first = await answersTo(2);
    expect(await answersTo(2)).toEqual(first);
    expect(await answersTo(1)).not.toEqual(first);
  });

  test("answers calls that come at once one after the other", async () => {
    const { world, call } = await episodeOf();
    const began = world.now;
    const answers = await Promise.all([1, 2, 3].map((minutes) => call("mkt_arena_wait", { minutes })));
    const times = answers.map(({ marketTime }) => Date.parse(String(marketTime)) - began);
    expect(times).toEqual([1 * MINUTE, 3 * MINUTE, 6 * MINUTE]);
  });

  test("passes time in a wait, until what it waits for, and in no other call", async () => {
    const { world, call } = await episodeOf();
    const began = world.now;
    await call("mkt_get_market_state");
    expect(world.now).toBe(began);
    const waited = await call("mkt_arena_wait", { minutes: 60, until: ["halt", "spot"] });
    expect(waited).toMatchObject({ ended: "spot", events: { "change.spot": 2 } });
    expect(world.now - began).toBeWithin(5 * MINUTE, 6 * MINUTE);
  });

  test("waits for an event in market time", async () => {
    const { world, call } = await episodeOf();
    const began = world.now;
    expect(await call("mkt_watch_orders", { waitSeconds: 20 })).toMatchObject({ count: 0, waited: true });
    expect(world.now - began).toBe(20_000);
  });

  test("tells of a fill when it happens", async () => {
    const { world, call } = await episodeOf({ seed: 2 });
    const { id: contractId, bestAsk } = busiestContract(world);
    const order = { contractId, side: "BUY", price: bestAsk - 1, quantity: 1 };
    expect(await call("mkt_create_test_order", order)).toMatchObject({ status: "success" });
    const waited = await call("mkt_arena_wait", { minutes: 60, until: ["fill"] });
    expect(waited).toMatchObject({ ended: "fill", moreFills: 0 });
    expect(list(waited["fills"])).toHaveLength(1);
    expect(list(waited["fills"])[0]).toMatchObject({ contractId, price: bestAsk - 1, quantity: 1 });
  });

  test("waits for a price, which may be there already, of a contract that there is", async () => {
    const { world, call, answer } = await episodeOf({ seed: 2 });
    const { id: contractId, bestAsk } = busiestContract(world);
    const began = world.now;
    await call("mkt_arena_wait", { minutes: 60, contractId, askAtMost: bestAsk });
    expect(world.now - began).toBeLessThan(15_000);
    const lower = await call("mkt_arena_wait", {
      minutes: 60,
      contractId,
      askAtMost: bestAsk - 5,
      bidAtLeast: bestAsk,
    });
    expect(lower).toMatchObject({ ended: "price" });
    const unknown = await answer("mkt_arena_wait", { minutes: 1, contractId: "N-1", askAtMost: 1 });
    expect(unknown.text).toContain("There is no contract N-1");
    const nowhere = await answer("mkt_arena_wait", { minutes: 1, bidAtLeast: 1 });
    expect(nowhere.text).toContain("need contractId");
  });

  test("ends at its time: changes are refused from then on, and reads are not", async () => {
    const { world, call, answer } = await episodeOf({ minutes: 10 });
    const end = world.now + 10 * MINUTE;
    const { id: contractId, bestBid } = busiestContract(world);
    expect(await call("mkt_arena_wait", { minutes: 60 })).toMatchObject({ ended: "over", waitedSeconds: 600 });
    expect(world.now).toBe(end);
    const late = await answer("mkt_create_test_order", { contractId, side: "BUY", price: bestBid, quantity: 1 });
    expect(late.isError).toBe(true);
    expect(late.text).toContain("The episode is over");
    expect((await answer("mkt_arena_wait", { minutes: 1 })).text).toContain("The episode is over");
    expect(await call("mkt_get_order_book", { contractId })).toMatchObject({ contractId });
    expect(world.now).toBe(end);
  });

  test("can be ended by its agent, and no time passes then", async () => {
    const { world, episode, call, answer } = await episodeOf({ minutes: 10 });
    const began = world.now;
    const { id: contractId, bestBid } = busiestContract(world);
    expect(episode.ended()).toBeNull();
    expect(await call("mkt_arena_submit")).toMatchObject({ message: "The episode is over." });
    expect(episode.ended()).toBe("agent");
    const order = { contractId, side: "BUY", price: bestBid, quantity: 1 };
    expect((await answer("mkt_create_test_order", order)).text).toContain("The episode is over");
    expect((await answer("mkt_arena_wait", { minutes: 5 })).isError).toBe(true);
    expect((await answer("mkt_arena_submit")).isError).toBe(true);
    expect(await call("mkt_arena_brief")).toMatchObject({ minutesLeft: 0 });
    expect(world.now).toBe(began);
  });

  test("that is stopped ends the call that runs, and makes none of those that wait for their turn", async () => {
    const { world, episode, call } = await episodeOf();
    const began = world.now;
    const waits = [1, 2].map((minutes) => episode.dispatcher.call("mkt_arena_wait", { minutes }, SCOPE));
    // Now the first one runs.
    await Promise.resolve();
    await episode.dispatcher.stop();
    expect(world.now - began).toBe(1 * MINUTE);
    expect(await Promise.all(waits)).toMatchObject([{ isError: false }, { isError: true }]);
    expect(await call("mkt_arena_brief")).toMatchObject({ error: { code: "shutting_down" } });
  });

  test("lets an agent act as nobody else, and see nobody else's orders", async () => {
    const { call, answer } = await episodeOf();
    await call("mkt_disconnect_pubsub");
    expect((await answer("mkt_connect_pubsub", { userId: "operator" })).text).toContain("forbidden");
    await call("mkt_connect_pubsub");
    expect(await call("mkt_list_orders")).toMatchObject({ count: 0 });
    await call("mkt_arena_wait", { minutes: 10 });
    const events = await call("mkt_get_recent_events", { eventTypes: ["new.order"] });
    expect(events).toMatchObject({ count: 0 });
  });
});
