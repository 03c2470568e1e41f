// The current entities and users, updated from the engine's states, so the HTTP routes need not read the whole market. A viewer
// gets those that the WebSocket shows too.

import type { z } from "zod";
import { type ModuleData, moduleSchema } from "../../../protocol/modules/registry.ts";
import type { EngineUser } from "../../api/market-engine.ts";
import { maySeeModule } from "../../api/visibility.ts";
import type { PublishedMessage, PublishedState } from "../../api/messages.ts";

type Viewer = Omit<EngineUser, "id">;

const entitySchema = moduleSchema("ENTITY");
const userSchema = moduleSchema("USER");

export class UserDirectory {
  readonly #entities = new Map<string, ModuleData<"ENTITY">>();
  readonly #users = new Map<string, ModuleData<"USER">>();

  apply(messages: Iterable<PublishedMessage>): void {
    for (const message of messages) {
      if (message.kind === "event") continue;
      if (message.type === "ENTITY") update(this.#entities, entitySchema, message);
      else if (message.type === "USER") update(this.#users, userSchema, message);
    }
  }

  /** Without `viewer`, all of them. */
  entities(viewer?: Viewer): ModuleData<"ENTITY">[] {
    return [...this.#entities.values()].filter((entity) =>
      viewer === undefined || maySeeModule(viewer, "ENTITY", entity)
    );
  }

  users(viewer?: Viewer): ModuleData<"USER">[] {
    return [...this.#users.values()].filter((user) => viewer === undefined || maySeeModule(viewer, "USER", user));
  }
}

function update<Module>(modules: Map<string, Module>, schema: z.ZodType<Module>, message: PublishedState): void {
  const { id, change, text } = message;
  if (change === "removed") modules.delete(id);
  else modules.set(id, schema.parse(JSON.parse(text).state));
}
