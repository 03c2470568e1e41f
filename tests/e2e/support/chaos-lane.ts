// One direction of a connection through a ChaosProxy, which delays, duplicates and garbles frames, and keeps their order.

import type { SeededRandom } from "../../../sim/random/seeded-random.ts";

export interface FrameFaults {
  /** Fraction of frames. */
  readonly delayed: number;
  readonly duplicated: number;
  readonly garbled: number;
}

export interface LaneOptions {
  readonly profile: FrameFaults;
  readonly random: SeededRandom;
  /** No new fault occurs. */
  readonly isCalmed: () => boolean;
  readonly count: (what: keyof FrameFaults) => void;
}

const MAX_DELAY_MS = 40;

/** One direction of a connection. */
export class Lane {
  #waiting: string[] = [];
  #again: string | null = null;
  #held = false;
  #running = false;
  #ended = false;

  constructor(readonly options: LaneOptions, readonly deliver: (frame: string) => void) {}

  take(frame: string): void {
    if (this.#ended) return;
    this.#waiting.push(frame);
    void this.#run();
  }

  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    void this.#run();
  }

  end(): void {
    this.#ended = true;
    this.#waiting = [];
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    while (!this.#held && !this.#ended) {
      const frame = this.#waiting.shift();
      if (frame === undefined) break;
      await this.#pass(frame);
    }
    this.#running = false;
  }

  /** A duplicate follows at once or after the next frame. */
  async #pass(frame: string): Promise<void> {
    const { profile, random, count, isCalmed } = this.options;
    if (isCalmed()) return this.deliver(frame);
    if (random.next() < profile.delayed) {
      count("delayed");
      await Bun.sleep(random.integer(1, MAX_DELAY_MS));
      if (this.#ended) return;
    }
    const isGarbled = random.next() < profile.garbled;
    if (isGarbled) count("garbled");
    this.deliver(isGarbled ? garbled(frame, random) : frame);
    if (this.#again !== null) this.deliver(this.#again);
    this.#again = null;
    if (isGarbled || random.next() >= profile.duplicated) return;
    count("duplicated");
    if (random.next() < 0.5) this.deliver(frame);
    else this.#again = frame;
  }
}

/** The frame truncated, or with some characters replaced. */
function garbled(frame: string, random: SeededRandom): string {
  const at = random.integer(0, frame.length - 1);
  if (random.next() < 0.5) return frame.slice(0, at);
  const characters = [...frame];
  for (let count = random.integer(1, 4); count > 0; count -= 1) {
    characters[random.integer(0, characters.length - 1)] = String.fromCharCode(random.integer(32, 126));
  }
  return characters.join("");
}
