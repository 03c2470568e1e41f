// What each tool requires and where it is offered, as a table: a tool that loses a requirement fails here.

import { expect, test } from "bun:test";
import type { Permission } from "../../protocol/index.ts";
import type { Tool } from "../../core/tools/tool.ts";
import { TOOLS } from "./support/packs.ts";

/** Permissions that are checked before a handler runs; mkt_create_test_order checks its own after the entity. */
const PERMISSIONS: Record<string, readonly Permission[]> = {
  mkt_get_credit_status: ["Credit.View"],
  mkt_get_extended_credit: ["Credit.View"],
  mkt_list_credit_limit_configs: ["Credit.View"],
  mkt_get_order_events: ["Market.Operate"],
  mkt_halt_market: ["Market.Operate"],
  mkt_resume_market: ["Market.Operate"],
  mkt_set_credit_limit: ["Credit.Manage"],
  mkt_set_documentation_status: ["Credit.Manage"],
  mkt_flush_order_book: ["Market.Operate"],
  mkt_flush_all_orders: ["Market.Operate"],
  mkt_sim_start: ["Market.Operate"],
  mkt_sim_stop: ["Market.Operate"],
  mkt_sim_trigger_event: ["Market.Operate"],
};

const NEED_A_LIVE_CONNECTION = [
  "mkt_create_test_order",
  "mkt_cancel_order",
  "mkt_halt_market",
  "mkt_resume_market",
  "mkt_set_credit_limit",
  "mkt_set_documentation_status",
  "mkt_flush_order_book",
  "mkt_flush_all_orders",
  "mkt_dev_reset_credit_and_docs",
];

const namesOf = (holds: (tool: Tool) => boolean | undefined) => TOOLS.filter(holds).map(({ name }) => name);

test("each tool requires exactly its permissions", () => {
  const required = TOOLS.filter(({ requires }) => (requires?.permissions ?? []).length > 0)
    .map(({ name, requires }) => [name, requires?.permissions] as const);
  expect(Object.fromEntries(required)).toEqual(PERMISSIONS);
});

test("the tools that send a request over the connection need one that is up", () => {
  expect(namesOf(({ requires }) => requires?.connection === "write").toSorted())
    .toEqual(NEED_A_LIVE_CONNECTION.toSorted());
});

test("of the tools that change something, read-only mode leaves connecting and disconnecting", () => {
  expect(namesOf(({ allowedInReadOnly }) => allowedInReadOnly)).toEqual([
    "mkt_connect_pubsub",
    "mkt_disconnect_pubsub",
  ]);
});

test("the refusal of an order's history names what a trader can use", () => {
  const told = TOOLS.filter(({ requires }) => requires?.withoutPermission !== undefined).map(({ name }) => name);
  expect(told).toEqual(["mkt_get_order_events"]);
});
