// Calls that wait for the next market event.
//
// A waiting call costs a timer and an entry in the event buffer's index of waits, so thousands of them cost no time while
// nothing happens. It holds no slot of MCP_MAX_REQUESTS. Waiting calls have their own limits, for all calls and for each
// caller; a call beyond a limit is answered at once.
// A wait ends with a matching event, when its time is up, when the client cancels or disconnects, when the connection to the
// market ends, and when this process begins to shut down.

import type { EventFilter, EventReader } from "../market/event-reader.ts";
import { SYSTEM_TIMERS, type Timers } from "../../common/timers.ts";
import { Capacity } from "../guardrails/capacity.ts";
import { checkRequirements, type Requiring } from "../guardrails/requirements.ts";
import { MAX_WAIT_SECONDS, type ToolContext } from "../tools/context.ts";
import { reportWait } from "../tools/progress.ts";

/** Calls that may wait at once. */
export const MAX_WAITING = 4_000;
/** The same for each caller (the name of a token). Without tokens all clients are one caller. */
const MAX_WAITING_OF_ONE = 2_000;

interface Wait {
  readonly filter: EventFilter;
  readonly seconds: number;
  readonly caller: string | null;
  readonly signal: AbortSignal;
}

export class EventWaits {
  readonly #capacity = new Capacity(MAX_WAITING, () => MAX_WAITING_OF_ONE);
  readonly #ends = new Set<() => void>();
  #isOver = false;

  constructor(private readonly timers: Timers = SYSTEM_TIMERS) {}

  /** The number of calls that wait now. */
  get count(): number {
    return this.#ends.size;
  }

  /** The `waitForEvent` of a call. `freeSlot` gives back what the transport holds for a running call. */
  async wait(
    requiring: Requiring,
    context: ToolContext,
    { filter, seconds }: Pick<Wait, "filter" | "seconds">,
    freeSlot: () => void = () => {},
  ): Promise<boolean> {
    const { events, pubsub, signal, caller = null } = context;
    const wait = pubsub.status === "connected" ? this.begin(events, { filter, seconds, caller, signal }) : null;
    if (wait === null) return false;
    freeSlot();
    await reportWait(wait, context, { what: "Waits for the next event", limitMs: limitOf(seconds) });
    signal.throwIfAborted();
    checkRequirements(requiring, context);
    return true;
  }

  /** Null if the call can't wait: there are too many, or the process is shutting down. Otherwise resolves at the end. */
  begin(events: EventReader, { filter, seconds, caller, signal }: Wait): Promise<void> | null {
    const client = caller ?? "";
    if (this.#isOver || signal.aborted || this.#capacity.take(client, 1) !== "taken") return null;
    return new Promise((resolve) => {
      const end = () => {
        if (!this.#ends.delete(end)) return;
        cancel();
        endTimer();
        signal.removeEventListener("abort", end);
        this.#capacity.release(client, 1);
        resolve();
      };
      this.#ends.add(end);
      const cancel = events.onNext(filter, end);
      const endTimer = this.timers.after(limitOf(seconds), end);
      signal.addEventListener("abort", end);
    });
  }

  /** Ends every wait; from now on none begins. */
  endAll(): void {
    this.#isOver = true;
    for (const end of [...this.#ends]) end();
  }
}

/** Milliseconds. */
function limitOf(seconds: number): number {
  return Math.min(seconds, MAX_WAIT_SECONDS) * 1000;
}
