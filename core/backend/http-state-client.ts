// The state client over HTTP.

import type { ModuleData } from "../../protocol/modules/registry.ts";
import {
  entitiesResponse,
  healthResponse,
  type OrderBlocks,
  orderBlocksResponse,
  PATHS,
  usersResponse,
} from "../../protocol/index.ts";
import { ToolError } from "../error.ts";
import { BackendHttp, type BackendHttpOptions, refusalIn } from "./backend-http.ts";
import type { StateClient } from "./state-client.ts";

/** The statuses of a route that a server does not have. */
const NOT_OFFERED: ReadonlySet<number> = new Set([404, 405, 501]);

export class HttpStateClient implements StateClient {
  readonly #http: BackendHttp;

  constructor(options: BackendHttpOptions) {
    this.#http = new BackendHttp(options);
  }

  async entities(signal?: AbortSignal): Promise<ModuleData<"ENTITY">[]> {
    return (await this.#http.get(PATHS.entities, entitiesResponse, { signal })).entities;
  }

  async users(signal?: AbortSignal): Promise<ModuleData<"USER">[]> {
    return (await this.#http.get(PATHS.users, usersResponse, { signal })).users;
  }

  async orderBlocks(orderId: string, signal?: AbortSignal): Promise<OrderBlocks | null> {
    const answer = await this.#http.ask({ method: "GET", path: PATHS.orderBlocks(orderId), signal });
    if (!NOT_OFFERED.has(answer.status)) return this.#http.read(answer, orderBlocksResponse);
    const { code, message } = refusalIn(answer.body);
    if (code !== "unknown_order") return null;
    throw new ToolError("not_found", `The backend answered: ${message}.`, "Check the order id.");
  }

  async health(signal?: AbortSignal): Promise<{ engineId: string }> {
    const { engineId } = await this.#http.get(PATHS.health, healthResponse, { signal });
    return { engineId };
  }
}
