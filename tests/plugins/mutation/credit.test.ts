// What the tools for credit check, send and answer.

import { describe, expect, jest, test } from "bun:test";
import type { z } from "zod";
import { noProgress } from "../../../core/tools/progress.ts";
import credit from "../../../plugins/mutation/credit.ts";
import * as scope from "../../../plugins/toolkit/entity-scope.ts";
import { wholeModule } from "../../support/modules.ts";
import { replaced } from "../../support/replaced.ts";
import { NOW, snapshotOf } from "../support/snapshot-of.ts";

const [setLimit, setDocumentation] = credit;
const MODULE = wholeModule("CREDIT", {
  id: "x",
  entityId: "a",
  counterpartyId: "b",
  tradable: false,
  documentation: "docs_in_place",
  counterpartyDocumentation: "pending",
  limits: [{ limitType: "mw" }],
  notes: "Noted.",
});
const PAIR = ["counterpartyDocumentation", "counterpartyId", "documentation", "entityId", "tradable", "updatedAt"];
const LIMIT = { entityId: "a", counterpartyId: "b", limitType: "notional", scope: "total", limit: 7 };
const STATUS = { entityId: "a", counterpartyId: "b", status: "docs_in_place", notes: "Mine." };

/** The answer, or the error, and what was sent. */
async function called(tool: (typeof credit)[number], input: object, outcome?: object) {
  const request = jest.fn(() => Promise.resolve(outcome ?? { kind: "ok", result: { credit: MODULE } }));
  const checked = replaced(scope, "checkOwnEntity", () => {});
  const context = {
    signal: new AbortController().signal,
    snapshot: snapshotOf({ "/CONTRACT/c": {}, "/ENTITY/a": {}, "/ENTITY/b": {} }),
    progress: noProgress,
    configuration: { backend: { confirmTimeoutMs: 1, userId: "u" } },
    pubsub: { session: { userId: "u", entityId: "a", capabilities: [] }, request },
  } as never;
  const answer = await Promise.resolve().then(() => tool.handler(input as never, context)).catch((error) => error);
  return {
    answer: answer as Record<string, unknown>,
    sent: (request.mock.calls as unknown[][]).map(([name, parameters]) => [name, parameters]),
    checked: checked.splice(0).map(([entityId, of]) => [entityId, of === context]),
  };
}

describe.each(
  [
    ["a limit", setLimit!, LIMIT, "credit.setLimit", "limits"],
    ["a status of documents", setDocumentation!, STATUS, "credit.setDocumentation", "notes"],
  ] as const,
)("%s", (_what, tool, input, operation, own) => {
  test("is sent as it was given, after the own entity was checked", async () => {
    const { answer, sent, checked } = await called(tool, input);
    expect([sent, checked]).toEqual([[[operation, input]], [["a", true]]]);
    expect(answer).toMatchObject({ status: "success", result: { tradable: false, [own]: MODULE[own] } });
    expect(Object.keys(answer["result"] as object).toSorted()).toEqual([...PAIR, own].toSorted());
  });

  test("needs a connection to write, and the permission to manage credit", () => {
    expect(tool.requires).toEqual({ connection: "write", permissions: ["Credit.Manage"] });
    expect(tool.annotations).toMatchObject({ destructiveHint: true, idempotentHint: true });
    expect(tool.allowedWhenFrozen ?? false).toBe(false);
  });

  test("for an unknown counterparty is not sent", async () => {
    const { answer, sent } = await called(tool, { ...input, counterpartyId: "z" });
    expect([answer["code"], sent]).toEqual(["not_found", []]);
  });

  test("that is not confirmed has no result, and names the tool that shows it", async () => {
    const { answer } = await called(tool, input, { kind: "timeout", waitedMs: 5, validUntil: NOW, operationId: "k" });
    expect(answer).toMatchObject({ status: "timeout", result: null });
    expect((answer["error"] as { hint: string }).hint).toContain(
      "mkt_get_extended_credit for the pair shows whether it took effect.",
    );
  });
});

test.each([
  ["total", undefined, null],
  ["total", "c", 'contractId "c" was given, but a limit of scope total applies to all contracts.'],
  ["per_contract", "c", null],
  ["per_contract", "d", 'There is no CONTRACT "d".'],
  ["per_contract", undefined, "contractId is required if scope is per_contract."],
])("a limit of scope %s with the contract %p is refused with %p", async (scope, contractId, message) => {
  const { answer, sent } = await called(setLimit!, { ...LIMIT, scope, ...(contractId && { contractId }) });
  expect(sent).toHaveLength(message === null ? 1 : 0);
  if (message === null) expect(answer["status"]).toBe("success");
  else expect((answer as unknown as Error).message).toBe(message);
});

test.each([
  ["notional", 5, false],
  ["notional", undefined, false],
  ["mw", 5, true],
  ["mw", 0, true],
  ["mw", undefined, false],
  ["mwh", 5, true],
])("a limit of %s with a margin of %p says that it has no effect: %p", async (limitType, marginPercent, isSaid) => {
  const { answer, sent } = await called(setLimit!, {
    ...LIMIT,
    limitType,
    ...(marginPercent !== undefined && { marginPercent }),
  });
  expect(sent).toHaveLength(1);
  const note = ` marginPercent ${marginPercent} has no effect: it applies to notional limits only. `;
  expect((answer["message"] as string).includes(note)).toBe(isSaid);
});

test("the terms of a limit and of documents have their bounds", () => {
  const accepts = (tool: (typeof credit)[number], given: object) => (tool.input as z.ZodType).safeParse(given).success;
  const limits: [object, boolean][] = [
    [{}, true],
    [{ limit: 0 }, true],
    [{ limit: -0.1 }, false],
    [{ limit: 1e12 }, true],
    [{ limit: 1e12 + 1 }, false],
    [{ marginPercent: 0 }, true],
    [{ marginPercent: 100 }, true],
    [{ marginPercent: 100.1 }, false],
    [{ marginPercent: -1 }, false],
    [{ scope: "all" }, false],
    [{ limitType: "euro" }, false],
  ];
  expect(limits.map(([given]) => [given, accepts(setLimit!, { ...LIMIT, ...given })] as const)).toEqual(limits);
  const statuses: [object, boolean][] = [
    [{}, true],
    [{ notes: undefined }, true],
    [{ notes: "n".repeat(1_000) }, true],
    [{ notes: "n".repeat(1_001) }, false],
    [{ status: "lost" }, false],
  ];
  expect(statuses.map(([given]) => accepts(setDocumentation!, { ...STATUS, ...given }))).toEqual(
    statuses.map(([, expected]) => expected),
  );
});
