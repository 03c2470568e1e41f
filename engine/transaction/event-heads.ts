// What stands before the data of an event: its kind, number, type and time. There is one for each type, as bytes, in which only
// the digits that have changed since its last use are written anew.

import { EVENTS, type EventType } from "../../protocol/index.ts";
import type { TextWriter } from "../text/text-writer.ts";

const NUMBER_DIGITS = 16;
const LEAST_NUMBER = 1e15;
const TIME_LENGTH = "2026-01-14T13:00:24.001Z".length;
const START = '{"kind":"event","sequence":';
const ZERO = 48;

export class EventHeads {
  readonly #heads = Object.fromEntries(
    Object.keys(EVENTS).map((type) => [type, new EventHead(type)]),
  ) as Readonly<Record<EventType, EventHead>>;

  /** `time`: the ISO text of `now`. */
  write(writer: TextWriter, type: EventType, sequence: number, now: number, time: string): void {
    this.#heads[type].write(writer, sequence, now, time);
  }
}

class EventHead {
  readonly #bytes: Buffer;
  readonly #timeAt: number;
  /** The number and the time that the bytes have. */
  #sequence = LEAST_NUMBER;
  #now = NaN;

  constructor(readonly type: string) {
    const toTime = `${START}${LEAST_NUMBER},"type":"${type}","time":"`;
    this.#timeAt = toTime.length;
    this.#bytes = Buffer.from(`${toTime}${" ".repeat(TIME_LENGTH)}","data":`, "latin1");
  }

  write(writer: TextWriter, sequence: number, now: number, time: string): void {
    // Both hold for all numbers that an engine gives, and from the year 0 to 9999.
    if (sequence < LEAST_NUMBER || time.length !== TIME_LENGTH) return this.#writePlain(writer, sequence, time);
    this.#setNumber(sequence);
    if (now !== this.#now) {
      for (let at = 0; at < TIME_LENGTH; at++) this.#bytes[this.#timeAt + at] = time.charCodeAt(at);
      this.#now = now;
    }
    writer.bytes(this.#bytes);
  }

  #writePlain(writer: TextWriter, sequence: number, time: string): void {
    writer.text(START);
    writer.number(sequence);
    writer.text(`,"type":"${this.type}","time":"${time}","data":`);
  }

  /** Writes the digits from the last one to the first that differs from those before it. */
  #setNumber(sequence: number): void {
    let [rest, before] = [sequence, this.#sequence];
    for (let at = START.length + NUMBER_DIGITS - 1; rest !== before; at--) {
      const quotient = Math.floor(rest / 10);
      this.#bytes[at] = ZERO + (rest - quotient * 10);
      rest = quotient;
      before = Math.floor(before / 10);
    }
    this.#sequence = sequence;
  }
}
