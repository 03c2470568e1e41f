// The current entities and users, updated from the engine's states, so the HTTP routes need not read the whole market.

import { type ModuleData, moduleSchema } from "../../../protocol/modules/registry.ts";
import type { StateMessage } from "../../../protocol/index.ts";

const ENTITY_PATH = "/ENTITY/";
const USER_PATH = "/USER/";
const entitySchema = moduleSchema("ENTITY");
const userSchema = moduleSchema("USER");

export class UserDirectory {
  readonly #entities = new Map<string, ModuleData<"ENTITY">>();
  readonly #users = new Map<string, ModuleData<"USER">>();

  apply(states: Iterable<StateMessage>): void {
    for (const { statePath, state } of states) {
      if (statePath.startsWith(ENTITY_PATH)) {
        if (state === null) this.#entities.delete(statePath.slice(ENTITY_PATH.length));
        else this.#entities.set(state.id, entitySchema.parse(state));
      } else if (statePath.startsWith(USER_PATH)) {
        if (state === null) this.#users.delete(statePath.slice(USER_PATH.length));
        else this.#users.set(state.id, userSchema.parse(state));
      }
    }
  }

  entities(): ModuleData<"ENTITY">[] {
    return [...this.#entities.values()];
  }

  users(): ModuleData<"USER">[] {
    return [...this.#users.values()];
  }
}
