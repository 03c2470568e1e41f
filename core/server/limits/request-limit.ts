// MCP_MAX_REQUESTS: the limit on concurrent requests, from reading the body until the answer begins, or until a call in it
// waits for an event. Further requests are refused at once.

import type { HttpRefusal } from "../../../common/http/refusal.ts";
import { Capacity } from "../../guardrails/capacity.ts";

interface RequestSlotsOptions {
  readonly most: number;
  /** The limit for one client. */
  readonly mostForOne: () => number;
}

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

  constructor(private readonly options: RequestSlotsOptions) {
    this.#running = new Capacity(options.most, options.mostForOne);
  }

  /** A refusal (503) above the limit, and above the limit of one client. */
  take(client: string): RequestSlot | HttpRefusal {
    const taken = this.#running.take(client, 1);
    if (taken === "taken") return new RequestSlot(() => this.#running.release(client, 1));
    const { most, mostForOne } = this.options;
    const message = taken === "full"
      ? `More than ${most} requests are running: try again.`
      : `More than ${mostForOne()} requests with your token are running: try again.`;
    return { status: 503, code: "busy", message, headers: { "Retry-After": "1" } };
  }
}
