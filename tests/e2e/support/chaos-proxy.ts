// A proxy between mkt and the real engine that causes seeded faults. Frames keep their order in each direction, as on any
// WebSocket. Each frame may be delayed, duplicated, or, if the profile says so, truncated or garbled. A connection works for a
// while and then has one of these faults:
//
//   cut      both ends lose the connection and the frames in flight
//   swallow  requests still reach the engine while its answers are lost; then a cut
//   stall    no frame passes for a while, then all of them do, in order
//   hole     no frame passes any more, and neither end notices
//
// After a cut, connections are refused for a while (outage). The seed determines the faults; their timing depends on the
// processes.

import type { Server, ServerWebSocket } from "bun";
import { type FrameFaults, Lane, type LaneOptions } from "./chaos-lane.ts";
import { atEnd } from "../../support/at-end.ts";
import { SeededRandom } from "../../../sim/random/seeded-random.ts";

export interface ChaosProfile extends FrameFaults {
  /** Mean time before a connection has a fault. */
  readonly meanLifeMs: number;
  /** Relative probability of each fault. */
  readonly ends: { readonly cut: number; readonly swallow: number; readonly stall: number; readonly hole: number };
  readonly stallMs: readonly [number, number];
  /** Range of an outage that is drawn as long. */
  readonly outageMs: readonly [number, number];
  readonly longOutageMs: readonly [number, number];
  readonly longOutages: number;
}

const SWALLOW_MS = 300;
const MAX_FRAME_BYTES = 256 << 20;
const KINDS = ["cut", "swallow", "stall", "hole"] as const;

type Tally = Record<(typeof KINDS)[number] | "delayed" | "duplicated" | "garbled" | "outages", number>;

interface SocketData {
  wire: Wire | null;
}

export class ChaosProxy {
  readonly tally: Tally = { cut: 0, swallow: 0, stall: 0, hole: 0, delayed: 0, duplicated: 0, garbled: 0, outages: 0 };
  readonly #server: Server<SocketData>;
  readonly #wires = new Set<Wire>();
  readonly #random: SeededRandom;
  #connections = 0;
  /** Number of current faults that block frames. */
  #faults = 0;
  #answers = 0;
  #isCalmed = false;
  #outage: ReturnType<typeof setTimeout> | null = null;
  /** Called when a response is lost, if one is to be lost. */
  #onResponse: (() => void) | null = null;

  /** `target`: ws://.../ws */
  constructor(readonly target: string, seed: number, readonly profile: ChaosProfile) {
    this.#random = new SeededRandom(seed);
    this.#server = Bun.serve<SocketData>({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request, server) => {
        if (this.#outage !== null) return new Response("outage", { status: 503 });
        const upgraded = server.upgrade(request, { data: { wire: null } });
        return upgraded ? undefined : new Response("upgrade required", { status: 426 });
      },
      websocket: {
        maxPayloadLength: MAX_FRAME_BYTES,
        backpressureLimit: MAX_FRAME_BYTES,
        idleTimeout: 960,
        open: (socket) => this.#open(socket),
        message: (socket, frame) => socket.data.wire?.toEngine.take(String(frame)),
        close: (socket) => socket.data.wire?.end(),
      },
    });
    atEnd(async () => {
      this.calm();
      this.cut();
      await this.#server.stop(true);
    });
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#server.port}/ws`;
  }

  /** Responses that have passed since a fault blocked frames or connections; 0 during a fault. */
  get answersSinceFault(): number {
    return this.#faults > 0 ? 0 : this.#answers;
  }

  /** Ends all faults: stalled frames pass, dead connections are cut, and no new fault occurs. */
  calm(): void {
    this.#isCalmed = true;
    if (this.#outage !== null) this.#endOutage();
    for (const wire of [...this.#wires]) wire.calm();
  }

  /** Ends every connection; new ones work. */
  cut(): void {
    for (const wire of [...this.#wires]) wire.end();
  }

  /** Loses the next response, then cuts every connection and refuses new ones for `outageMs`. */
  async blackOut(outageMs: number): Promise<void> {
    await new Promise<void>((resolve) => (this.#onResponse = resolve));
    this.#onResponse = null;
    if (this.#outage === null) this.#beginOutage(outageMs);
    this.cut();
  }

  #open(socket: ServerWebSocket<SocketData>): void {
    this.#connections += 1;
    const wire = new Wire(socket, {
      target: this.target,
      profile: this.profile,
      random: this.#random.fork(`connection ${this.#connections}`),
      isCalmed: () => this.#isCalmed,
      count: (what) => (this.tally[what] += 1),
      fault: (began) => this.#fault(began),
      cut: () => this.#drawOutage(),
      response: () => {
        this.#answers += 1;
        return this.#onResponse;
      },
      ended: () => this.#wires.delete(wire),
    });
    socket.data.wire = wire;
    this.#wires.add(wire);
  }

  #fault(began: boolean): void {
    this.#faults += began ? 1 : -1;
    this.#answers = 0;
  }

  #drawOutage(): void {
    if (this.#outage !== null || this.#isCalmed) return;
    const { outageMs, longOutageMs, longOutages } = this.profile;
    const isLong = this.#random.next() < longOutages;
    this.#beginOutage(this.#random.integer(...(isLong ? longOutageMs : outageMs)));
    if (isLong) this.tally.outages += 1;
  }

  #beginOutage(durationMs: number): void {
    this.#fault(true);
    this.#outage = setTimeout(() => this.#endOutage(), durationMs);
  }

  #endOutage(): void {
    clearTimeout(this.#outage ?? undefined);
    this.#outage = null;
    this.#fault(false);
  }
}

interface WireOptions extends LaneOptions {
  readonly target: string;
  readonly profile: ChaosProfile;
  readonly count: (what: keyof Tally) => void;
  /** A fault that blocks frames began or ended. */
  readonly fault: (began: boolean) => void;
  readonly cut: () => void;
  /** Called for each response. Gives what to call if it is lost; null: it is not to be lost. */
  readonly response: () => (() => void) | null;
  readonly ended: () => void;
}

/** One connection. */
class Wire {
  readonly toEngine: Lane;
  readonly #toClient: Lane;
  readonly #engine: WebSocket;
  #life: ReturnType<typeof setTimeout>;
  #fault: (typeof KINDS)[number] | null = null;
  #ended = false;

  constructor(readonly client: ServerWebSocket<SocketData>, readonly options: WireOptions) {
    const { target, profile, random } = options;
    this.toEngine = new Lane(options, (frame) => this.#engine.send(frame));
    this.#toClient = new Lane(options, (frame) => this.client.send(frame));
    this.toEngine.hold();
    this.#engine = new WebSocket(target);
    this.#engine.onopen = () => {
      if (this.#fault === null || this.#fault === "swallow") this.toEngine.release();
    };
    this.#engine.onmessage = ({ data }) => {
      const onResponse = String(data).includes('"kind":"response"') ? options.response() : null;
      if (onResponse !== null) this.swallow();
      this.#toClient.take(String(data));
      onResponse?.();
    };
    this.#engine.onclose = () => this.end();
    this.#life = setTimeout(() => this.#goWrong(), profile.meanLifeMs * random.exponential());
  }

  calm(): void {
    if (this.#fault === "hole" || this.#fault === "swallow") return this.end();
    this.#recover();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#life);
    this.toEngine.end();
    this.#toClient.end();
    this.#engine.close();
    this.client.terminate();
    if (this.#fault !== null) this.options.fault(false);
    this.options.ended();
  }

  /** From now on the engine's frames are lost. */
  swallow(): void {
    if (this.#fault !== null) return;
    this.#fault = "swallow";
    this.options.fault(true);
    this.#toClient.hold();
  }

  #goWrong(): void {
    const { options } = this;
    if (options.isCalmed() || this.#fault !== null) return;
    const fault = this.#drawEnd();
    options.count(fault);
    if (fault === "cut") return this.#cut();
    if (fault === "swallow") {
      this.swallow();
      this.#life = setTimeout(() => this.#cut(), SWALLOW_MS);
      return;
    }
    this.#fault = fault;
    options.fault(true);
    this.#toClient.hold();
    this.toEngine.hold();
    if (fault === "hole") return;
    this.#life = setTimeout(() => this.#recover(), options.random.integer(...options.profile.stallMs));
  }

  #recover(): void {
    if (this.#fault !== "stall") return;
    this.#fault = null;
    this.options.fault(false);
    if (this.#engine.readyState === WebSocket.OPEN) this.toEngine.release();
    this.#toClient.release();
    const { profile, random } = this.options;
    this.#life = setTimeout(() => this.#goWrong(), profile.meanLifeMs * random.exponential());
  }

  #cut(): void {
    this.end();
    this.options.cut();
  }

  #drawEnd(): (typeof KINDS)[number] {
    const { profile: { ends }, random } = this.options;
    let draw = random.next() * KINDS.reduce((sum, kind) => sum + ends[kind], 0);
    return KINDS.find((kind) => (draw -= ends[kind]) < 0) ?? "cut";
  }
}
