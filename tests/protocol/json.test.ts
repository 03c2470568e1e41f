import { expect, test } from "bun:test";
import { isDeeperThan, isObject, parseJson } from "../../protocol/json.ts";
import { moduleTypeOf } from "../../protocol/state-path.ts";
import { MODULE_TYPES } from "../../protocol/modules/registry.ts";
import { routeOf } from "../../protocol/routes.ts";

test.each<[string, unknown]>([
  ["{}", {}],
  ["null", null],
  ["0", 0],
  ['"a"', "a"],
  ["", undefined],
  ["{", undefined],
  ["undefined", undefined],
])("%p is parsed, or undefined", (text, value) => expect(parseJson(text)).toEqual(value));

test.each<[unknown, number]>([
  [null, 0],
  ["[[[]]]", 0],
  [[], 1],
  [{}, 1],
  [[1, "a", [], null], 2],
  [{ a: 1, b: { c: [] } }, 3],
  [[{}, [[{}]], {}], 4],
  [{ a: [], b: [[1]], c: {} }, 3],
])("%j is %d deep", (value, depth) => {
  expect(isDeeperThan(depth, value)).toBeFalse();
  if (depth > 0) expect(isDeeperThan(depth - 1, value)).toBeTrue();
});

test.each<[unknown, boolean]>([[{}, true], [[], false], [null, false], ["a", false], [undefined, false], [1, false]])(
  "%p is an object: %p",
  (value, expected) => expect(isObject(value)).toBe(expected),
);

test("a state path names its type if it has an id after it, and no other type", () => {
  for (const type of MODULE_TYPES) {
    expect([moduleTypeOf(`/${type}/a`), moduleTypeOf(`/${type}//`)]).toEqual([type, type]);
    for (const path of [`/${type}/`, `/${type}`, `${type}/a`, `/${type.toLowerCase()}/a`, `/${type}X/a`]) {
      expect([path, moduleTypeOf(path)]).toEqual([path, null]);
    }
  }
});

test.each<[string, string | null]>([
  ["/api/admin/orders/ORD-1/blocks", "/api/admin/orders/{id}/blocks"],
  ["/api/admin/orders/a%2Fb/events", "/api/admin/orders/{id}/events"],
  ["/api/admin/entities/north/positions", "/api/admin/entities/{id}/positions"],
  ["/health", "/health"],
  ["/api/admin/orders/a/b/blocks", null],
  ["/api/admin/orders/a/odd", null],
  ["/api/admin/users/a/blocks", null],
  ["/api/admin/orders//blocks", null],
  ["/nowhere", null],
  ["", null],
])("%p is the route %p in traces and metrics", (path, route) => expect(routeOf(path)).toBe(route));
