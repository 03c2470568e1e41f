// The tables of docs/backend-protocol.md about the market itself: clocks, bounds, actions, modules, events, codes, permissions.

import { expect } from "bun:test";
import { z } from "zod";
import {
  type Action,
  ACTION_NAMES,
  ACTIONS,
  type ClockSetting,
  EVENTS,
  type EventType,
  PERMISSIONS,
  startSimulationRequest,
  triggerEventRequest,
} from "../../../../protocol/index.ts";
import { moduleDeclaration, moduleSchema, type ModuleType } from "../../../../protocol/modules/registry.ts";
import { MarketClock } from "../../../../engine/server/host/market-clock.ts";
import { EVENTS_OF_A_COMMAND } from "../../market-rules/command-events.ts";
import { withSinglePermissions } from "../../market-rules/orders.ts";
import { PRECEDENCE_OF_REJECTIONS } from "../../market-rules/precedence.ts";
import { EngineDriver } from "../../support/engine-driver.ts";
import { SECRET, USERS } from "../../support/market.ts";
import { seenBy } from "../../../support/executions.ts";
import { type Row, tableNamed, tablesOf } from "../../../support/document-tables.ts";

const { alpha, beta } = USERS;
const RULES = tablesOf(await Bun.file(new URL("../../../../docs/market-rules.md", import.meta.url)).text());
const SECOND_MS = 1000;

/** Market time passes as the row says, for its least and its greatest speed. */
export function clockRow(row: Row): void {
  const mode = row.name as ClockSetting["mode"];
  for (const speed of (row.cells[1] ?? "").split(" to ").map(Number)) {
    const clock = new MarketClock({ mode, speed } as ClockSetting, 0, 0);
    expect(clock.at(SECOND_MS)).toBe(SECOND_MS * speed);
  }
}

const acceptsAll = (row: Row, accepts: (name: string) => boolean) => {
  expect(row.codes(1).length).toBeGreaterThan(2);
  for (const name of row.codes(1)) expect({ name, accepted: accepts(name) }).toEqual({ name, accepted: true });
};

export const NAMES = {
  strategy: (row: Row) =>
    acceptsAll(row, (strategy) => startSimulationRequest.safeParse({ personas: [{ strategy, count: 1 }] }).success),
  preset: (row: Row) => acceptsAll(row, (preset) => startSimulationRequest.safeParse({ preset }).success),
  "event type": (row: Row) => acceptsAll(row, (type) => triggerEventRequest.safeParse({ type }).success),
};

/** An order at the bound is accepted, and one a step above it is not, also if it would trade at once. */
const bound = (at: number, step: number, terms: object = {}) => (row: Row) => {
  for (const isCrossed of [false, true]) {
    const outcome = (value: number) => {
      const engine = new EngineDriver();
      engine.buy(alpha, { price: 400, quantity: 3 });
      if (isCrossed) engine.sell(beta, { price: 500, quantity: 9 });
      return engine.buy(alpha, { price: 500, quantity: 2, ...terms, bounds: { [row.name]: value } });
    };
    expect([row.name, isCrossed, outcome(at).outcome]).toEqual([row.name, isCrossed, "ok"]);
    const above = outcome(at - step);
    expect(above.outcome).toBe("limit_exceeded");
    expect(above.message).toContain(`(${row.name})`);
  }
};

/** The first order is 3 MW at 4 dollars for an hour, the second 2 MW at 5. Dollars and kW below a whole unit are dropped. */
export const BOUNDS = {
  maxQuantity: bound(2, 0.0001),
  maxNotional: bound(10, 1e-7),
  maxOpenOrders: bound(2, 1),
  maxOpenNotional: bound(12 + 10, 1e-7),
  maxNetPosition: bound(3 + 2, 0.0001),
};

const PAIR = { entityId: "ALPHA", counterpartyId: "BETA" };
const PRICE = { node: "NORTH", price: 1, regime: "base", time: "2026-01-14T13:00:00Z" };

/** A request that only a missing permission, or the kind of clock, could prevent. */
const PAYLOADS: Readonly<Record<Action, object>> = {
  "order.submit": { contractId: "N-H12", side: 0, price: 5, quantity: 1 },
  "order.modify": { orderId: "ORD-1", price: 6 },
  "order.cancel": { orderId: "ORD-1" },
  "market.halt": {},
  "market.resume": {},
  "credit.setLimit": { ...PAIR, limitType: "mw", scope: "total", limit: 1 },
  "credit.setDocumentation": { ...PAIR, status: "pending" },
  "engine.flush": { engineId: "ENG-N-H12" },
  "market.flush": {},
  "dev.reset": { secret: SECRET, creditLimit: 1 },
  "clock.set": { speed: 2 },
  "clock.advance": { to: "2026-01-14T14:00:00Z" },
  "spot.publish": { prices: [PRICE] },
};

function attempt(userId: string, action: Action) {
  const engine = new EngineDriver(withSinglePermissions());
  if (action === "clock.advance") engine.setClock({ mode: "lockstep", speed: 0 });
  engine.buy(alpha, { price: 5, quantity: 1 });
  return engine.send(userId, action, PAYLOADS[action], "op");
}

/** Of users with one permission each, those may send the action whom the row names; its fields are those of the engine. */
export function actionRow(row: Row): void {
  const action = row.name as Action;
  const [who = ""] = (row.cells[3] ?? "").split(";");
  const allowed: string[] = PERMISSIONS.filter((permission) => who.includes(permission));
  for (const userId of ["none", ...PERMISSIONS]) {
    const { outcome, result } = attempt(userId, action);
    const isAllowed = allowed.length === 0 || allowed.includes(userId);
    expect([userId, outcome]).toEqual([userId, isAllowed ? "ok" : "forbidden"]);
    if (outcome === "ok") expect(row.codes(2)).toEqual(expect.arrayContaining(Object.keys(result)));
  }
  const fields = row.codes(1).map((name) => name.replace("?", ""));
  expect(fields).toEqual(expect.arrayContaining(Object.keys(ACTIONS[action].payload.shape)));
}

/** The modules of a market that has traded have exactly the row's fields, and a parent of the row's type. */
export function moduleRow(row: Row): void {
  const engine = new EngineDriver();
  engine.sell(beta, { price: 5, quantity: 1 });
  engine.buy(alpha, { price: 5, quantity: 2 });
  const type = row.name as ModuleType;
  const modules = engine.all(type);
  expect(modules.length).toBeGreaterThan(0);
  const [parentType = "", foreignKey = ""] = (row.cells[1] ?? "").replaceAll("`", "").split(" by ");
  expect(moduleDeclaration(type).parent?.type ?? "").toBe(parentType);
  for (const module of modules as Record<string, unknown>[]) {
    expect(Object.keys(module).toSorted()).toEqual(["id", ...row.codes(2), ...row.codes(3)].toSorted());
    const parentId = module[foreignKey];
    // The users of no entity.
    if (parentType !== "" && parentId !== null) engine.module(parentType as ModuleType, String(parentId));
  }
}

/** Which rows of market-rules.md name each event. The checks of those rows let an engine send it. */
export function eventRow(row: Row): void {
  const rows = tableNamed(RULES, "Events of a command: what happens").rows;
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(EVENTS_OF_A_COMMAND));
  expect(rows.some((command) => command.codes(1).includes(row.name))).toBe(true);
  const data = /^the (\w+) module$/.exec(row.cells[2] ?? "")?.[1];
  const schema = EVENTS[row.name as EventType] as z.ZodType;
  if (data === undefined) expect(schema instanceof z.ZodObject ? Object.keys(schema.shape) : []).toEqual(row.codes(2));
  else expect(schema).toBe(moduleSchema(data as ModuleType));
}

/** Which rows of market-rules.md name each code. The checks of those rows let an engine give it. */
export function rejectionRow(row: Row): void {
  const rows = tableNamed(RULES, "Precedence of rejections: action").rows;
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(PRECEDENCE_OF_REJECTIONS).toSorted());
  expect(rows.some((action) => action.codes(1).includes(row.name))).toBe(true);
}

/** The modules of others that a user with the one permission sees more than one without any. */
function seenMore(permission: string): number {
  const engine = new EngineDriver(withSinglePermissions());
  engine.buy(beta, { price: 5, quantity: 1 });
  const [many, few] = [permission, "none"].map((userId) =>
    seenBy(engine.engine.user(userId), engine.engine.snapshot(engine.now)).length
  );
  return (many ?? 0) - (few ?? 0);
}

/** Of all actions that need a permission, the user with this one may send exactly these. */
const allows = (...actions: Action[]) => ({ name }: Row) => {
  const allowed = ACTION_NAMES.filter((action) => action !== "dev.reset" && attempt(name, action).outcome === "ok");
  expect(allowed.toSorted()).toEqual(actions.toSorted());
};

export const PERMISSION_ROWS = {
  "Market.View": ({ name }: Row) => expect(seenMore(name)).toBeGreaterThan(5),
  "Market.Operate": allows(
    "order.cancel",
    "market.halt",
    "market.resume",
    "engine.flush",
    "market.flush",
    "clock.set",
    "clock.advance",
  ),
  "Order.Submit": allows("order.submit", "order.modify", "order.cancel"),
  "Credit.View": {
    file: "tests/engine/server/http/admin-routes.test.ts",
    test: "are given to users of a known entity and Scope.Global alone; used credit only with Credit.View",
  },
  "Credit.Manage": allows("credit.setLimit", "credit.setDocumentation"),
  "Spot.Publish": allows("spot.publish", "clock.set", "clock.advance"),
  "Scope.Global": ({ name }: Row) => expect(seenMore(name)).toBe(4),
};
