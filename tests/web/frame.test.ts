import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import type { SearchResult } from "../../web/contract/search.ts";
import { statusWord, windowTitle } from "../../web/dashboard/live/market-status.ts";
import { addressOf, groupsOf, stepFrom } from "../../web/dashboard/frame/search-results.ts";
import { RequestError } from "../../web/dashboard/live/server.ts";
import { WITHOUT_KEY } from "../../web/dashboard/operation/confirmation.ts";
import { outcomeOf, outcomeOfError } from "../../web/dashboard/operation/outcome.ts";
import { address, pageRoute } from "../../web/dashboard/pages/page.ts";

describe("addresses of pages", () => {
  test("a page finds the argument of its address again, whatever is in it", () => {
    for (const argument of ["NORTH-DA", "a/b#c?d", "100 %", "ü<img>"]) {
      expect(pageRoute(address("contract", argument))).toEqual({ name: "contract", argument });
    }
  });

  test("an address that nobody made has no argument or stands for itself", () => {
    expect([pageRoute(""), pageRoute("#/spot"), pageRoute("#/order/%E0%A4")]).toEqual([
      { name: "", argument: "" },
      { name: "spot", argument: "" },
      { name: "order", argument: "%E0%A4" },
    ]);
  });
});

test("a halt overrides the schedule, and the title begins with the most urgent", () => {
  expect(statusWord({ status: "open", halted: true }).word).toBe("HALTED");
  const calm = { isHalted: false, isFrozen: false, isAway: false };
  expect(windowTitle("Market", calm, false)).toBe("Market - mkt");
  expect(windowTitle("Market", { isHalted: true, isFrozen: true, isAway: true }, true))
    .toBe("HALTED - FROZEN - NOT LIVE - CONTROL - Market - mkt");
});

describe("results of the search", () => {
  const found = (kind: SearchResult["kind"], id: string, entityId?: string | null): SearchResult => (
    { kind, id, title: "", detail: "", entityId }
  );

  test("are grouped by kind, the kind of the best one first", () => {
    const groups = groupsOf([found("order", "1"), found("entity", "2"), found("order", "3")]);
    expect(groups.map(({ kind, results }) => [kind, ...results.map(({ id }) => id)]))
      .toEqual([["order", "1", "3"], ["entity", "2"]]);
  });

  test("lead to the page of their kind, and a user to that of the entity", () => {
    expect(addressOf(found("contract", "A/B"))).toBe("#/contract/A%2FB");
    expect(addressOf(found("user", "u", "E"))).toBe("#/entities/E");
    expect(addressOf(found("user", "u", null))).toBeNull();
  });

  test("the keyboard goes around the list", () => {
    expect([stepFrom(-1, 1, 3), stepFrom(2, 1, 3), stepFrom(0, -1, 3), stepFrom(-1, -1, 3), stepFrom(0, 1, 0)])
      .toEqual([0, 0, 2, 2, -1]);
  });
});

describe("the outcome of a call", () => {
  const reply = (result: object, isError: boolean) => outcomeOf({ kind: "result", isError, result: { ...result } });

  test("a success has the tool's words, a refusal is a failure with its hint, and a timeout is neither", () => {
    expect(reply({ status: "success", message: "Halted." }, false))
      .toMatchObject({ kind: "success", message: "Halted." });
    const rejected = { code: "rejected", message: "m", hint: "h" };
    expect(reply({ status: "rejected", error: rejected }, true)).toEqual({ kind: "failed", report: rejected });
    const timeout = { code: "timeout", message: "m", hint: "h" };
    expect(reply({ status: "timeout", message: "m", error: timeout }, true).kind).toBe("unknown");
  });

  test.each([
    ["success", "none", false, "success"],
    ["rejected", "forbidden", true, "failed"],
    ["rejected", "timeout", true, "unknown"],
    ["rejected", "internal", true, "unknown"],
    ["timeout", "other", true, "unknown"],
  ])("with status %s and code %s (error: %p) is a %s", (status, code, isError, kind) => {
    expect(reply({ status, message: "m", error: { code, message: "m" } }, isError).kind).toBe(kind as "success");
  });

  test("a request without an answer may have taken effect, a refused one has not", () => {
    const report = { code: "c", message: "m" };
    const refused = [500, 502, 504, 400, 403, 499, 501, 503].map((status) => new RequestError(status, report));
    expect([new TypeError("fetch failed"), ...refused].map((error) => outcomeOfError(error).kind))
      .toEqual([...Array<"unknown">(4).fill("unknown"), ...Array<"failed">(5).fill("failed")]);
  });

  test("the tools that take no idempotencyKey are known", async () => {
    const folder = join(import.meta.dir, "../snapshots/tools");
    const keyless: string[] = [];
    for await (const name of new Glob("*.json").scan(folder)) {
      const tool = await Bun.file(join(folder, name)).json();
      if (!tool.annotations.readOnlyHint && !("idempotencyKey" in tool.inputSchema.properties)) keyless.push(tool.name);
    }
    expect(keyless.sort()).toEqual([...WITHOUT_KEY].sort());
  });
});

test.each([
  ["#/contract/A/B", "A/B"],
  ["#/contract/A%2FB", "A/B"],
  ["#/contract/A/", "A/"],
  ["#/contract/50%", "50%"],
  ["#/contract", ""],
])("the address %s leads to %p", (hash, argument) => {
  expect(pageRoute(hash)).toEqual({ name: "contract", argument });
});
