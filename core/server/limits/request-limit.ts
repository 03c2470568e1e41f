// MCP_MAX_REQUESTS: the limit on concurrent requests, from reading the body until the answer begins, or until a call in it
// waits for an event. Further requests are refused at once.

import type { HttpRefusal } from "../../../common/http/refusal.ts";
import { Capacity } from "../../guardrails/capacity.ts";

/** The place of one running request. */
export class RequestSlot {
  #isHeld = true;

  constructor(private readonly release: () => void) {}

  /** Gives the place back; does nothing the second time. */
  free(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.release();
  }
}

export class RequestSlots {
  readonly #running: Capacity;

  constructor(private readonly most: number, private readonly mostForOne: () => number) {
    this.#running = new Capacity(most, mostForOne);
  }

  /** A refusal (503) above the limit, and above the limit of one client. */
  take(client: string): RequestSlot | HttpRefusal {
    const taken = this.#running.take(client, 1);
    if (taken === "taken") return new RequestSlot(() => this.#running.release(client, 1));
    const message = taken === "full"
      ? `More than ${this.most} requests are running: try again.`
      : `More than ${this.mostForOne()} requests with your token are running: try again.`;
    return { status: 503, code: "busy", message, headers: { "Retry-After": "1" } };
  }
}
