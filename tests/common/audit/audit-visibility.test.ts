import { describe, expect, test } from "bun:test";
import { type AuditViewer, mayReadAudit } from "../../../common/audit/audit-visibility.ts";
import { AUDIT_EVENTS, type AuditEvent, type Permission } from "../../../protocol/index.ts";
import { EventMaker } from "./support/events.ts";

const LIMIT_EVENTS = ["creditLimitSet", "creditLimitRemoved"] as const;
const CREDIT_EVENTS: readonly string[] = [...LIMIT_EVENTS, "documentationStatusSet", "developmentReset"];

function viewer(entityId: string | null, ...permissions: Permission[]): AuditViewer {
  return { entityId, permissions: new Set(permissions) };
}

/** An event of C about D. */
function eventNamed(event: string): AuditEvent {
  const about = { moduleType: "CREDIT", moduleId: "C:D", entityId: "C", orderId: null };
  return new EventMaker().next({ event, ...about, details: { entityId: "C", counterpartyId: "D" } });
}

const [ofC, ofD, ofThird] = ["C", "D", "E"].map((id) => viewer(id, "Market.View"));
const onlooker = viewer(null, "Market.View");
const global = viewer(null, "Market.View", "Scope.Global");

function readersOf(event: string): string[] {
  const viewers = { ofC, ofD, ofThird, onlooker, global };
  return Object.entries(viewers).filter(([, each]) => each !== undefined && mayReadAudit(each, eventNamed(event)))
    .map(([name]) => name);
}

describe("who may read an audit event", () => {
  test.each(AUDIT_EVENTS.filter((name) => !CREDIT_EVENTS.includes(name)))("%s: holders of Market.View", (name) => {
    expect(readersOf(name)).toEqual(["ofC", "ofD", "ofThird", "onlooker", "global"]);
  });

  test("creditLimitSet: the entity that grants, and holders of Scope.Global; not the counterparty", () => {
    for (const name of LIMIT_EVENTS) expect(readersOf(name)).toEqual(["ofC", "global"]);
  });

  test("documentationStatusSet: both entities of the pair, and holders of Scope.Global", () => {
    expect(readersOf("documentationStatusSet")).toEqual(["ofC", "ofD", "global"]);
  });

  test("developmentReset, which reveals every entity's credit: holders of Scope.Global", () => {
    expect(readersOf("developmentReset")).toEqual(["global"]);
  });

  test.each(["weatherChanged", "toString", "__proto__", ""])("%p, which is not declared: nobody", (name) => {
    expect(readersOf(name)).toEqual([]);
  });

  test("an event of no entity's credit is not that of a user without an entity", () => {
    const event = { ...eventNamed("creditLimitSet"), entityId: null };
    expect([onlooker, ofC!, global].map((each) => mayReadAudit(each, event))).toEqual([false, false, true]);
  });

  test.each(AUDIT_EVENTS)("%s: nobody without Market.View", (name) => {
    for (const entityId of ["C", null]) {
      expect(mayReadAudit(viewer(entityId, "Scope.Global", "Credit.View"), eventNamed(name))).toBe(false);
    }
  });
});
