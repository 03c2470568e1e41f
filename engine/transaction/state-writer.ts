// Writes the states of the modules that a call has changed and of which no event tells, parents before children.

import type { AnyModuleData, ModuleType } from "../../protocol/modules/registry.ts";
import { type Audience, EVERYONE, PublishedState } from "../api/messages.ts";
import { audienceOfModule } from "../api/visibility.ts";
import { writeEngineState } from "../modules/book-text.ts";
import { creditId, entityModule, userModule } from "../modules/credit-modules.ts";
import { writeCreditState } from "../modules/credit-text.ts";
import { marketModule, queueModule } from "../modules/market-modules.ts";
import { stateText } from "../modules/snapshot.ts";
import { TextWriter } from "../text/text-writer.ts";
import type { Changes } from "./changes.ts";
import type { Call } from "./recorder.ts";

/** One object serves all calls of an engine, one after the other. */
export class StateWriter {
  readonly #writer = new TextWriter();
  #shared: { text: string } = { text: "" };
  /** Where the state that is being written begins. */
  #start = 0;
  #states: PublishedState[] = [];

  write({ state, now }: Call, changes: Changes): PublishedState[] {
    this.#states = [];
    this.#shared = { text: "" };
    if (changes.markets.size > 0) {
      for (const market of changes.markets) {
        this.#add("MARKET", marketModule(market, now));
      }
    }
    for (const entity of changes.entities) this.#add("ENTITY", entityModule(entity));
    if (changes.users.size > 0) { for (const user of changes.users) this.#add("USER", userModule(user)); }
    for (const pair of changes.pairs) {
      writeCreditState(this.#begin(), state, pair);
      this.#end("CREDIT", creditId(pair.entity, pair.counterparty), pair.entity.audiences.CREDIT);
    }
    for (const contract of changes.queues) {
      if (changes.isToldByBook(contract)) continue;
      writeEngineState(this.#begin(), contract);
      this.#end("ENGINE", contract.bookId, EVERYONE);
    }
    for (const contract of changes.queues) this.#add("QUEUE", queueModule(contract));
    if (this.#states.length > 0) this.#shared.text = this.#writer.take();
    return this.#states;
  }

  #add(type: ModuleType, module: AnyModuleData): void {
    this.#begin().text(stateText(type, module));
    this.#end(type, module.id, audienceOfModule(type, module));
  }

  #begin(): TextWriter {
    const writer = this.#writer;
    if (this.#states.length > 0) writer.text(",");
    this.#start = writer.length;
    return writer;
  }

  #end(type: ModuleType, id: string, audience: Audience): void {
    this.#states.push(new PublishedState(type, id, "set", audience, this.#shared, this.#start, this.#writer.length));
  }
}
