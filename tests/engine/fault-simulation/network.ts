// One simulated connection. Frames keep their order in each direction and take a seeded time. A cut loses the frames in
// flight, and each end notices it at another time. A stall keeps frames from leaving the engine's side.

import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { FrameSocket } from "../../../engine/server/connections/send-queue.ts";
import type { Scheduler } from "./scheduler.ts";

/** One end of a connection. The network calls it. */
export interface End {
  receive(frame: string): void;
  closed(): void;
}

/** The engine's end. `drained` reports that its stalled socket accepts frames again. */
interface EngineEnd extends End {
  drained(): void;
}

interface NetworkTraits {
  readonly leastLatencyMs: number;
  readonly greatestLatencyMs: number;
  /** Longest time until an end notices a lost connection. */
  readonly greatestDetectionMs: number;
}

/** Buffered bytes that a stalled socket reports: more than the engine's send queue allows. */
const FULL = 1 << 30;

/** Delivers frames in the order in which they were sent. */
class Direction {
  #lastArrival = 0;

  constructor(readonly scheduler: Scheduler, readonly random: SeededRandom, readonly traits: NetworkTraits) {}

  send(arrive: () => void): void {
    const { leastLatencyMs, greatestLatencyMs } = this.traits;
    const latency = this.random.integer(leastLatencyMs, greatestLatencyMs);
    this.#lastArrival = Math.max(this.#lastArrival, this.scheduler.now + latency);
    this.scheduler.after(this.#lastArrival - this.scheduler.now, arrive);
  }
}

export class Link {
  readonly #toEngine: Direction;
  readonly #toClient: Direction;
  #engine: EngineEnd | null = null;
  #engineGone = false;
  #clientGone = false;
  /** Loses the frames in flight. */
  #cut = false;
  #stalled: string[] | null = null;
  #closeAfterStall = false;

  constructor(
    readonly scheduler: Scheduler,
    readonly random: SeededRandom,
    readonly traits: NetworkTraits,
    readonly client: End,
  ) {
    this.#toEngine = new Direction(scheduler, random, traits);
    this.#toClient = new Direction(scheduler, random, traits);
  }

  /** Whether an end may still receive frames. */
  get isUp(): boolean {
    return !this.#cut && !this.#engineGone && !this.#clientGone;
  }

  /** Attaches the engine's end. `make` gets the socket that the engine sends with. */
  accept(make: (socket: FrameSocket) => EngineEnd): void {
    this.#engine = make({
      send: (text) => this.#sendToClient(text),
      getBufferedAmount: () => this.#stalled === null ? 0 : FULL,
      close: () => this.#closeFromEngine(),
      terminate: () => this.#closeFromEngine(),
    });
  }

  sendToEngine(frame: string): void {
    if (!this.isUp) return;
    this.#toEngine.send(() => {
      if (!this.#cut && !this.#engineGone) this.#engine?.receive(frame);
    });
  }

  /** The client closes the connection. Frames it sent before still arrive. */
  closeFromClient(): void {
    if (this.#clientGone) return;
    this.#clientGone = true;
    this.#toEngine.send(() => this.#tellEngine());
  }

  /** Cuts the connection. Each end notices it later. */
  cut(): void {
    if (this.#cut) return;
    this.#cut = true;
    const { greatestDetectionMs } = this.traits;
    this.scheduler.after(this.random.integer(0, greatestDetectionMs), () => this.#tellEngine());
    this.scheduler.after(this.random.integer(0, greatestDetectionMs), () => this.#tellClient());
  }

  /** The engine's process has ended. Frames it had sent may still arrive; then the client notices. */
  engineKilled(): void {
    this.#engineGone = true;
    this.#stalled = null;
    if (this.#cut) return;
    if (this.random.next() < 0.5) this.#toClient.send(() => this.#tellClient());
    else {
      this.#cut = true;
      this.scheduler.after(this.random.integer(0, this.traits.greatestDetectionMs), () => this.#tellClient());
    }
  }

  stall(forMs: number): void {
    if (this.#stalled !== null || !this.isUp) return;
    this.#stalled = [];
    this.scheduler.after(forMs, () => this.#endStall());
  }

  #endStall(): void {
    const waiting = this.#stalled;
    if (waiting === null) return;
    this.#stalled = null;
    for (const frame of waiting) this.#sendToClient(frame);
    if (this.#closeAfterStall) this.#toClient.send(() => this.#tellClient());
    else if (!this.#engineGone) this.#engine?.drained();
  }

  #sendToClient(frame: string): number {
    if (this.#engineGone && !this.#closeAfterStall) return 0;
    if (this.#stalled !== null) this.#stalled.push(frame);
    else {
      this.#toClient.send(() => {
        if (!this.#cut && !this.#clientGone) this.client.receive(frame);
      });
    }
    return frame.length;
  }

  #closeFromEngine(): void {
    if (this.#engineGone) return;
    this.#engineGone = true;
    if (this.#stalled === null) this.#toClient.send(() => this.#tellClient());
    else this.#closeAfterStall = true;
    this.scheduler.after(0, () => this.#engine?.closed());
  }

  #tellEngine(): void {
    if (this.#engineGone) return;
    this.#engineGone = true;
    this.#engine?.closed();
  }

  #tellClient(): void {
    if (this.#clientGone) return;
    this.#clientGone = true;
    this.client.closed();
  }
}
