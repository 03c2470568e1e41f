// What a server of mkt over HTTP is made of, for a configuration and packs: in most tests without a backend.

import { TokenStore } from "../../../common/http/token-store.ts";
import type { Tracer } from "../../../common/telemetry/tracer.ts";
import { logger } from "../../../common/logger.ts";
import type { Configuration } from "../../../core/config/configuration.ts";
import { ToolCatalogue } from "../../../core/dispatch/catalogue.ts";
import { Dispatcher } from "../../../core/dispatch/dispatcher.ts";
import { offersOf } from "../../../core/dispatch/offers.ts";
import type { CallRecord, RequestRecord } from "../../../core/guardrails/call-log.ts";
import type { Pack } from "../../../core/packs/pack.ts";
import { Metrics } from "../../../core/server/metrics.ts";
import type { Services } from "../../../core/tools/context.ts";
import { configurationFor, servicesWith } from "./services.ts";

interface Given {
  readonly configuration?: Configuration;
  readonly packs?: readonly Pack[];
  readonly services?: Partial<Services>;
  /** Called with the records of tool calls, and of other requests. */
  readonly record?: (record: CallRecord | RequestRecord) => void;
  readonly tracer?: Tracer | undefined;
}

const HTTP_WITHOUT_TOKENS = configurationFor({ MCP_HTTP_PORT: "0" });

export function httpParts(
  { configuration = HTTP_WITHOUT_TOKENS, packs = [], services, record, tracer }: Given = {},
) {
  const { http } = configuration;
  if (http === null) throw new Error("no HTTP is configured");
  const metrics = new Metrics();
  const tools = new ToolCatalogue(packs.flatMap(({ tools }) => tools), configuration);
  const dispatcher = new Dispatcher(tools, servicesWith({ configuration, ...services }), (call) => {
    metrics.record(call);
    record?.(call);
  }, tracer);
  const offers = offersOf(packs, dispatcher, (request) => {
    metrics.recordRequest(request);
    record?.(request);
  });
  const variables = { token: "MCP_BEARER_TOKEN", file: "MCP_BEARER_TOKEN_FILE" };
  const tokens = new TokenStore({ token: http.bearerToken, file: http.tokenFile, variables, log: logger("test") });
  return { configuration: http, dispatcher, offers, metrics, tokens };
}
