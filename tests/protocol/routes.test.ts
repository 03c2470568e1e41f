// The names of routes never contain an id.

import { expect, test } from "bun:test";
import { PATHS } from "../../protocol/http.ts";
import { routeOf } from "../../protocol/routes.ts";
import { SIMULATOR_PATHS } from "../../protocol/simulator.ts";

test("a path has the name of its route, whatever its id", () => {
  for (const path of [...Object.values(PATHS), ...Object.values(SIMULATOR_PATHS)]) {
    const given = typeof path === "string" ? path : path("a/b {c}");
    expect(routeOf(given)).toBe(typeof path === "string" ? path : given.replace("a%2Fb%20%7Bc%7D", "{id}"));
  }
});

test.each(["/", "/api/admin/orders/o-1", "/api/admin/orders//events", "/api/admin/users/u/events", "/health/x", ""])(
  "%p is no route",
  (path) => expect(routeOf(path)).toBeNull(),
);

test("each path of the API, with its id encoded", () => {
  const texts = Object.entries(PATHS).map(([name, path]) => [name, typeof path === "string" ? path : path("a/b")]);
  expect(Object.fromEntries(texts)).toEqual({
    health: "/health",
    metrics: "/metrics",
    webSocket: "/ws",
    entities: "/api/admin/entities",
    positions: "/api/admin/entities/a%2Fb/positions",
    users: "/api/admin/users",
    audit: "/api/admin/audit",
    orderEvents: "/api/admin/orders/a%2Fb/events",
    backup: "/api/admin/backup",
    acceptClock: "/api/admin/clock/accept",
    orderBlocks: "/api/admin/orders/a%2Fb/blocks",
  });
});
