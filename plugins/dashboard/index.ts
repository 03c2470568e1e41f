// The dashboard: a page at `/` that shows the market live, and the routes that its script asks. What a route does is loaded
// when it is first asked for, so that a server on stdio doesn't load it.

import { definePack } from "../../core/packs/pack.ts";
import { defineRoute, type RouteContext, type RouteRequest } from "../../core/routes/route.ts";
import { pageFiles } from "./page.ts";

const READ = { readOnlyHint: true, browser: "session" } as const;
const READ_MARKET = { ...READ, requires: { connection: "read" } } as const;

const stream = defineRoute({
  method: "GET",
  path: "/dashboard/stream",
  description: "The state of the market, then its changes and events, as server-sent events",
  ...READ,
  handler: async (request, context) => (await import("./stream.ts")).stream(request, context),
});

const history = defineRoute({
  method: "GET",
  path: "/dashboard/history/:contractId",
  description: "The last trades of a contract, and candles of them",
  ...READ_MARKET,
  handler: async (request, context) => (await import("./history.ts")).history(request, context),
});

/** The tools that it calls decide what the acting user may read. */
const past = defineRoute({
  method: "GET",
  path: "/dashboard/past",
  description: "Events of the audit trail in a range of time",
  ...READ_MARKET,
  handler: async (request, context) => (await import("./past-search.ts")).past(request, context),
});

const pastDay = defineRoute({
  method: "GET",
  path: "/dashboard/past/day",
  description: "What stands out in a day of the market",
  ...READ_MARKET,
  handler: async (request, context) => (await import("./past-day.ts")).pastDay(request, context),
});

const pastOrders = defineRoute({
  method: "GET",
  path: "/dashboard/past/orders",
  description: "The orders that are open now, to go back from",
  requires: { connection: "read", permissions: ["Market.View"] },
  ...READ,
  handler: async (request, context) => (await import("./past-orders.ts")).pastStart(request, context),
});

const sparks = defineRoute({
  method: "GET",
  path: "/dashboard/sparks",
  description: "The last prices of each contract",
  ...READ_MARKET,
  handler: async (_, context) => (await import("./history.ts")).sparks(context),
});

const search = defineRoute({
  method: "GET",
  path: "/dashboard/search",
  description: "Finds contracts, entities, orders and users",
  ...READ_MARKET,
  handler: async (request, context) => (await import("./search.ts")).search(request, context),
});

const credit = defineRoute({
  method: "GET",
  path: "/dashboard/credit",
  description: "Who can trade with whom, and why not",
  requires: { connection: "read", permissions: ["Credit.View"] },
  ...READ,
  handler: async (_, context) => (await import("./credit.ts")).credit(context),
});

const freeze = defineRoute({
  method: "POST",
  path: "/dashboard/freeze",
  description: "Freezes this server and its replicas, until mkt thaw on a host",
  readOnlyHint: false,
  // Redis must not be asked for the kill switch before it is pulled.
  allowedWhenFrozen: true,
  browser: "session",
  handler: async (request, context) => (await import("./freeze.ts")).freeze(request, context),
});

/** No tool changes an order. */
const orders = defineRoute({
  method: "POST",
  path: "/dashboard/orders/:orderId",
  description: "Changes price or quantity of an open order",
  requires: { connection: "write", permissions: ["Order.Submit"] },
  readOnlyHint: false,
  browser: "session",
  handler: async (request, context) => (await import("./order-change.ts")).changeOrder(request, context),
});

/** The tool decides whether it may run, so this route itself changes nothing. */
const tools = defineRoute({
  method: "POST",
  path: "/dashboard/tools/:tool",
  description: "Calls a tool",
  ...READ,
  handler: async (request, context) => (await import("./tool-calls.ts")).toolCall(request, context),
});

function sessionRoute(
  method: "GET" | "POST" | "DELETE",
  description: string,
  answer: (request: RouteRequest, context: RouteContext) => Promise<Response>,
) {
  const path = "/dashboard/session";
  return defineRoute({ method, path, description, readOnlyHint: true, browser: "sign-in", handler: answer });
}

const session = [
  sessionRoute("GET", "Who is signed in", async (_, context) => (await import("./session.ts")).session(context)),
  sessionRoute("POST", "Signs in", async (...given) => (await import("./session.ts")).signIn(...given)),
  sessionRoute("DELETE", "Signs out", async (_, context) => (await import("./session.ts")).signOut(context)),
];

export default definePack({
  name: "dashboard",
  description: "A page at / that shows the market live, over HTTP",
  routes: [
    ...[...pageFiles, ...session, stream, history, past, pastDay, pastOrders],
    ...[sparks, search, credit, freeze, orders, tools],
  ],
  needs: { setting: "dashboard", reason: "MKT_DASHBOARD=0" },
});
