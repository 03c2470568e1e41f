import { describe, expect, test } from "bun:test";
import { RouteCatalogue } from "../../../core/routes/route-catalogue.ts";
import { defineRoute, type Route, type RouteMethod } from "../../../core/routes/route.ts";

function route(path: string, method: RouteMethod = "GET", readOnlyHint = true): Route {
  return defineRoute({ method, path, description: path, readOnlyHint, handler: () => new Response() });
}

function found(paths: readonly string[], pathname: string) {
  const answer = new RouteCatalogue(paths.map((path) => route(path))).find("GET", pathname);
  return answer !== null && "route" in answer ? [answer.route.path, answer.parameters] : answer;
}

describe("the path of a request", () => {
  test.each<[path: string, pathname: string, parameters: Record<string, string> | null]>([
    ["/acme", "/acme", {}],
    ["/acme", "/acme/", null],
    ["/acme", "/Acme", null],
    ["/", "/", {}],
    ["/acme/:zone", "/acme/north", { zone: "north" }],
    ["/acme/:zone", "/acme/a%20b%2Fc", { zone: "a b/c" }],
    ["/acme/:zone", "/acme/", null],
    ["/acme/:zone", "/acme", null],
    ["/acme/:zone", "/acme/north/books", null],
    ["/acme/:zone", "/acme/%zz", null],
    ["/acme/:zone/books/:book", "/acme/north/books/7", { zone: "north", book: "7" }],
    ["/acme/*", "/acme/a/b.js", { "*": "a/b.js" }],
    ["/acme/*", "/acme", { "*": "" }],
    ["/acme/*", "/acme/a%2F..%2Fb", null],
    ["/acme/*", "/acme/%2e%2e/b", null],
    ["/acme/*", "/acme/a%5Cb", null],
    ["/acme/*", "/acme/a%00", null],
  ])("%s matches %s with %j", (path, pathname, parameters) => {
    expect(found([path], pathname)).toEqual(parameters === null ? null : [path, parameters]);
  });
});

describe("of several routes the most specific one answers, in whatever order they are declared", () => {
  const PATHS = ["/acme", "/acme/data", "/acme/:a", "/acme/data/:a", "/acme/:a/list", "/acme/data/*", "/acme/*"];

  test.each([
    ["/acme", "/acme"],
    ["/acme/data", "/acme/data"],
    ["/acme/other", "/acme/:a"],
    ["/acme/", "/acme/*"],
    ["/acme/data/list", "/acme/data/:a"],
    ["/acme/other/list", "/acme/:a/list"],
    ["/acme/data/", "/acme/data/*"],
    ["/acme/data/list/all", "/acme/data/*"],
    ["/acme/other/list/all", "/acme/*"],
  ])("%s: %s", (pathname, path) => {
    for (const paths of [PATHS, PATHS.toReversed()]) expect(found(paths, pathname)).toEqual([path, expect.anything()]);
  });
});

test("the method chooses among routes of one path; HEAD is that of GET; others are told what is allowed", () => {
  const routes = new RouteCatalogue([
    route("/acme/list"),
    route("/acme/list", "POST", false),
    route("/acme/:zone", "DELETE", false),
    route("/other", "PUT", false),
  ]);
  expect(routes.find("POST", "/acme/list")).toMatchObject({ route: { method: "POST" } });
  expect(routes.find("HEAD", "/acme/list")).toMatchObject({ route: { method: "GET" } });
  expect(routes.find("DELETE", "/acme/list")).toMatchObject({ route: { path: "/acme/:zone" } });
  expect(routes.find("PUT", "/acme/list")).toEqual({ allow: "GET, HEAD, POST, DELETE" });
  expect(routes.find("OPTIONS", "/other")).toEqual({ allow: "PUT" });
  expect(routes.find("GET", "/nowhere")).toBeNull();
});
