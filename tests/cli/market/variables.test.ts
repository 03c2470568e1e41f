// How many connections an engine accepts with an environment, as mkt doctor reckons with it.

import { expect, test } from "bun:test";
import { engineConnections } from "../../../cli/market/market-variables.ts";
import { ENGINE_LIMITS } from "../../../common/http/guards/engine-limits.ts";

test.each([
  ["of its own variable", { MKT_ENGINE_MAX_CONNECTIONS: "77", MKT_ENGINE_MAX_CONNECTIONS_PER_USER: "5" }, 77],
  ["the usual number without it", {}, ENGINE_LIMITS.connections.default],
  ["the usual number if it is empty", { MKT_ENGINE_MAX_CONNECTIONS: "" }, ENGINE_LIMITS.connections.default],
  ["the usual number if it is wrong", { MKT_ENGINE_MAX_CONNECTIONS: "-3" }, ENGINE_LIMITS.connections.default],
])("an engine accepts the connections %s", (_, environment, connections) => {
  expect(engineConnections(environment)).toBe(connections);
});
