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
