// Who gets which message of a call, and the lines of its audit trail.

import { expect, test } from "bun:test";
import type { PublishedMessage } from "../../../engine/api/messages.ts";
import { type Checked, EngineDriver } from "../support/engine-driver.ts";
import { USERS } from "../support/market.ts";
import { auditOf } from "../../support/executions.ts";
import { marketAt, OPEN, PREOPEN } from "../support/sessions.ts";

const { alpha, beta, gamma, operator } = USERS;

/** Each message by its type, or its module, and who may see it beside the holders of a permission. */
function audiences({ execution }: Checked): unknown[] {
  return execution.messages.map((message: PublishedMessage) => {
    const { permission, entityIds } = message.audience;
    const what = message.kind === "state" ? `${message.type} ${message.id}` : JSON.parse(message.text).type;
    return [what, permission, ...entityIds];
  });
}

test("a trade is told to both sides, each order and fill to its own, and the book to everyone", () => {
  for (const isBuy of [true, false]) {
    const engine = new EngineDriver();
    if (isBuy) engine.sell(alpha, { price: 5, quantity: 2 });
    else engine.buy(alpha, { price: 5, quantity: 2 });
    const traded = isBuy ? engine.buy(beta, { price: 5, quantity: 1 }) : engine.sell(beta, { price: 5, quantity: 1 });
    const [buyer, seller] = isBuy ? ["BETA", "ALPHA"] : ["ALPHA", "BETA"];
    expect(audiences(traded)).toEqual([
      ["CREDIT ALPHA:BETA", "Scope.Global", "ALPHA"],
      ["CREDIT BETA:ALPHA", "Scope.Global", "BETA"],
      ["new.order", "Market.View", "BETA"],
      ["new.trade", "Market.View", buyer],
      ["new.fill", "Market.View", "ALPHA"],
      ["new.fill", "Market.View", "BETA"],
      ["change.order", "Market.View", "ALPHA"],
      ["change.order", "Market.View", "BETA"],
      ["change.book", null],
    ].map((line) => line[0] === "new.trade" ? [...line, seller] : line));
    const fills = auditOf(traded.execution).filter(({ event }) => event === "orderFilled");
    expect(fills.map(({ entityId, orderId, details }) => [entityId, orderId, details["counterpartyId"]])).toEqual([
      ["ALPHA", "ORD-1", "BETA"],
      ["BETA", "ORD-2", "ALPHA"],
    ]);
  }
});

test("a change of credit is told to who grants it, one of documents to both, and a user to the own entity", () => {
  const engine = new EngineDriver();
  expect(audiences(engine.setLimit(gamma, "GAMMA:ALPHA", { limit: 9 }))).toEqual([
    ["CREDIT GAMMA:ALPHA", "Scope.Global", "GAMMA"],
    ["change.credit", "Scope.Global", "GAMMA"],
  ]);
  expect(audiences(engine.setDocuments(gamma, "GAMMA:ALPHA", "docs_in_place", "a note"))).toEqual([
    ["CREDIT GAMMA:ALPHA", "Scope.Global", "GAMMA"],
    ["change.documentation", "Scope.Global", "GAMMA", "ALPHA"],
  ]);
  expect(audiences(engine.setConnected(beta, true))).toEqual([
    [`USER ${beta}`, "Market.View", "BETA"],
    ["change.user", "Market.View", "BETA"],
  ]);
  expect(audiences(engine.execute(operator, "market.halt", {}))).toEqual([["MARKET M1", null], ["halt.market", null]]);
});

test("a book is told by its event alone if it has changed, and by its state if only its held orders have", () => {
  const engine = marketAt(PREOPEN);
  const held = engine.buy(alpha, { price: 5, quantity: 1 });
  expect(held.paths).toEqual(["/ENGINE/ENG-N-H12", "/QUEUE/QUE-N-H12"]);
  const opened = engine.advanceTo(OPEN);
  expect([opened.paths, opened.eventTypes]).toEqual([
    ["/MARKET/M1", "/QUEUE/QUE-N-H12"],
    ["change.market", "release.order", "change.book"],
  ]);
  expect(engine.buy(alpha, { price: 5, quantity: 1 }).paths).toEqual([]);
});

test("each line of the audit trail has the time and the user of its own event, also in one call", () => {
  const engine = new EngineDriver();
  engine.setClock({ mode: "fast", speed: 60 });
  engine.buy(alpha, { price: 5, quantity: 1 });
  engine.now = Date.parse("2026-01-20T18:30:00Z");
  const late = engine.execute(beta, "order.submit", { contractId: "S-PK", side: 0, price: 5, quantity: 1 });
  expect(auditOf(late.execution).map(({ event, time, userId }) => [event, time.slice(0, 16), userId])).toEqual([
    ["contractExpired", "2026-01-20T17:00", null],
    ["orderExpired", "2026-01-20T17:00", null],
    ["deliveryEnded", "2026-01-20T18:00", null],
    ["orderQueued", "2026-01-20T18:30", beta],
  ]);
  const positions = engine.audit.map(({ id }) => id);
  expect([new Set(positions).size, positions]).toEqual([positions.length, positions.toSorted()]);
});
