import { describe, expect, test } from "bun:test";
import { EmbeddedEngine } from "../../../engine/embedded/embedded-engine.ts";
import { auditRequest, orderEventsRequest } from "../../../protocol/index.ts";
import { ClientModules } from "../../support/client-modules.ts";
import { resultOf } from "../../support/executions.ts";
import { scheduledMarket, START, USERS } from "../support/market.ts";

const HOUR_MS = 3_600_000;

function embedded({ isHeard = true } = {}): EmbeddedEngine {
  const definition = scheduledMarket();
  return new EmbeddedEngine({ definition, engineId: "embedded", startTime: START, secret: null, isHeard });
}

function userOf(engine: EmbeddedEngine, id: string) {
  const user = engine.engine.user(id);
  if (user === undefined) throw new Error(`no user ${id}`);
  return user;
}

/** An order before the opening, the opening, and a trade. Returns the id of the first order. */
function trade(engine: EmbeddedEngine): string {
  const submit = (userId: string, side: 0 | 1) =>
    engine.execute({
      userId,
      operationId: `${userId}-${side}`,
      action: "order.submit",
      payload: { contractId: "N-H12", side, price: 4_000, quantity: 5 },
    });
  engine.advanceTo(START + 0.75 * HOUR_MS);
  const resting = submit(USERS.alpha, 0);
  engine.advanceTo(START + 2 * HOUR_MS);
  submit(USERS.beta, 1);
  return (resultOf(resting) as { order: { id: string } }).order.id;
}

function quote(engine: EmbeddedEngine, price: number): void {
  const payload = { contractId: "N-H12", side: 0, price, quantity: 5 };
  engine.execute({ userId: USERS.alpha, operationId: `quote-${price}`, action: "order.submit", payload });
}

function modulesOf(engine: EmbeddedEngine, viewer: Parameters<EmbeddedEngine["snapshot"]>[0]): ClientModules {
  const modules = new ClientModules();
  for (const { text } of engine.snapshot(viewer)) modules.apply(JSON.parse(text));
  return modules;
}

describe("an engine in this process", () => {
  test("that nobody hears has the same market and the same facts, and makes no message, answer and audit event", () => {
    const [heard, unheard] = [embedded(), embedded({ isHeard: false })];
    trade(heard);
    const messages: unknown[] = [];
    unheard.follow(null, (each) => messages.push(...each));
    const submit = (userId: string, side: 0 | 1) => {
      const payload = { contractId: "N-H12", side, price: 4_000, quantity: 5 };
      return unheard.execute({ userId, operationId: `${userId}-${side}`, action: "order.submit", payload });
    };
    unheard.advanceTo(START + 0.75 * HOUR_MS);
    const { response, audit } = submit(USERS.alpha, 0);
    expect([response, audit]).toEqual([{ operationId: `${USERS.alpha}-0`, status: "ok" }, ""]);
    unheard.advanceTo(START + 2 * HOUR_MS);
    submit(USERS.beta, 1);
    expect(messages).toEqual([]);
    expect(unheard.engine.figures).toEqual(heard.engine.figures);
    expect([...unheard.snapshot(null)]).toEqual([...heard.snapshot(null)]);
    const terms = ({ placed, trades, changes }: ReturnType<EmbeddedEngine["takeFacts"]>) => [
      placed.map(({ id, filledQuantity }) => [id, filledQuantity]),
      trades.map(({ price, quantity }) => [price, quantity]),
      changes,
    ];
    expect(terms(unheard.takeFacts())).toEqual(terms(heard.takeFacts()));
  });

  test.each([[null], [USERS.alpha], [USERS.blind]])(
    "keeps the modules of a follower as a new snapshot shows them (viewer %p)",
    (userId) => {
      const engine = embedded();
      const viewer = userId === null ? null : userOf(engine, userId);
      const modules = modulesOf(engine, viewer);
      engine.follow(viewer, (messages) => {
        for (const { text } of messages) modules.apply(JSON.parse(text));
      });
      trade(engine);
      const without = (given: ClientModules) =>
        [...given].filter(([path]) => !path.startsWith("/MARKET/")).toSorted(([a], [b]) => a < b ? -1 : 1);
      expect(without(modules)).toEqual(without(modulesOf(engine, viewer)));
      expect([...modules.keys()].some((path) => path.startsWith("/TRADE/"))).toBe(true);
    },
  );

  test("tells one that follows late what it tells one that has followed from the beginning", async () => {
    const [early, late] = [embedded(), embedded()];
    const told = (engine: EmbeddedEngine) => {
      const texts: string[] = [];
      engine.follow(null, (messages) => texts.push(...messages.map(({ text }) => text)));
      return texts;
    };
    const before = told(early);
    for (const engine of [early, late]) {
      trade(engine);
      quote(engine, 3_900);
    }
    const earlier = before.length;
    const [snapshot, same] = [late, early].map((engine) => [...engine.snapshot(null)].map(({ text }) => text));
    expect(snapshot).toEqual(same!);
    expect(snapshot!.some((text) => text.includes('"bids":[{"price":3900'))).toBe(true);
    const after = told(late);
    for (const engine of [early, late]) quote(engine, 3_890);
    expect(after.some((text) => text.includes('"bids":[{"price":3890') && text.includes("change.book"))).toBe(true);
    expect(after).toEqual(before.slice(earlier));
    const day = new Date(START).toISOString().slice(0, 10);
    const [one, other] = await Promise.all([early, late].map(async ({ audit }) => {
      return await audit.query(auditRequest.parse({ from: day, to: day }));
    }));
    expect(one).toEqual(other!);
  });

  test("tells a follower nothing more once it has ended that, and all others as before", () => {
    const engine = embedded();
    const viewers = [null, userOf(engine, USERS.alpha), null];
    const calls = viewers.map(() => 0);
    const ends = viewers.map((viewer, at) => engine.follow(viewer, () => void (calls[at]! += 1)));
    for (const [at, end] of ends.entries()) {
      engine.advanceTo(START + 1 + at);
      end();
      end();
    }
    engine.advanceTo(START + 10);
    expect(calls).toEqual([1, 2, 3]);
  });

  test("answers queries of the audit trail, of positions and of the directory", async () => {
    const engine = embedded();
    const orderId = trade(engine);
    const { events, range } = await engine.audit.orderEvents(orderId, orderEventsRequest.parse({}));
    expect(range?.to).toBe("2026-01-14");
    engine.advanceTo(START + 48 * HOUR_MS);
    expect((await engine.audit.orderEvents(orderId, orderEventsRequest.parse({}))).range?.to).toBe("2026-01-16");
    expect(events.map(({ event }) => event)).toEqual(["orderFilled", "orderReleased", "orderHeld", "orderQueued"]);
    const day = new Date(START).toISOString().slice(0, 10);
    const page = await engine.audit.query(auditRequest.parse({ from: day, to: day }), userOf(engine, USERS.gamma));
    expect(page.events.length).toBeGreaterThan(4);
    expect(engine.positions("ALPHA")?.positions.map(({ contractId }) => contractId)).toEqual(["N-H12"]);
    expect(engine.positions("NOBODY")).toBeUndefined();
    expect(engine.directory.entities().map(({ id }) => id)).toEqual(["ALPHA", "BETA", "GAMMA"]);
    expect(engine.explainOrder(orderId, userOf(engine, USERS.alpha))?.blockedBy).toEqual([]);
  });

  test("has in its directory the entities as they are now", () => {
    const engine = embedded();
    const payload = { entityId: "ALPHA", limitType: "mw", scope: "total", limit: 0.1 };
    for (const counterpartyId of ["BETA", "GAMMA"]) {
      const request = { action: "credit.setLimit", payload: { ...payload, counterpartyId } };
      engine.execute({ userId: USERS.alpha, operationId: counterpartyId, ...request });
    }
    expect(engine.directory.entities().map(({ creditStatus }) => creditStatus)).toEqual(["exhausted", "ok", "ok"]);
  });

  test("gives the same messages and audit events for the same calls", () => {
    const texts = [embedded(), embedded()].map((engine) => {
      const seen: string[] = [];
      engine.follow(null, (messages) => void seen.push(...messages.map(({ text }) => text)));
      trade(engine);
      return seen;
    });
    expect(texts[0]?.length).toBeGreaterThan(5);
    expect(texts[1]).toEqual(texts[0] ?? []);
  });
});
