// A server with the dashboard and all tools on a market in this process, without a network and without tokens.

import { TokenStore } from "../../../../common/http/token-store.ts";
import { logger } from "../../../../common/logger.ts";
import { ToolCatalogue } from "../../../../core/dispatch/catalogue.ts";
import { Dispatcher } from "../../../../core/dispatch/dispatcher.ts";
import { offersOf } from "../../../../core/dispatch/offers.ts";
import { pullKillSwitch } from "../../../../core/guardrails/kill-switch.ts";
import { FreezeFile } from "../../../../core/guardrails/freeze-file.ts";
import { mcpApp } from "../../../../core/server/mcp-app.ts";
import { Metrics } from "../../../../core/server/metrics.ts";
import dashboard from "../../../../plugins/dashboard/index.ts";
import type { ErrorReport } from "../../../../web/contract/calls.ts";
import { REQUEST_HEADER, type SessionState } from "../../../../web/contract/session.ts";
import type { Update } from "../../../../web/contract/update.ts";
import { MarketInProcess } from "../../../core/support/market-in-process.ts";
import { configurationFor, servicesWith } from "../../../core/support/services.ts";
import { MARKET, SECRET } from "../../support/market.ts";
import { TOOLS } from "../../support/packs.ts";

interface Answered<Body> {
  readonly status: number;
  readonly text: string;
  readonly body: Body;
}

export type Failed = { readonly error: ErrorReport };

export class DashboardServer {
  readonly #app: ReturnType<typeof mcpApp>;
  #session: { readonly cookie: string; readonly requestToken: string } | null = null;

  /** The acting user is only sent what that user may see. */
  constructor(
    readonly market = new MarketInProcess(MARKET, SECRET, 200, true),
    environment: Readonly<Record<string, string>> = {},
  ) {
    const configuration = configurationFor({ MCP_HTTP_PORT: "0", ...environment });
    const { freezeFile } = configuration.guardrails;
    const file = freezeFile === null ? null : new FreezeFile(freezeFile);
    const frozen = () => file?.read() ?? null;
    const freeze = (reason: string) => pullKillSwitch({ file, replicas: null }, reason);
    const dispatcher = new Dispatcher(
      new ToolCatalogue(TOOLS),
      servicesWith({ configuration, ...market.services, frozen, freeze }),
    );
    const log = logger("test");
    const variables = { token: "MCP_BEARER_TOKEN", file: "MCP_BEARER_TOKEN_FILE" };
    this.#app = mcpApp({
      configuration: configuration.http!,
      offers: offersOf([dashboard], dispatcher, () => {}),
      dispatcher,
      metrics: new Metrics(),
      tokens: new TokenStore({ token: null, file: null, variables, log }),
      plain: null,
      sdk: () => Promise.resolve(new Response("mcp")),
    });
  }

  async control(): Promise<void> {
    const response = await this.#send("POST", "/dashboard/session", { access: "control" });
    const { requestToken } = await response.json() as SessionState;
    this.#session = { cookie: response.headers.get("Set-Cookie")!.split(";")[0]!, requestToken: requestToken! };
  }

  async get<Body>(path: string): Promise<Answered<Body>> {
    return await answered(await this.#send("GET", path));
  }

  async post<Body>(path: string, body: unknown): Promise<Answered<Body>> {
    return await answered(await this.#send("POST", path, body));
  }

  /** The first update of a stream. */
  async firstUpdate(query = ""): Promise<Update> {
    const response = await this.#send("GET", `/dashboard/stream${query}`);
    const reader = response.body!.getReader();
    let text = "";
    while (!text.includes("\n\n")) text += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    const data = text.split("\n").find((line) => line.startsWith("data: "))!;
    return JSON.parse(data.slice("data: ".length)) as Update;
  }

  async #send(method: string, path: string, body?: unknown): Promise<Response> {
    const request = new Request(`http://localhost:4087${path}`, {
      method,
      headers: {
        Host: "localhost:4087",
        ...(method !== "GET" && { [REQUEST_HEADER]: this.#session?.requestToken ?? "none" }),
        ...(this.#session !== null && { Cookie: this.#session.cookie }),
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return await this.#app.fetch(request, { address: "10.0.0.1", setIdleTimeout: () => {} });
  }
}

async function answered<Body>(response: Response): Promise<Answered<Body>> {
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Body };
}
