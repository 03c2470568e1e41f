import { describe, expect, test } from "bun:test";
import { expandUri, parameterNames, uriReader } from "../../../core/resources/uri-template.ts";

const TEMPLATE = "shop://a.b/{orderId}/lines/{line2}";
const read = uriReader(TEMPLATE);

describe("a URI with parameters", () => {
  test("is expanded and read with any values", () => {
    expect(parameterNames(TEMPLATE)).toEqual(["orderId", "line2"]);
    for (const orderId of ["1", "a/b c?d#e%é", "$&", "{line2}", "__proto__", "\u{1f600}"]) {
      const uri = expandUri(TEMPLATE, { orderId, line2: "7" });
      expect(uri).toMatch(/^shop:\/\/a\.b\/[^/?#]+\/lines\/7$/);
      expect(read(uri)).toEqual({ orderId, line2: "7" });
    }
  });

  test("is expanded also with a lone surrogate, and then has another value", () => {
    const uri = expandUri(TEMPLATE, { orderId: "x\ud800", line2: "7" });
    expect(read(uri)).toEqual({ orderId: "x\ufffd", line2: "7" });
  });

  test.each([
    ["an empty value", "shop://a.b//lines/7"],
    ["another segment", "shop://a.b/1/2/lines/7"],
    ["a query", "shop://a.b/1/lines/7?x=1"],
    ["a character for the dot", "shop://acb/1/lines/7"],
    ["text behind", "shop://a.b/1/lines/7/more"],
    ["a broken escape", "shop://a.b/%E0%A4/lines/7"],
  ])("is another one with %s", (_what, uri) => {
    expect(read(uri)).toBeNull();
  });
});
