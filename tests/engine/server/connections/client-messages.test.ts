import { describe, expect, test } from "bun:test";
import { fieldOf, isKnownKind, parseClientMessage } from "../../../../engine/server/connections/client-messages.ts";

const request = {
  kind: "request",
  requestId: "r-1",
  operationId: "op-1",
  action: "order.submit",
  payload: { anything: [1] },
};

describe("a message from a client", () => {
  test.each([
    ["hello", true],
    ["request", true],
    ["Request", false],
    ["", false],
    ["constructor", false],
  ])("of kind %p is known: %p", (kind, isKnown) => {
    expect(isKnownKind(kind)).toBe(isKnown);
  });

  test.each<[string, unknown, unknown]>([
    ["an object", { kind: "x" }, "x"],
    ["an object with null", { kind: null }, null],
    ["another object", { other: "x" }, undefined],
    ["an heir", Object.create({ kind: "inherited" }), undefined],
    ["a list", ["kind"], undefined],
    ["a text", "kind", undefined],
    ["null", null, undefined],
    ["nothing", undefined, undefined],
    ["a number", 7, undefined],
  ])("that is %s has only a field of its own", (_, message, field) => {
    expect(fieldOf(message, "kind")).toBe(field);
  });

  test("is read if it fits, with fields of later versions left out or kept, but never refused", () => {
    expect(parseClientMessage(request)).toEqual(request as never);
    expect(parseClientMessage({ ...request, later: 1 })).toMatchObject(request);
  });

  test.each<[string, unknown, RegExp[]]>([
    ["another kind", { kind: "x" }, [/^kind: /]],
    ["no object", 7, [/^message: /]],
    ["a wrong field", { ...request, requestId: 7 }, [/^requestId: /]],
    ["a wrong field inside", { kind: "hello", protocol: 1, userId: "a", resume: { epoch: -1, sequence: 1 } }, [
      /^resume\.epoch: /,
    ]],
    ["two wrong fields", { ...request, requestId: 7, operationId: 7 }, [/^requestId: .+; operationId: /]],
  ])("that is wrong is described by where it is wrong: %s", (_, message, expected) => {
    const fault = parseClientMessage(message);
    expect(typeof fault).toBe("string");
    for (const each of expected) expect(fault).toMatch(each);
  });
});
