// The modules that a client has after an engine's messages, by state path.

import { reduceEvent } from "../../protocol/client/module-reduction.ts";
import type { EventMessage, StateMessage } from "../../protocol/index.ts";
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
