// What is to happen in a world at given market times, by others than personas. It happens before any persona wakes up at the
// same time, and in the order in which it was planned.

interface Scene {
  /** Market time, in milliseconds since the epoch. */
  readonly time: number;
  readonly run: () => void;
}

export class Script {
  /** By time; within a time in the order of planning. */
  readonly #scenes: Scene[] = [];

  /** When the next is due; Infinity if nothing is planned. */
  get next(): number {
    return this.#scenes[0]?.time ?? Infinity;
  }

  /** `time`: not in the past. */
  at(time: number, run: () => void): void {
    const place = this.#scenes.findLastIndex((scene) => scene.time <= time) + 1;
    this.#scenes.splice(place, 0, { time, run });
  }

  /** Runs what is due at a time, and what that plans for the same time. */
  run(time: number): void {
    while (this.next <= time) this.#scenes.shift()!.run();
  }
}
