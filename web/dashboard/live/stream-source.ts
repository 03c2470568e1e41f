// The connection to the server's stream of the market (web/contract/update.ts): server-sent events. A stream that fails, or
// says nothing for too long, is opened again after the last update received, so no event is lost.
//
// Without a pause there is one stream that lasts. With one, a stream is read up to the present and closed, and the next one is
// opened after the pause: for a window that can't share a connection with the others (stream-link.ts).
//
// The browser's own reconnection is not used: it gives up after an HTTP error, and a new address (other books) would forget
// the position.

import { MAX_UPDATE_EVENTS, type Update } from "../../contract/update.ts";
import { backoffMs } from "./backoff.ts";

/** The server sends something each second, so after this much silence what is shown may be old. */
export const STALE_MS = 4_000;
/** After this much silence the connection is taken for dead. */
export const DEAD_MS = 12_000;
/** How often the status is told, whether it has changed or not. */
const BEAT_MS = 1_000;

export interface StreamStatus {
  readonly state: "connecting" | "live" | "reconnecting";
  /** Tries that have failed since the last update. */
  readonly attempt: number;
  /** Streams opened. */
  readonly connects: number;
  /** When the newest update came, in milliseconds of Date.now; null before the first. */
  readonly heardAt: number | null;
}

interface SourceOptions {
  /** Where the next stream goes on; null: at the newest events. */
  readonly position: () => string | null;
  readonly receive: (update: Update, text: string) => void;
  /** The status has changed, or a second has passed. */
  readonly tell: (status: StreamStatus) => void;
  /** Milliseconds between two streams; null: one stream that lasts. */
  readonly pauseMs: number | null;
}

type Timer = ReturnType<typeof setTimeout>;

export class StreamSource {
  /** The contracts whose books the stream has. */
  watched: readonly string[] = [];
  status: StreamStatus = { state: "connecting", attempt: 0, connects: 0, heardAt: null };
  #stream: EventSource | null = null;
  /** Opens the next stream; null: none is due. */
  #next: Timer | null = null;
  /** Null while nobody follows. */
  #beat: Timer | null = null;
  /** Of performance.now: when the stream was opened, or has said something. */
  #lastSign = 0;

  constructor(private readonly options: SourceOptions) {}

  /** Begins, if nobody followed yet. Another stream is only opened if it lacks one of the contracts. */
  follow(contracts: readonly string[]): void {
    const isNew = contracts.some((id) => !this.watched.includes(id));
    if (isNew || this.#beat === null) this.watched = contracts;
    if (this.#beat === null) this.#beat = setInterval(() => this.#tick(), BEAT_MS);
    else if (!isNew) return;
    // A try that is due opens the stream for these contracts.
    if (this.#stream !== null || this.status.state !== "reconnecting") this.#open();
  }

  stop(): void {
    this.#close();
    if (this.#beat !== null) clearInterval(this.#beat);
    this.#beat = null;
    this.status = { ...this.status, state: "connecting", attempt: 0, heardAt: null };
  }

  /** Tries at once if a try is due some time, or if the stream is silent. */
  hurry(): void {
    if (this.#next !== null || (this.#stream !== null && this.#silence > STALE_MS)) this.#open();
  }

  get #silence(): number {
    return performance.now() - this.#lastSign;
  }

  #open(): void {
    this.#close();
    const { position, receive } = this.options;
    const query = new URLSearchParams();
    const since = position();
    if (since !== null) query.set("since", since);
    for (const id of this.watched) query.append("contract", id);
    const opened = new EventSource(`/dashboard/stream?${query}`);
    this.#stream = opened;
    this.#lastSign = performance.now();
    this.status = { ...this.status, connects: this.status.connects + 1 };
    opened.onmessage = ({ data }) => {
      if (this.#stream !== opened) return;
      const update = JSON.parse(data) as Update;
      this.#lastSign = performance.now();
      this.status = { ...this.status, state: "live", attempt: 0, heardAt: Date.now() };
      receive(update, data);
      if (this.#stream === opened) this.#pauseAfter(update);
    };
    opened.onerror = () => {
      if (this.#stream === opened) this.#fail();
    };
  }

  #close(): void {
    if (this.#next !== null) clearTimeout(this.#next);
    this.#next = null;
    this.#stream?.close();
    this.#stream = null;
  }

  /** Once there is no more to read. */
  #pauseAfter({ events }: Update): void {
    const { pauseMs } = this.options;
    if (pauseMs === null || events.length >= MAX_UPDATE_EVENTS) return;
    this.#close();
    this.#next = setTimeout(() => this.#open(), pauseMs);
  }

  #fail(): void {
    this.#close();
    const attempt = this.status.attempt + 1;
    this.status = { ...this.status, state: "reconnecting", attempt };
    this.#next = setTimeout(() => this.#open(), backoffMs(attempt));
    this.options.tell(this.status);
  }

  #tick(): void {
    if (this.#stream !== null && this.#silence > DEAD_MS) this.#fail();
    else this.options.tell(this.status);
  }
}
