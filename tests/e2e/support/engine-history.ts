// The events that an engine publishes to one user, as a direct client of its protocol gets them. The client resumes after each
// lost connection, so a restarted engine adds to the same history.

import { withSideNames } from "../../../plugins/toolkit/sides.ts";
import { atEnd } from "../../support/at-end.ts";
import { LoadClient, messagesIn } from "../../support/load-client.ts";

export class EngineHistory {
  /** Of each event, in order. */
  readonly sequences: number[] = [];
  readonly digests: number[] = [];
  /** Users that were connected at the newest event, if they connected in this history. */
  readonly connected = new Set<string>();
  /** Event numbers that the engine could not send again. */
  lost = 0;
  /** The newest event before this history. */
  start = 0;
  epoch = 0;
  #client: LoadClient | null = null;
  #isEnded = false;

  private constructor(readonly url: string, readonly userId: string) {
    atEnd(() => this.end());
  }

  /** Begins with the next event. */
  static async of(url: string, userId: string): Promise<EngineHistory> {
    const history = new EngineHistory(url, userId);
    await history.#connect();
    return history;
  }

  /** The number of the newest event. */
  get newest(): number {
    return this.sequences.at(-1) ?? this.start;
  }

  end(): void {
    this.#isEnded = true;
    this.#client?.close();
  }

  async #connect(): Promise<void> {
    const resume = this.epoch === 0 ? {} : { resume: { epoch: this.epoch, sequence: this.newest } };
    const client = new LoadClient(this.url, this.userId, { ...resume, onFrame: (text) => this.#read(text) });
    this.#client = client;
    void client.closed.then(async () => {
      if (this.#isEnded) return;
      await Bun.sleep(20);
      await this.#connect();
    });
    await client.welcomed();
  }

  #read(frame: string): void {
    for (const message of messagesIn(frame)) {
      if (!("kind" in message)) continue;
      if (message.kind === "welcome") this.#welcomed(message);
      if (message.kind === "gap") this.lost += message.to - message.from + 1;
      if (message.kind !== "event" || message.sequence <= this.newest) continue;
      this.sequences.push(message.sequence);
      this.digests.push(eventDigest(message.type, message.time, withSideNames(message.data)));
      if (message.type === "change.user") this.#setConnected(message.data);
    }
  }

  #setConnected({ userId, connected }: Readonly<Record<string, unknown>>): void {
    if (connected) this.connected.add(String(userId));
    else this.connected.delete(String(userId));
  }

  #welcomed({ epoch, sequence }: { readonly epoch: number; readonly sequence: number }): void {
    if (this.epoch === 0) this.start = sequence;
    else if (this.epoch !== epoch) throw new Error(`the engine began another history: ${epoch} after ${this.epoch}`);
    this.epoch = epoch;
  }
}

/**
 * What a test remembers of an event, in 53 bits: its number is kept beside it. The order of the properties makes no difference.
 * `data`: as mkt shows it in full (withSideNames).
 */
export function eventDigest(type: string, time: string, data: Readonly<Record<string, unknown>>): number {
  const text = JSON.stringify([type, time, Object.entries(data).toSorted(([one], [other]) => one < other ? -1 : 1)]);
  return Number(BigInt.asUintN(53, Bun.hash.wyhash(text)));
}
