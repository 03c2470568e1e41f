// The result of a mutation that was not confirmed: status, code, and what to do next.

import { describe, expect, test } from "bun:test";
import { ToolError } from "../../../core/error.ts";
import { failureOfError, failureOfOutcome } from "../../../plugins/toolkit/mutation-failure.ts";

type Special = Parameters<typeof failureOfOutcome>[1];

const failed = (outcome: object, special: Special = []) =>
  failureOfOutcome(outcome as never, special, (key) => `Look for ${key}.`);
const rejected = (code: string, change: object = {}, special: Special = []) =>
  failed({ kind: "rejected", operationId: "k-1", code, message: "no", ...change }, special);

describe("a refusal", () => {
  test.each([
    ["invalid_payload", "invalid_input"],
    ["invalid_quantity", "invalid_input"],
    ["invalid_price", "invalid_input"],
    ["invalid_time", "invalid_input"],
    ["operation_conflict", "invalid_input"],
    ["forbidden", "forbidden"],
    ["no_entity", "forbidden"],
    ["wrong_secret", "forbidden"],
    ["not_found", "not_found"],
    ["not_configured", "not_configured"],
    ["limit_exceeded", "limit_exceeded"],
    ["rate_limited", "rate_limited"],
    ["storage_full", "backend_unavailable"],
    ["storage_missing", "backend_unavailable"],
    ["clock_jumped", "backend_unavailable"],
    ["market_closed", "rejected"],
    ["too_late", "rejected"],
    ["something_new", "rejected"],
  ])("%s has the code %s, keeps its own as the reason, and changed nothing", (reason, code) => {
    expect(rejected(reason)).toMatchObject({
      status: "rejected",
      message: "Rejected; nothing was changed.",
      error: { code },
      reason,
    });
    expect(rejected(reason)).not.toHaveProperty("idempotencyKey");
  });

  test.each<[code: string, special: Special, status: string, message: string]>([
    ["not_cancellable", ["not_cancellable"], "not_cancellable", "Nothing was cancelled."],
    ["not_cancellable", [], "rejected", "Rejected; nothing was changed."],
    ["no_entity", ["no_entity"], "no_entity", "Nothing was sent."],
    ["no_entity", ["not_cancellable"], "rejected", "Rejected; nothing was changed."],
    ["forbidden", ["no_entity", "not_cancellable"], "rejected", "Rejected; nothing was changed."],
  ])("%s of a tool with the statuses %j has the status %s", (code, special, status, message) => {
    expect(rejected(code, {}, special)).toMatchObject({ status, message });
  });

  test("has the hint that it comes with, else that of its code, else a general one", () => {
    const hint = (code: string, change = {}) => rejected(code, change).error.hint;
    expect(hint("not_found", { hint: "Did you mean o-1?" })).toBe("Did you mean o-1?");
    expect(hint("not_found")).toBe("Give the right id; mkt_find_modules finds ids.");
    expect(hint("something_new")).toStartWith("Nothing was changed. Correct what the message names");
  });

  test("speaks of tools, and of a key that was used before by the key", () => {
    const message = "order.submit needs operationId before validUntil; order.submitted and payloads stay";
    expect(rejected("forbidden", { message }).error.message)
      .toStartWith(
        "mkt_create_test_order needs idempotencyKey before the time limit; order.submitted and payloads stay",
      );
    expect(rejected("operation_conflict").error.message).toContain('The idempotencyKey "k-1" was used before');
  });
});

describe("without an answer", () => {
  test("it is unknown what happened: how long was waited, until when it may, and the key of a repeat", () => {
    const answer = failed({ kind: "timeout", operationId: "k-1", waitedMs: 1_500, validUntil: "12:00" });
    expect(answer).toMatchObject({ status: "timeout", idempotencyKey: "k-1", error: { code: "timeout" } });
    expect(answer.message).toBe("It is unknown whether it took effect.");
    expect(answer.error.message).toContain("within 1500 ms. The request can't take effect after 12:00");
    expect(answer.error.hint).toMatch(/^Look for k-1\. Or repeat the call with idempotencyKey "k-1"/);
  });

  test("a failure of the engine has its own code as the reason, and the key", () => {
    expect(failed({ kind: "error", operationId: "k-1", code: "internal", message: "market.halt broke" })).toMatchObject(
      {
        status: "error",
        message: "The call failed.",
        reason: "internal",
        idempotencyKey: "k-1",
        error: { code: "backend_error", message: "mkt_halt_market broke." },
      },
    );
  });

  test.each([["not_connected", "not_connected"], ["no_entity", "forbidden"]])("%s sent nothing", (kind, code) => {
    const answer = failed({ kind });
    expect(answer).toMatchObject({ status: kind, message: "Nothing was sent.", error: { code } });
    expect(answer).not.toHaveProperty("idempotencyKey");
  });
});

test.each(
  [
    ["not_connected", "not_connected", "Nothing was sent."],
    ["timeout", "timeout", "It is unknown whether it took effect."],
    ["already_connected", "rejected", "Rejected; nothing was changed."],
    ["forbidden", "rejected", "Rejected; nothing was changed."],
    ["limit_exceeded", "rejected", "Rejected; nothing was changed."],
    ["not_found", "rejected", "Rejected; nothing was changed."],
    ["frozen", "rejected", "Rejected; nothing was changed."],
    ["shutting_down", "rejected", "Rejected; nothing was changed."],
    ["read_only", "rejected", "Rejected; nothing was changed."],
    ["rate_limited", "rejected", "Rejected; nothing was changed."],
    ["invalid_input", "error", "Nothing was sent."],
    ["internal", "error", "The call failed."],
    ["backend_error", "error", "The call failed."],
  ] as const,
)("the error %s before anything is sent has the status %s: %s", (code, status, message) => {
  expect(failureOfError(new ToolError(code, "why", "Do it."))).toEqual({
    status,
    message,
    error: { code, message: "why.", hint: "Do it." },
  });
});
