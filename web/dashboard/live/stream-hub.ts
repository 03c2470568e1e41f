// One stream of the market for all windows of a browser that show the same page in the same session. Each window gets each
// update as it came from the server. One that comes later, or was too slow, is brought up to date first (stream-state.ts).
//
// A browser opens at most six connections to a server without TLS, and a stream holds one of them. With a stream for each
// window the seventh would wait for ever.
//
// Invariants:
// - A window gets the events after its position, each once, in order, as long as this keeps them; what it does not get is
//   counted in `missed`. Its own ledger drops what it has.
// - A window that does not answer, because its browser has frozen it, has at most MAX_WAITING updates on their way.
// - There is no stream without a window that answers.

import { MAX_WATCHED, type Update } from "../../contract/update.ts";
import type { ToWindow, ToWorker } from "./stream-messages.ts";
import { StreamSource } from "./stream-source.ts";
import { StreamState, wholeFrom } from "./stream-state.ts";

/** Five seconds of updates. */
const MAX_WAITING = 50;
/** A window that answers nothing for so long is frozen or gone. */
const ASLEEP_MS = 60_000;

/** Of a MessagePort. */
export interface WindowPort {
  onmessage: ((message: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: ToWindow): void;
}

interface Member {
  readonly port: WindowPort;
  contracts: readonly string[];
  /** Of the last update that was sent to it. */
  position: string | null;
  /** Updates that it has not answered yet. */
  waiting: number;
  /** Whether it lacks updates, so the next one must be a whole one. */
  isBehind: boolean;
  /** Of performance.now. */
  heardAt: number;
}

export class StreamHub {
  readonly #members = new Map<WindowPort, Member>();
  #state = new StreamState();
  /** Where the first stream begins: with the events that the first window lacks. */
  #beginning: string | null = null;
  readonly #source = new StreamSource({
    position: () => this.#state.position ?? this.#beginning,
    receive: (update, text) => this.#publish(update, text),
    tell: () => this.#tell(),
    pauseMs: null,
  });

  /** A window has opened a port to this worker. It follows from its first message on. */
  join(port: WindowPort): void {
    port.onmessage = ({ data }) => this.#hear(port, data);
  }

  #hear(port: WindowPort, request: ToWorker): void {
    const member = this.#members.get(port);
    if (member !== undefined) member.heardAt = performance.now();
    if (request.kind === "leave") return this.#leave(port);
    if (request.kind === "follow") return this.#follow(port, request);
    if (member === undefined) return;
    if (request.kind === "hurry") this.#source.hurry();
    else {
      member.waiting--;
      this.#bringUpToDate(member);
    }
    // There is no stream if all windows were asleep.
    this.#source.follow(this.#watched());
  }

  #follow(port: WindowPort, { contracts, since }: ToWorker & { readonly kind: "follow" }): void {
    const known = this.#members.get(port);
    const member: Member = known ??
      { port, contracts, position: since, waiting: 0, isBehind: true, heardAt: performance.now() };
    const added = contracts.filter((id) => !member.contracts.includes(id));
    member.contracts = contracts;
    this.#members.set(port, member);
    if (!this.#state.isKnown) this.#beginning ??= wholeFrom(since);
    this.#source.follow(this.#watched());
    this.#state.keepBooks(this.#source.watched);
    if (known === undefined) this.#bringUpToDate(member);
    else if (!member.isBehind) this.#send(member, this.#state.booksUpdate(added));
    this.#sendText(member, null);
  }

  #leave(port: WindowPort): void {
    this.#members.delete(port);
    port.onmessage = null;
    if (this.#members.size > 0) return;
    this.#source.stop();
    this.#state = new StreamState();
    this.#beginning = null;
  }

  #publish(update: Update, text: string): void {
    this.#state.take(update);
    for (const member of this.#members.values()) {
      if (member.waiting >= MAX_WAITING) member.isBehind = true;
      if (member.isBehind) this.#bringUpToDate(member);
      else this.#sendText(member, text);
    }
  }

  /** Once it has answered what is on its way. */
  #bringUpToDate(member: Member): void {
    if (!member.isBehind || member.waiting > 0 || !this.#state.isKnown) return;
    member.isBehind = false;
    this.#send(member, this.#state.since(member.position, member.contracts));
  }

  #send(member: Member, update: Update | null): void {
    if (update !== null) this.#sendText(member, JSON.stringify(update));
  }

  #sendText(member: Member, text: string | null): void {
    if (text !== null) {
      member.waiting++;
      member.position = this.#state.position;
    }
    member.port.postMessage({ status: this.#source.status, text });
  }

  /** The status, each second. */
  #tell(): void {
    const awake = this.#awake();
    if (awake.length === 0) return this.#source.stop();
    for (const member of awake) if (member.waiting < MAX_WAITING) this.#sendText(member, null);
  }

  #awake(): Member[] {
    const now = performance.now();
    return [...this.#members.values()].filter(({ waiting, heardAt }) => waiting === 0 || now - heardAt < ASLEEP_MS);
  }

  /** Of the windows that opened last, if there are too many. */
  #watched(): string[] {
    const contracts = this.#awake().toReversed().flatMap(({ contracts }) => contracts);
    return [...new Set(contracts)].slice(0, MAX_WATCHED);
  }
}
