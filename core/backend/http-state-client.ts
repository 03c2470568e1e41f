// The state client over HTTP.

import type { z } from "zod";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import {
  entitiesResponse,
  type EntityPositions,
  healthResponse,
  type OrderBlocks,
  orderBlocksResponse,
  PATHS,
  positionsResponse,
  usersResponse,
} from "../../protocol/index.ts";
import { ToolError } from "../error.ts";
import { BackendHttp, type BackendHttpOptions, refusalIn } from "./backend-http.ts";
import type { Health, StateClient } from "./state-client.ts";

/** The statuses of a route that a server does not have. */
const NOT_OFFERED: ReadonlySet<number> = new Set([404, 405, 501]);

export class HttpStateClient implements StateClient {
  readonly #http: BackendHttp;

  constructor(options: BackendHttpOptions) {
    this.#http = new BackendHttp(options);
  }

  async entities(signal?: AbortSignal): Promise<ModuleData<"ENTITY">[]> {
    return (await this.#http.get(PATHS.entities, entitiesResponse, signal)).entities;
  }

  async users(signal?: AbortSignal): Promise<ModuleData<"USER">[]> {
    return (await this.#http.get(PATHS.users, usersResponse, signal)).users;
  }

  async orderBlocks(orderId: string, signal?: AbortSignal): Promise<OrderBlocks | null> {
    const unknown = { code: "unknown_order", hint: "Check the order id." };
    return await this.#optional(PATHS.orderBlocks(orderId), orderBlocksResponse, unknown, signal);
  }

  async positions(entityId: string, signal?: AbortSignal): Promise<EntityPositions | null> {
    const unknown = { code: "unknown_entity", hint: "Check the entity id." };
    return await this.#optional(PATHS.positions(entityId), positionsResponse, unknown, signal);
  }

  async health(signal?: AbortSignal): Promise<Health> {
    const answer = await this.#http.get(PATHS.health, healthResponse, signal);
    const { engineId, time = null, marketTime = null, clock = null, version = null, ...rest } = answer;
    const { refusal = null, clockJumpSeconds = 0 } = rest;
    return { engineId, time, marketTime, clock, version, refusal, clockJumpSeconds };
  }

  /** Null if the backend does not have the route. `unknown`: its error if there is no such object, and the hint for it. */
  async #optional<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    unknown: { readonly code: string; readonly hint: string },
    signal: AbortSignal | undefined,
  ): Promise<z.output<Schema> | null> {
    const answer = await this.#http.ask({ method: "GET", path, signal });
    if (!NOT_OFFERED.has(answer.status)) return this.#http.read(answer, schema);
    const { code, message } = refusalIn(answer.body);
    if (code !== unknown.code) return null;
    throw new ToolError("not_found", `The backend answered: ${message}.`, unknown.hint);
  }
}
