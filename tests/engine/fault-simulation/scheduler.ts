// Virtual time: runs tasks in the order of their due time, and tasks of the same time in the order in which they were
// scheduled. Nothing waits for real time.

import type { Timers } from "../../../common/timers.ts";

interface Task {
  readonly time: number;
  readonly number: number;
  readonly carryOut: () => void;
  ended: boolean;
}

export class Scheduler implements Timers {
  /** Milliseconds since the epoch. */
  now: number;
  /** Binary heap: each task is due no later than its two children. */
  readonly #tasks: Task[] = [];
  #planned = 0;

  constructor(start: number) {
    this.now = start;
  }

  after(waitMs: number, carryOut: () => void): () => void {
    const task = { time: this.now + Math.max(waitMs, 0), number: ++this.#planned, carryOut, ended: false };
    this.#push(task);
    return () => {
      task.ended = true;
    };
  }

  /** Timers of a part that may end. Its tasks are skipped after that. */
  scope(isAlive: () => boolean): Timers {
    return { after: (waitMs, task) => this.after(waitMs, () => isAlive() && task()) };
  }

  /** Runs every task up to `time`. All promises settle between two tasks. */
  async runUntil(time: number): Promise<void> {
    for (let task = this.#tasks[0]; task !== undefined && task.time <= time; task = this.#tasks[0]) {
      this.#removeFirst();
      if (task.ended) continue;
      this.now = task.time;
      task.carryOut();
      await settled();
    }
    this.now = time;
  }

  #push(task: Task): void {
    const tasks = this.#tasks;
    let at = tasks.push(task) - 1;
    while (at > 0) {
      const above = (at - 1) >>> 1;
      const parent = tasks[above];
      if (parent === undefined || isBefore(parent, task)) break;
      tasks[at] = parent;
      at = above;
    }
    tasks[at] = task;
  }

  #removeFirst(): void {
    const tasks = this.#tasks;
    const last = tasks.pop();
    if (last === undefined || tasks.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const one = tasks[left];
      if (one === undefined) break;
      const other = tasks[left + 1];
      const below = other !== undefined && isBefore(other, one) ? left + 1 : left;
      const child = tasks[below];
      if (child === undefined || isBefore(last, child)) break;
      tasks[at] = child;
      at = below;
    }
    tasks[at] = last;
  }
}

function isBefore(one: Task, other: Task): boolean {
  return one.time < other.time || (one.time === other.time && one.number < other.number);
}

/** Resolves after all pending microtasks. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
