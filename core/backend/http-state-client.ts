// The state client over HTTP.

import type { ModuleData } from "../../protocol/modules/registry.ts";
import { entitiesResponse, healthResponse, PATHS, usersResponse } from "../../protocol/index.ts";
import { BackendHttp, type BackendHttpOptions } from "./backend-http.ts";
import type { StateClient } from "./state-client.ts";

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

  async health(signal?: AbortSignal): Promise<{ engineId: string }> {
    const { engineId } = await this.#http.get(PATHS.health, healthResponse, { signal });
    return { engineId };
  }
}
