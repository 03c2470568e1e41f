// One simulated connection. In each direction frames keep their order and take a seeded time; a cut loses what is under
// way, and each end learns of it on its own, later; a stall keeps frames from leaving the engine's side.

import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import type { FrameSocket } from "../../../sim/server/connections/send-queue.ts";
import type { Scheduler } from "./scheduler.ts";

/** One end of a connection, as the network calls it. */
export interface End {
  receive(frame: string): void;
  closed(): void;
}

/** The engine's end, which is also told when its stalled socket takes frames again. */
export interface EngineEnd extends End {
  drained(): void;
}

export interface NetworkTraits {
  readonly leastLatencyMs: number;
  readonly greatestLatencyMs: number;
  /** How long an end may take to find out that the other has gone. */
  readonly greatestDetectionMs: number;
}

/** What a socket that takes nothing reports as waiting: more than the engine's queue lets wait there. */
const FULL = 1 << 30;

/** Delivers in order: nothing arrives before what was sent earlier. */
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
  /** Frames under way are lost. */
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

  /** Whether an end may still get something. */
  get isUp(): boolean {
    return !this.#cut && !this.#engineGone && !this.#clientGone;
  }

  /** Joins the engine's end; `make` gets the socket that the engine sends through. */
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

  /** The client ends it in order: what it sent before still arrives. */
  closeFromClient(): void {
    if (this.#clientGone) return;
    this.#clientGone = true;
    this.#toEngine.send(() => this.#tellEngine());
  }

  /** Both ends lose each other at once and find out later. */
  cut(): void {
    if (this.#cut) return;
    this.#cut = true;
    const { greatestDetectionMs } = this.traits;
    this.scheduler.after(this.random.integer(0, greatestDetectionMs), () => this.#tellEngine());
    this.scheduler.after(this.random.integer(0, greatestDetectionMs), () => this.#tellClient());
  }

  /** The engine's process has gone: what it had sent may still arrive, then the client is told. */
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
