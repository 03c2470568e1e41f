// A view in its chat host: what opened it, its fresh result, and what the person chooses.

import { type Signal, signal } from "@preact/signals";
import { Host } from "./host.ts";
import { LiveResult } from "./live-result.ts";
import type { ToolAnswer, Values } from "./tool-answer.ts";
import type { ViewName } from "./view-name.ts";
import type { View } from "./view.ts";
import { watchVisibility } from "./visibility.ts";

export class OpenedView {
  readonly host: Host;
  readonly live: LiveResult;
  /** The arguments that the view asks with. */
  readonly values: Signal<Values> = signal({});
  /** The market's time zone; null: unknown. */
  readonly marketTimezone: Signal<string | null> = signal(null);
  #opened: Values = {};
  #hasAskedForTimezone = false;

  constructor(name: ViewName, readonly view: View) {
    this.host = new Host(name, {
      opened: (values) => void (this.#opened = values),
      answered: (answer) => this.#show(answer),
      ended: () => this.live.stop(),
    });
    this.live = new LiveResult({ ask: (values) => this.host.call(view.tool, values) });
    watchVisibility((isVisible) => this.live.setVisible(isVisible));
    void this.host.connect();
  }

  /** Null: the host passes no calls on. */
  get follow(): ((values: Values) => void) | null {
    if (!this.host.offersCalls) return null;
    return (values) => {
      this.values.value = values;
      this.live.follow(values);
    };
  }

  /** The answer to the call that opened the view, or to a later one of the same tool. */
  #show(answer: ToolAnswer): void {
    const { follow } = this;
    const result = answer.kind === "result" ? answer.result : null;
    const values = this.view.values(this.#opened, result ?? {});
    if (result !== null) {
      void this.#learnTimezone();
      if (follow !== null && !this.view.suits(this.#opened, result)) return follow(values);
    }
    this.values.value = values;
    this.live.show(answer, values, follow !== null);
  }

  /** Without a connection to the market it stays unknown. */
  async #learnTimezone(): Promise<void> {
    if (!this.host.offersCalls || this.#hasAskedForTimezone) return;
    this.#hasAskedForTimezone = true;
    const answer = await this.host.call("mkt_get_market_state", {});
    if (answer.kind === "result" && typeof answer.result["timezone"] === "string") {
      this.marketTimezone.value = answer.result["timezone"];
    }
  }
}
