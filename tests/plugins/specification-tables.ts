// The specification's tables of tools as data, and what each of these tools requires. This is the only list of all the
// specification's tools: a tool that is missing, or that loses a requirement, fails specification.test.ts. A tool that the
// specification does not have is not listed here.
//
// `returns` is the return shape at the top level, if the specification shows one. Fields that only some answers have
// (moduleTypes or specs) are not listed.

import type { Permission } from "../../protocol/index.ts";
import type { Requirements } from "../../core/tools/tool.ts";

export interface ParameterRow {
  readonly type: "string" | "number" | "boolean" | "object" | "string[]";
  readonly required?: true;
  readonly values?: readonly string[];
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface ToolRow {
  readonly parameters: Readonly<Record<string, ParameterRow>>;
  readonly returns: readonly string[];
  /** Parameters that the design adds; a parameter that is listed nowhere is a fault. */
  readonly added?: readonly string[];
  readonly connection?: Requirements["connection"];
  /** Checked before the handler runs. mkt_create_test_order checks Order.Submit itself, after the entity. */
  readonly permissions?: readonly Permission[];
}

const MODULE_TYPES = [
  "ORDER",
  "FILL",
  "USER",
  "ENTITY",
  "PRODUCT",
  "CONTRACT",
  "ENGINE",
  "MARKET",
  "CREDIT",
  "TRADE",
  "QUEUE",
];
const ORDER_STATUSES = ["working", "partial", "filled", "cancelled", "held"];

const id: ParameterRow = { type: "string" };
const requiredId: ParameterRow = { type: "string", required: true };
const flag: ParameterRow = { type: "boolean" };
const limit = (fallback: number, maximum = 1000): ParameterRow => ({
  type: "number",
  default: fallback,
  minimum: 1,
  maximum,
});
const since: ParameterRow = { type: "number" };
const types: ParameterRow = { type: "string[]" };

/** Parameters of every tool that sends a request to the backend. */
const KEYED = ["idempotencyKey"];

/** Parameters of every list. */
const LISTED = ["cursor", "fields"];
const SIM_READ = { parameters: {}, permissions: ["Market.View"] } as const;
const OPERATION = { connection: "write", permissions: ["Market.Operate"] } as const;
const CREDIT_READ = { connection: "read", permissions: ["Credit.View"] } as const;

const UTILITY: Readonly<Record<string, ToolRow>> = {
  mkt_ping: { parameters: {}, returns: ["status", "server", "version", "timestamp", "toolCount"] },
  mkt_connection_status: { parameters: {}, returns: ["connections", "eventBuffer"] },
};

const QUERY: Readonly<Record<string, ToolRow>> = {
  mkt_get_market_state: {
    connection: "read",
    parameters: { marketId: id },
    returns: [
      "id",
      "name",
      "code",
      "status",
      "halted",
      "preopen",
      "open",
      "close",
      "currentTime",
      "timezone",
    ],
  },
  mkt_get_order_book: {
    connection: "read",
    parameters: { contractId: id, engineId: id },
    returns: ["engineId", "contractId", "bids", "asks", "spread", "totalWorkingOrders", "lastUpdate"],
  },
  mkt_get_order: {
    connection: "read",
    parameters: { orderId: requiredId },
    returns: ["id", "side", "price", "quantity", "status"],
  },
  mkt_list_orders: {
    connection: "read",
    parameters: { entityId: id, status: { type: "string", values: ORDER_STATUSES }, limit: limit(100) },
    added: LISTED,
    returns: ["count", "orders"],
  },
  mkt_get_fill: {
    connection: "read",
    parameters: { fillId: requiredId },
    returns: ["id", "price", "quantity", "orderId"],
  },
  mkt_list_fills: {
    connection: "read",
    parameters: { entityId: id, orderId: id, limit: limit(100) },
    added: LISTED,
    returns: ["count", "fills"],
  },
  mkt_get_entity: {
    parameters: { entityId: requiredId },
    added: ["positions", "day", "by", "limit", "cursor", "fields"],
    returns: ["id", "name", "userIds", "creditStatus"],
  },
  mkt_list_entities: { parameters: { limit: limit(100) }, added: LISTED, returns: ["count", "entities"] },
  mkt_get_user: { parameters: { userId: requiredId }, returns: ["id", "name", "entityId", "connected"] },
  mkt_list_users: { parameters: { entityId: id, limit: limit(100) }, added: LISTED, returns: ["count", "users"] },
  mkt_get_product: {
    connection: "read",
    parameters: { productId: requiredId },
    returns: ["id", "name", "type", "contractSpecification"],
  },
  mkt_list_products: {
    connection: "read",
    parameters: { limit: limit(100) },
    added: ["contracts", ...LISTED],
    returns: ["count", "products"],
  },
  mkt_get_credit_status: {
    ...CREDIT_READ,
    parameters: { entityId: requiredId, marketId: id },
    added: ["limit", ...LISTED],
    returns: ["creditLimits", "usedCredit", "availableCredit", "enhancedLimitConfigs"],
  },
  mkt_get_extended_credit: {
    ...CREDIT_READ,
    parameters: { entityId: requiredId, counterpartyId: requiredId },
    returns: ["limits", "usage", "documentationStatus"],
  },
  mkt_list_credit_limit_configs: {
    ...CREDIT_READ,
    parameters: { entityId: requiredId },
    added: ["limit", "cursor"],
    returns: ["entityId", "totalConfigs", "configs"],
  },
  mkt_get_module_schema: {
    parameters: {
      moduleType: { type: "string", values: MODULE_TYPES },
      filterableOnly: { type: "boolean", default: false },
    },
    returns: [],
  },
  mkt_get_module_hierarchy: { parameters: { moduleType: { type: "string", values: MODULE_TYPES } }, returns: [] },
  mkt_find_modules: {
    connection: "read",
    parameters: {
      moduleType: { type: "string", required: true, values: MODULE_TYPES },
      filters: { type: "object" },
      limit: limit(100),
      includeData: { type: "boolean", default: false },
    },
    added: ["sort", ...LISTED],
    returns: ["moduleType", "total", "returned", "ids"],
  },
  mkt_get_audit_log: {
    permissions: ["Market.View"],
    parameters: {
      moduleType: id,
      moduleId: id,
      event: id,
      startTime: id,
      endTime: id,
      limit: limit(50, 200),
      search: id,
    },
    returns: ["events", "count", "hasMore"],
    added: ["cursor", "fields", "detail"],
  },
  mkt_get_order_events: {
    permissions: ["Market.Operate"],
    parameters: { orderId: requiredId, date: { type: "string" } },
    returns: ["orderId", "count", "events", "hasMore"],
    added: ["cursor", "detail"],
  },
};

const MUTATION: Readonly<Record<string, ToolRow>> = {
  mkt_connect_pubsub: { parameters: { userId: id }, returns: ["status", "userId", "entityId", "capabilities"] },
  mkt_disconnect_pubsub: { parameters: {}, returns: ["status", "message", "userId"] },
  mkt_create_test_order: {
    connection: "write",
    parameters: {
      contractId: requiredId,
      side: { type: "string", required: true, values: ["BUY", "SELL"] },
      price: { type: "number", required: true },
      quantity: { type: "number", required: true },
    },
    added: KEYED,
    returns: ["status", "message", "orderId", "orderDetails"],
  },
  mkt_cancel_order: {
    connection: "write",
    parameters: { orderId: requiredId },
    added: KEYED,
    returns: ["status", "message", "orderId", "orderDetails"],
  },
  mkt_halt_market: {
    ...OPERATION,
    parameters: { marketId: id, reason: { type: "string" } },
    added: KEYED,
    returns: ["status", "message", "marketId", "marketStatus"],
  },
  mkt_resume_market: {
    ...OPERATION,
    parameters: { marketId: id, reason: { type: "string" } },
    added: KEYED,
    returns: ["status", "message", "marketId", "marketStatus"],
  },
  mkt_set_credit_limit: {
    connection: "write",
    permissions: ["Credit.Manage"],
    parameters: {
      entityId: requiredId,
      counterpartyId: requiredId,
      limitType: { type: "string", required: true, values: ["notional", "mw", "mwh"] },
      scope: { type: "string", required: true, values: ["total", "per_contract"] },
      limit: { type: "number", required: true },
      marginPercent: { type: "number", minimum: 0, maximum: 100 },
      contractId: id,
    },
    added: KEYED,
    returns: ["status", "message", "result"],
  },
  mkt_set_documentation_status: {
    connection: "write",
    permissions: ["Credit.Manage"],
    parameters: {
      entityId: requiredId,
      counterpartyId: requiredId,
      status: { type: "string", required: true, values: ["docs_in_place", "no_docs", "pending"] },
      notes: { type: "string" },
    },
    added: KEYED,
    returns: ["status", "message", "result"],
  },
  mkt_flush_order_book: {
    connection: "write",
    permissions: ["Market.Operate"],
    parameters: { engineId: id, contractId: id, confirm: flag },
    added: KEYED,
    returns: ["status", "message", "engineId", "contractId", "ordersAffected"],
  },
  mkt_flush_all_orders: {
    connection: "write",
    permissions: ["Market.Operate"],
    parameters: { confirm: flag },
    added: KEYED,
    returns: ["status", "message", "ordersAffected"],
  },
};

const DEV: Readonly<Record<string, ToolRow>> = {
  mkt_dev_reset_credit_and_docs: {
    connection: "write",
    parameters: { creditLimit: { type: "number", required: true }, skipCredit: flag, skipDocs: flag },
    added: KEYED,
    returns: ["status", "message", "summary", "errors"],
  },
};

/** Parameters of monitor tools that the specification does not have. */
const WAITING = ["waitSeconds", "detail"];
const WATCHED_IDS = ["contractId", "entityId", "orderId"];

const MONITOR: Readonly<Record<string, ToolRow>> = {
  mkt_get_recent_events: {
    connection: "read",
    parameters: {
      category: {
        type: "string",
        values: ["order", "fill", "pricing", "market", "credit", "system", "other", "all"],
        default: "all",
      },
      limit: limit(50),
      since,
      eventTypes: types,
    },
    added: [...WATCHED_IDS, ...WAITING],
    returns: ["events", "count", "stats", "filters"],
  },
  mkt_watch_orders: {
    connection: "read",
    parameters: { limit: limit(50), since, orderTypes: types },
    added: [...WATCHED_IDS, ...WAITING],
    returns: ["events", "count", "latestSequence", "totalOrderEvents", "filters"],
  },
  mkt_watch_fills: {
    connection: "read",
    parameters: { limit: limit(50), since, fillTypes: types },
    added: [...WATCHED_IDS, ...WAITING],
    returns: ["events", "count", "latestSequence", "totalFillEvents", "filters"],
  },
  mkt_watch_book: {
    connection: "read",
    parameters: { limit: limit(50), since, productCode: id },
    added: ["contractId", ...WAITING],
    returns: ["events", "count", "latestSequence", "totalPricingEvents", "filters"],
  },
  mkt_watch_market: {
    connection: "read",
    parameters: { limit: limit(50), since },
    added: ["contractId", ...WAITING],
    returns: ["events", "count", "latestSequence", "totalMarketEvents", "filters"],
  },
};

/** The specification gives neither parameters nor return shapes: these are the design's. */
const SIMULATION: Readonly<Record<string, ToolRow>> = {
  mkt_sim_start: {
    permissions: ["Market.Operate"],
    parameters: {},
    returns: ["status", "message", "userId", "changed", "simulation"],
    added: ["preset", "personas", "seed", "speed"],
  },
  mkt_sim_stop: {
    permissions: ["Market.Operate"],
    parameters: {},
    returns: ["status", "message", "userId", "changed", "ordersCancelled", "personasDisconnected", "simulation"],
  },
  mkt_sim_status: {
    ...SIM_READ,
    returns: ["status", "personas", "totals", "metrics", "strategies", "count"],
    added: ["strategy", "limit", "cursor", "fields"],
  },
  mkt_sim_get_spot_prices: {
    parameters: {},
    returns: ["status", "nodes", "congested", "events"],
    added: ["hours", "node"],
  },
  mkt_sim_trigger_event: {
    permissions: ["Market.Operate"],
    parameters: {
      type: {
        type: "string",
        required: true,
        values: [
          "heat_wave",
          "cold_snap",
          "plant_outage",
          "line_congestion",
          "renewable_surplus",
          "fuel_shock",
          "demand_drop",
        ],
      },
    },
    returns: ["status", "message", "userId", "event"],
    added: ["node", "size", "durationHours"],
  },
};

/** Mutation tools and the statuses that the specification names for them. */
export const STATUSES: Readonly<Record<string, readonly string[]>> = {
  mkt_create_test_order: ["success", "rejected", "timeout", "not_connected", "no_entity", "error"],
  mkt_cancel_order: ["success", "timeout", "not_cancellable"],
};

/** The rows of each pack. */
export const SPECIFIED: Readonly<Record<string, Readonly<Record<string, ToolRow>>>> = {
  query: { ...UTILITY, ...QUERY },
  mutation: MUTATION,
  monitor: MONITOR,
  sim: SIMULATION,
  dev: DEV,
};
