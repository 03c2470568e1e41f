// Which paths a pattern matches, with which parameters, and which of several patterns goes first.

import { expect, test } from "bun:test";
import { isSamePattern, overlap, uriPattern } from "../../../core/packs/path-overlap.ts";
import { bySpecificity, matchPath, pathSegments, routePattern } from "../../../core/routes/route-path.ts";

test.each<[string, string, Record<string, string> | null]>([
  ["/", "/", {}],
  ["/", "/a", null],
  ["/a", "/a", {}],
  ["/a", "/a/", null],
  ["/a", "/A", null],
  ["/a/b", "/a", null],
  ["/a", "/a/b", null],
  ["/a%62", "/ab", null],
  ["/ab", "/a%62", {}],
  ["/:zone", "/north", { zone: "north" }],
  ["/:zone", "/a%20b", { zone: "a b" }],
  ["/:zone", "/a%2Fb", { zone: "a/b" }],
  ["/:zone", "/", null],
  ["/:a/x/:b", "/1/x/2", { a: "1", b: "2" }],
  ["/:a/x/:b", "/1/y/2", null],
  ["/f/*", "/f", { "*": "" }],
  ["/f/*", "/f/", { "*": "" }],
  ["/f/*", "/f/a/b.css", { "*": "a/b.css" }],
  ["/f/:a/*", "/f/1/2", { a: "1", "*": "2" }],
  ["/f/*", "/g", null],
  ["/f/*", "/f/a/../b", null],
  ["/f/*", "/f/.", null],
  ["/f/*", "/f/%2e%2e/a", null],
  ["/f/*", "/f/a%2Fb", null],
  ["/f/*", "/f/a%5Cb", null],
  ["/f/*", "/f/a%00", null],
  ["/f/*", "/f/...", { "*": "..." }],
  ["/:zone", "/%", null],
])("%s and the path %s: %j", (pattern, path, parameters) => {
  const segments = pathSegments(path);
  expect(segments === null ? null : matchPath(routePattern(pattern), segments)).toEqual(parameters);
});

test("literals go before parameters, these before the rest, and the first difference counts", () => {
  const sorted = ["/", "/a", "/a/b", "/a/:x", "/a/*", "/:x/b/c", "/:x/:y", "/:x/*", "/*"];
  for (const [at, one] of sorted.entries()) {
    for (const [other, two] of sorted.entries()) {
      const order = Math.sign(bySpecificity(routePattern(one), routePattern(two)));
      if (one !== "/" && two !== "/") expect([one, two, order]).toEqual([one, two, Math.sign(at - other)]);
    }
  }
});

test.each<[string, string, boolean, boolean]>([
  ["/a", "/a", true, true],
  ["/a", "/b", false, false],
  ["/a", "/:x", true, false],
  ["/:x", "/:y", true, true],
  ["/a/:x", "/:y/b", true, false],
  ["/a/:x", "/:y/b/c", false, false],
  ["/a", "/a/*", true, false],
  ["/a/b/c", "/a/*", true, false],
  ["/a/*", "/b/*", false, false],
  ["/*", "/a", true, false],
  ["/*", "/*", true, true],
  ["/", "/:x", false, false],
  ["/a/b", "/a", false, false],
])("%s and %s can mean one path: %p, and are the same: %p", (one, other, meets, isSame) => {
  for (const [left, right] of [[one, other], [other, one]] as const) {
    expect(overlap(routePattern(left), routePattern(right))).toBe(meets);
    expect(isSamePattern(routePattern(left), routePattern(right))).toBe(isSame);
  }
});

test.each<[string, string, boolean]>([
  ["acme://a", "acme://{x}", true],
  ["acme://a", "other://a", false],
  ["acme://{x}/b", "acme://a/{y}", true],
  ["acme://{x}/b", "acme://a/c", false],
])("the URIs %s and %s can be one: %p", (one, other, meets) => {
  expect(overlap(uriPattern(one), uriPattern(other))).toBe(meets);
});
