// The modules that a client has after an engine's messages, by state path.

import { reduceEvent } from "../../protocol/client/module-reduction.ts";
import type { EngineMessage, EventMessage, StateMessage } from "../../protocol/index.ts";
import type { AnyModuleData, ModuleData } from "../../protocol/modules/registry.ts";

export class ClientModules extends Map<string, AnyModuleData> {
  /** Applies a message, in the order in which the engine sends them. Returns the path of the module that it changes, if any. */
  apply(message: StateMessage | EventMessage): string | null {
    const state = "statePath" in message ? message : this.#reduced(message);
    if (state === null) return null;
    if (state.state === null) this.delete(state.statePath);
    else this.set(state.statePath, state.state);
    return state.statePath;
  }

  #reduced(event: EventMessage): StateMessage | null {
    const bookOf = (engineId: string) => this.get(`/ENGINE/${engineId}`) as ModuleData<"ENGINE"> | undefined;
    const reduced = reduceEvent(event, bookOf);
    if (reduced !== null && "misfit" in reduced) {
      throw new Error(`${JSON.stringify(event)} does not fit ${JSON.stringify(this.get(reduced.statePath))}`);
    }
    return reduced;
  }
}

/** The modules of a client that has received these messages on one connection, from its beginning on. */
export function modulesAfter(messages: readonly EngineMessage[]): ClientModules {
  const modules = new ClientModules();
  let snapshotAt = Infinity;
  for (const message of messages) {
    if ("statePath" in message) modules.apply(message);
    else if (message.kind === "snapshotEnd") snapshotAt = message.sequence;
    else if (message.kind === "event" && message.sequence > snapshotAt) modules.apply(message);
  }
  return modules;
}
