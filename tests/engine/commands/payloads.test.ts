// Payloads parsed with compiled tests, beside zod alone, for every action: valid payloads and broken ones.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { type Action, ACTION_NAMES, ACTIONS } from "../../../protocol/index.ts";
import { parsePayload } from "../../../engine/commands/payloads.ts";
import { inputsOf, type Schema } from "../../support/schema-inputs.ts";
import { size } from "../../support/sizes.ts";

/** For each action. 50,000 took ten minutes; a schema has at most some ten fields, whose pairs come many times in 5,000. */
const PAYLOADS = size(40, 5_000);

/** The payload as zod gives it, or what a rejection says. */
function judged(action: Action, payload: unknown): unknown {
  const { data, error } = ACTIONS[action].payload.safeParse(payload);
  if (error === undefined) return data;
  return error.issues.map(({ path, message }) => `${path.join(".") || "payload"}: ${message}`).join("; ").slice(
    0,
    1_000,
  );
}

function parsed(action: Action, payload: unknown): unknown {
  const result = parsePayload(action, payload);
  return "code" in result ? result.message : result;
}

describe("a payload is parsed as zod parses it, or rejected with zod's words", () => {
  test.each(ACTION_NAMES)("of %s", (action) => {
    const schema = z.toJSONSchema(ACTIONS[action].payload, { io: "input" }) as Schema;
    const known = ["N-H12", "ORD-1", "ALPHA", "2026-01-14T13:00:00Z"];
    let accepted = 0;
    fc.assert(
      fc.property(inputsOf(schema, { known }), (payload) => {
        const before = structuredClone(payload);
        const result = parsed(action, payload);
        expect(result).toStrictEqual(judged(action, before));
        expect(payload).toEqual(before);
        if (typeof result === "object") accepted += 1;
      }),
      { numRuns: PAYLOADS },
    );
    expect(accepted).toBeGreaterThan(PAYLOADS / 4);
    expect(accepted).toBeLessThan(PAYLOADS);
  });

  test.each<[string, unknown]>([
    ["an empty list, though every field may be absent", []],
    ["nothing", undefined],
    ["null", null],
    ["a text", "{}"],
    ["an own property called __proto__", JSON.parse('{"__proto__": {"preview": true}}')],
    ["a further property", { further: 1 }],
    ["a field with a default that is null", { preview: null }],
    ["an undefined field", { marketId: undefined }],
  ])("if it is %s", (_, payload) => {
    for (const action of ACTION_NAMES) expect(parsed(action, payload)).toStrictEqual(judged(action, payload));
  });
});
