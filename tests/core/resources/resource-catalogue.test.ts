// Which resource a URI means.

import { describe, expect, test } from "bun:test";
import { defineResource } from "../../../core/resources/resource.ts";
import { hasParameters, ResourceCatalogue } from "../../../core/resources/resource-catalogue.ts";

const resource = (uri: string, name = uri) =>
  defineResource({ name, uri, title: "t", description: "d", read: () => ({}) });

describe("a catalogue of resources", () => {
  const things = [resource("a://b"), resource("a://b/{one}"), resource("a://b/fixed"), resource("a://b/{one}/{two}")];
  const catalogue = new ResourceCatalogue(things);
  test.each([
    ["a://b", 0, {}],
    ["a://b/fixed", 2, {}],
    ["a://b/x%2Fy", 1, { one: "x/y" }],
    ["a://b/x/y", 3, { one: "x", two: "y" }],
  ])("finds for %s the resource whose URI it is, or else whose template it fits", (uri, at, parameters) => {
    expect(catalogue.find(uri)).toEqual({ resource: things[at]!, uri, parameters });
  });

  test("finds nothing for another URI, and by a template only the resource that has it", () => {
    expect(["a://", "a://b/", "a://b/x/y/z", "A://b", "a://b/{one}/"].map((uri) => catalogue.find(uri))).toEqual(
      [null, null, null, null, null],
    );
    expect(["a://b/{one}", "a://b/{one}/{two}", "a://b", "a://b/x"].map((uri) => catalogue.template(uri)?.uri)).toEqual(
      ["a://b/{one}", "a://b/{one}/{two}", undefined, undefined],
    );
    expect(things.map(hasParameters)).toEqual([false, true, false, true]);
  });

  test.each(["a://b", "a://b/{one}"])("does not take two resources with the URI %s", (uri) => {
    expect(() => new ResourceCatalogue([resource(uri, "one"), resource("a://c"), resource(uri, "two")])).toThrow(
      "two resources have one URI",
    );
  });
});
