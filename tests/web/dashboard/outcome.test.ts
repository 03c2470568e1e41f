// What a page says became of a call: done, not done, or nobody knows.

import { expect, test } from "bun:test";
import { outcomeOf, outcomeOfError } from "../../../web/dashboard/operation/outcome.ts";
import { RequestError } from "../../../web/dashboard/live/server.ts";

test.each<[string, boolean, Record<string, unknown>, string, object]>([
  ["a success", false, { message: "Halted." }, "success", { message: "Halted." }],
  ["a success that says nothing", false, { status: "success" }, "success", { message: "Done." }],
  ["a refusal", true, { error: { code: "forbidden", message: "No." } }, "failed", {
    code: "forbidden",
    message: "No.",
  }],
  ["a rejection by the market", true, { status: "rejected", message: "No." }, "failed", {
    code: "rejected",
    message: "No.",
  }],
  ["a call without an answer", true, { status: "timeout", message: "Late." }, "unknown", { code: "timeout" }],
  ["a call that ended in time", true, { error: { code: "timeout", message: "Late." } }, "unknown", { code: "timeout" }],
  [
    "a call without an answer, with an error of its own",
    true,
    {
      status: "timeout",
      error: { code: "lost", message: "Late." },
    },
    "unknown",
    { code: "lost" },
  ],
  ["a fault of the server", true, { error: { code: "internal", message: "Oh." } }, "unknown", { code: "internal" }],
  ["an error without words", true, {}, "failed", { code: "error", message: "Done." }],
])("%s", (_what, isError, result, kind, more) => {
  const outcome = outcomeOf({ kind: "result", isError, result } as never);
  expect(outcome.kind).toBe(kind as never);
  expect("report" in outcome ? outcome.report : outcome).toMatchObject(more);
});

test.each([
  [400, "failed"],
  [401, "failed"],
  [403, "failed"],
  [429, "failed"],
  [500, "unknown"],
  [501, "failed"],
  [502, "unknown"],
  [503, "failed"],
  [504, "unknown"],
])("the status %d of the server, or of a proxy before it, leaves the call as %s", (status, kind) => {
  const report = { code: "refused", message: "No." };
  expect(outcomeOfError(new RequestError(status, report))).toEqual({ kind, report } as never);
});

test("a server that can't be reached may have done it", () => {
  expect(outcomeOfError(new TypeError("fetch failed"))).toMatchObject({
    kind: "unknown",
    report: { code: "no_answer" },
  });
});
