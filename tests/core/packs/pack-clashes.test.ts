import { describe, expect, test } from "bun:test";
import { ClaimedNames } from "../../../core/packs/pack-clashes.ts";
import { definePack } from "../../../core/packs/pack.ts";
import { overlap, uriPattern } from "../../../core/packs/path-overlap.ts";
import { routePattern } from "../../../core/routes/route-path.ts";
import { PACKS } from "../../../plugins/index.ts";
import { toolNamed } from "../support/tools.ts";
import {
  loadFiles,
  packNamed,
  promptText,
  refusalOf,
  resources,
  resourceText,
  routes,
  tools,
} from "./support/pack-files.ts";

const built = definePack({ name: "query", description: "reads", tools: [toolNamed("mkt_read")] });

const named = (uri: string, name: string) => `resources: [${resourceText(uri, `name: "${name}"`)}]`;
const variable = (name: string) => `mkt.variables({ ${name}: mkt.z.string().optional().describe("d") });`;

describe("of two packs, the second is refused", () => {
  test.each([
    ["a tool", tools("acme_x"), tools("acme_x"), "tool acme_x, which OWNER has already"],
    ["a prompt", `prompts: [${promptText("x")}]`, `prompts: [${promptText("x")}]`, "prompt x, which OWNER has already"],
    ["a name", named("acme://a", "one"), named("acme://b", "one"), "resource one, which OWNER has already"],
    ["a URI", resources("acme://a"), named("acme://a", "b"), "URI acme://a, which OWNER has already"],
    [
      "a template that means the same URIs",
      resources("acme://a/{x}"),
      named("acme://a/{y}", "b"),
      "URI acme://a/{y}, which would answer the same requests as acme://a/{x} of OWNER",
    ],
    [
      "a URI that a template shadows",
      resources("acme://a/{x}"),
      resources("acme://a/all"),
      "URI acme://a/all, which would answer the same requests as acme://a/{x} of OWNER",
    ],
    ["a route", routes("/acme"), routes("/acme"), "route GET /acme, which OWNER has already"],
    [
      "a route that answers the same request",
      routes("/acme/:zone"),
      routes("/acme/*"),
      "route GET /acme/*, which would answer the same requests as GET /acme/:zone of OWNER",
    ],
  ])("for %s", async (_, first, second, clash) => {
    const files = { "a.ts": packNamed("first", first), "b.ts": packNamed("second", second) };
    const reason = `the pack second (b.ts) has the ${clash.replace("OWNER", "the pack first (a.ts)")}`;
    expect(await loadFiles(files)).toMatchObject({ packs: ["first"], reasons: { "b.ts": reason } });
  });

  test("for its own name, and for a variable", async () => {
    const { reasons } = await loadFiles({
      "a.ts": packNamed("acme", tools("one"), variable("ACME_LIMIT")),
      "b.ts": packNamed("acme", tools("two")),
      "c.ts": packNamed("other", tools("three"), variable("ACME_LIMIT")),
    });
    expect(reasons).toEqual({
      "b.ts": "the pack acme (b.ts) has the pack acme, which the pack acme (a.ts) has already",
      "c.ts": "the pack other (c.ts) has the variable ACME_LIMIT, which the pack acme (a.ts) has already",
    });
  });

  test("with all clashes, and leaves nothing that would refuse a third one", async () => {
    const { packs, reasons } = await loadFiles({
      "a.ts": packNamed("first", tools("one", "two")),
      "b.ts": packNamed("second", tools("two", "one", "free")),
      "c.ts": packNamed("third", tools("free")),
    });
    expect(packs).toEqual(["first", "third"]);
    expect(reasons["b.ts"]?.split("; ")).toHaveLength(2);
  });
});

test("a pack that has a name twice is refused", async () => {
  expect(await refusalOf(tools("one", "one"))).toBe("the pack acme (acme.ts) has the tool one twice");
  expect(await refusalOf(routes("/acme/:a", "/acme/:b"))).toBe(
    "the pack acme (acme.ts) has the route GET /acme/:b, which would answer the same requests as GET /acme/:a of its own",
  );
  expect(await refusalOf(routes("/acme/b", "/acme/b"))).toBe("the pack acme (acme.ts) has the route GET /acme/b twice");
});

test("a pack may have routes of which one is more specific; two packs may not", async () => {
  const own = { "a.ts": packNamed("acme", routes("/acme/*", "/acme/:a", "/acme/b", "/acme/b/:c", "/acme/:a/c")) };
  expect(await loadFiles(own)).toMatchObject({ packs: ["acme"], reasons: {} });
  const both = { ...own, "b.ts": packNamed("other", routes("/acme/b/c/d")) };
  expect(Object.keys((await loadFiles(both)).reasons)).toEqual(["b.ts"]);
});

test("a pack that is not chosen clashes with nothing but the name of a pack", async () => {
  const files = {
    "a.ts": packNamed("first", tools("one")),
    "b.ts": packNamed("second", tools("one")),
    "c.ts": packNamed("second", tools("three")),
  };
  const { packs, reasons } = await loadFiles(files, { environment: { MKT_PACKS: "second" } });
  expect(packs).toEqual(["second"]);
  expect(Object.keys(reasons)).toEqual(["c.ts"]);
});

test("the names of built-in packs are taken even if those are not chosen", async () => {
  const files = { "a.ts": packNamed("acme", tools("mkt_read")) };
  const { reasons } = await loadFiles(files, { environment: { MKT_PACKS: "query" }, builtIn: [built] });
  expect(reasons).toEqual({});
  const { loaded } = await loadFiles(files, { environment: { MKT_PACKS: "acme" }, builtIn: [built] });
  expect(loaded.failures[0]?.reason).toContain("which the built-in pack query has already");
});

test("the built-in packs don't clash", () => {
  const claimed = new ClaimedNames();
  expect(PACKS.flatMap((pack) => claimed.claim(pack))).toEqual([]);
});

test.each([
  ["acme://a/{x}", "acme://a/b", true],
  ["acme://a/{x}", "acme://b/{x}", false],
  ["acme://a/{x}", "other://a/{x}", false],
  ["acme://a/{x}", "acme://a", false],
  ["acme://a/{x}", "acme://a/", false],
  ["acme://a/{x}", "acme://a/{y}/z", false],
  ["acme://{x}/b", "acme://a/{y}", true],
  ["acme://{x}/b", "acme://a/c", false],
])("the URIs %p and %p overlap: %p", (left, right, expected) => {
  expect(overlap(uriPattern(left), uriPattern(right))).toBe(expected);
  expect(overlap(uriPattern(right), uriPattern(left))).toBe(expected);
});

test.each([
  ["/a/*", "/a", true],
  ["/a/*", "/a/b/c", true],
  ["/a/*", "/b", false],
  ["/a/:x/c", "/a/b/:y", true],
  ["/a/:x/c", "/a/b/d", false],
  ["/a/:x", "/a/b/c", false],
])("the paths %p and %p overlap: %p", (left, right, expected) => {
  expect(overlap(routePattern(left), routePattern(right))).toBe(expected);
  expect(overlap(routePattern(right), routePattern(left))).toBe(expected);
});
