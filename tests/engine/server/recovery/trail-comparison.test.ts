// A replay is compared with every event that was recorded of it, and with nothing that was not.

import { describe, expect, test } from "bun:test";
import { auditId, numberOf } from "../../../../common/audit/audit-id.ts";
import type { JournalCall } from "../../../../engine/journal/journal-call.ts";
import type { LoadedJournal } from "../../../../engine/journal/journal.ts";
import { NotUpgradable } from "../../../../engine/journal/upgrades/journal-upgrades.ts";
import { JournalReplay } from "../../../../engine/server/recovery/journal-replay.ts";
import { comparedReplay } from "../../../../engine/server/recovery/trail-comparison.ts";
import type { AuditEvent } from "../../../../protocol/index.ts";
import { auditOf } from "../../../support/executions.ts";
import { EPOCH, smallMarket, START, USERS } from "../../support/market.ts";

const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() };
const ORDERS = 5;

function order(at: number): JournalCall {
  const payload = { contractId: "N-H12", side: at % 2, timeInForce: "gtc", price: 100, quantity: 1 };
  const userId = at % 2 === 0 ? USERS.alpha : USERS.beta;
  const call = { kind: "execute", userId, operationId: `o-${at}`, action: "order.submit", payload };
  return { ...call, cancelOnDisconnect: false, now: START } as unknown as JournalCall;
}

const CALLS = Array.from({ length: ORDERS }, (_, at) => order(at));

/** The events that the calls cause, and a checkpoint after some of the calls. */
function caused(checkpointAt: number | null) {
  const events: AuditEvent[] = [];
  const listener = {
    applied: (execution: { readonly audit: string }) =>
      void events.push(...auditOf({ audit: execution.audit, messages: [] } as never)),
    epochBegan: () => {},
    leftOut: () => {},
  };
  const replay = new JournalReplay(HEADER, listener as never);
  let checkpoint: LoadedJournal["checkpoint"] = null;
  let position = 0;
  CALLS.forEach((call, at) => {
    replay.apply(at + 1, JSON.stringify(call));
    if (at + 1 !== checkpointAt) return;
    const { state, operations } = replay.checkpoint();
    checkpoint = { upTo: at + 1, parts: [...state, ...operations(-Infinity)] };
    position = replay.engine.auditPosition;
  });
  const records = CALLS.map((call, at) => ({ number: at + 1, text: JSON.stringify(call) })).slice(checkpointAt ?? 0);
  const loaded: LoadedJournal = { header: HEADER, checkpoint, records, lastNumber: ORDERS, tornWrite: null };
  return { loaded, events, position };
}

/** Compares with what is left of the trail after a position; returns the position that was asked for. */
function compared(loaded: LoadedJournal, events: readonly AuditEvent[]) {
  const asked: number[] = [];
  const replay = comparedReplay(loaded, (position) => {
    asked.push(position);
    return events.filter(({ id }) => numberOf(id) > position);
  });
  return { asked, position: replay.engine.auditPosition };
}

describe("a replay that is compared with a trail", () => {
  test.each([[null], [3]])(
    "gives the engine after all calls, if the trail has the same events; checkpoint: %p",
    (at) => {
      const { loaded, events, position } = caused(at);
      expect(events.length).toBeGreaterThan(ORDERS);
      expect(compared(loaded, events)).toEqual({ asked: [position], position: events.length });
    },
  );

  test.each([
    ["its oldest events", (events: readonly AuditEvent[]) => events.slice(3)],
    ["its newest events", (events: readonly AuditEvent[]) => events.slice(0, -3)],
    ["all events", () => []],
    [
      "some fields of details",
      (events: readonly AuditEvent[]) =>
        events.map((event) => ({ ...event, details: Object.fromEntries(Object.entries(event.details).slice(1)) })),
    ],
  ])("may lack %s", (_, change) => {
    const { loaded, events } = caused(null);
    expect(compared(loaded, change(events)).position).toBe(events.length);
  });

  const at = (place: number, change: Partial<AuditEvent>) => (events: readonly AuditEvent[]) =>
    events.map((event, each) => each === place ? { ...event, ...change } : event);
  test.each<[string, (events: readonly AuditEvent[]) => readonly AuditEvent[]]>([
    ["another time", at(0, { time: "2026-01-14T13:00:00.001Z" })],
    ["another name", at(2, { event: "orderCancelled" })],
    ["another user", at(1, { userId: "somebody" })],
    ["another order", at(1, { orderId: "ORD-99" })],
    ["another detail", (events) => at(3, { details: { ...events[3]!.details, price: 1 } })(events)],
    ["a detail more", (events) => at(3, { details: { ...events[3]!.details, more: null } })(events)],
    ["another epoch", (events) => at(0, { id: auditId(EPOCH + 1, 1) })(events)],
    ["another last event", (events) => at(events.length - 1, { userId: "somebody" })(events)],
  ])("is refused if the trail has %s", (_, change) => {
    const { loaded, events } = caused(null);
    expect(() => compared(loaded, change(events))).toThrow(NotUpgradable);
    expect(() => compared(loaded, change(events))).toThrow(
      /^under the rules of this version its calls have another outcome: audit event \S+ was \S+ of ORD-\d+, and would be order\S+ of ORD-\d+ \(\S+\)$/,
    );
  });

  test("is refused if the trail has more events than its calls cause", () => {
    const { loaded, events } = caused(null);
    const more = { ...events[0]!, id: auditId(EPOCH, events.length + 1) };
    expect(() => compared(loaded, [...events, more])).toThrow(
      `under the rules of this version its calls cause ${events.length} audit events, and event ${more.id} was recorded`,
    );
  });
});
