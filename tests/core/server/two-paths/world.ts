// One of two equal servers: a market of its own, the tools, the call log, the metrics, and the HTTP app on one of its two
// paths.

import type { Tracer } from "../../../../common/telemetry/tracer.ts";
import type { CallRecord } from "../../../../core/guardrails/call-log.ts";
import { loadPacks } from "../../../../core/packs/pack-loader.ts";
import type { Pack } from "../../../../core/packs/pack.ts";
import { mcpApp } from "../../../../core/server/mcp-app.ts";
import type { ClientConnection } from "../../../../core/server/limits/client-connection.ts";
import { PlainPath } from "../../../../core/server/plain/plain-path.ts";
import { mcpServerFactory } from "../../../../core/server/sdk/mcp-server.ts";
import { sdkHandler } from "../../../../core/server/sdk/sdk-answer.ts";
import type { Freeze } from "../../../../core/tools/freeze.ts";
import { PACKS } from "../../../../plugins/index.ts";
import { INSTRUCTIONS } from "../../../../plugins/instructions.ts";
import { MARKET, SECRET } from "../../../plugins/support/market.ts";
import { MarketInProcess, NOW } from "../../support/market-in-process.ts";
import { httpParts } from "../../support/http-parts.ts";
import { configurationFor } from "../../support/services.ts";

const ACTING_USER = "alice";
const SOMEWHERE: ClientConnection = { address: "10.0.0.1", setIdleTimeout: () => {} };

export interface WorldOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Further packs. */
  readonly packs?: readonly Pack[];
  readonly frozen?: Freeze;
  readonly tracer?: Tracer;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld({ environment, packs = [], frozen, tracer }: WorldOptions, plainPath: boolean) {
  const configuration = configurationFor({
    MCP_HTTP_PORT: "0",
    MKT_USER_ID: ACTING_USER,
    MKT_AUDIT_STORE: "backend",
    STRESS_TEST_SECRET: SECRET,
    ...environment,
  });
  const market = marketWithOrders();
  const loaded = await loadPacks([...PACKS, ...packs], configuration);
  const tools = new Set(loaded.packs.flatMap(({ tools }) => tools.map(({ name }) => name)));
  const records: CallRecord[] = [];
  const parts = httpParts({
    configuration,
    packs: loaded.packs,
    services: {
      ...market.services,
      server: { name: "mkt", version: "1.2.3", instructions: INSTRUCTIONS, tools },
      frozen: () => frozen ?? null,
      now: () => NOW,
    },
    record: (record) => void ("tool" in record && records.push(record)),
    tracer,
  });
  const { dispatcher, metrics, offers } = parts;
  const { services } = dispatcher;
  metrics.watch(services, () => dispatcher.waiting);
  const factory = mcpServerFactory(dispatcher, offers);
  const sdk = sdkHandler({ factory, offers, log: services.log });
  let answeredBySdk = 0;
  const app = mcpApp({
    ...parts,
    plain: plainPath ? new PlainPath(dispatcher, sdk.answer) : null,
    sdk: (request, options) => {
      answeredBySdk += 1;
      return sdk.answer(request, options);
    },
  });
  return {
    dispatcher,
    market,
    metrics,
    /** Of every call so far. */
    records,
    /** For serveHttp, to listen on a port besides. */
    serving: { ...parts, factory },
    /** How many requests the SDK has answered. */
    answeredBySdk: () => answeredBySdk,
    /** Without a network. */
    fetch: (request: Request, connection = SOMEWHERE) => app.fetch(request, connection),
    /** Connects the market and opens it, as far as that is needed. */
    async settle() {
      if (market.session !== null && market.session.userId !== ACTING_USER) await market.disconnect();
      if (market.status !== "connected") await market.connect(ACTING_USER);
      market.execute("olga", "market.resume", { marketId: "power" });
    },
  };
}

/** Everybody may do everything that an entity allows, and both sides of the book have orders. */
function marketWithOrders(): MarketInProcess {
  const all = [...new Set(MARKET.users.flatMap(({ permissions }) => permissions))];
  const users = MARKET.users.map((user) => user.id === ACTING_USER ? { ...user, permissions: all } : user);
  const market = new MarketInProcess({ ...MARKET, users }, SECRET);
  for (let at = 0; at < 12; at += 1) {
    const side = at % 2 === 0 ? 0 : 1;
    market.execute(at % 3 === 0 ? ACTING_USER : "bob", "order.submit", {
      contractId: "base-1",
      side,
      price: 5000 + (side === 0 ? -at : at) * 10 + (at === 10 ? 200 : 0),
      quantity: 1 + at,
    });
  }
  return market;
}
