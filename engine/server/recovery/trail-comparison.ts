// Compares what an engine has recorded of its calls with what a replay of them causes, for the upgrade of its directory and the
// restore of its backup.

import { auditId, numberOf } from "../../../common/audit/audit-id.ts";
import type { AuditEvent } from "../../../protocol/index.ts";
import { eventOf } from "../../audit/audit-events.ts";
import type { EventsAfter } from "../../audit/recorded-trail.ts";
import { recordedEvents } from "../../api/audit-lines.ts";
import type { LoadedJournal } from "../../journal/journal.ts";
import { NotUpgradable } from "../../journal/upgrades/journal-upgrades.ts";
import { JournalReplay, type ReplayListener } from "./journal-replay.ts";

/** Replays a journal, and compares the audit events that it causes with a trail. Throws NotUpgradable at a difference. */
export function comparedReplay({ header, checkpoint, records }: LoadedJournal, recorded: EventsAfter): JournalReplay {
  const comparison = new TrailComparison(recorded);
  const replay = new JournalReplay(header, comparison);
  if (checkpoint !== null) replay.restore(checkpoint.parts);
  comparison.beginAfter(replay.engine.auditPosition);
  for (const { number, text } of records) replay.apply(number, text);
  comparison.end(replay.engine.auditPosition);
  return replay;
}

/** Compares the audit events of a replay with those that were recorded. Throws NotUpgradable at a difference. */
class TrailComparison implements ReplayListener {
  #recorded: Iterator<AuditEvent> = [][Symbol.iterator]();
  #next: AuditEvent | null = null;

  constructor(private readonly eventsAfter: EventsAfter) {}

  /** The checkpoint accounts for the events up to `position`. */
  beginAfter(position: number): void {
    this.#recorded = this.eventsAfter(position)[Symbol.iterator]();
    this.#next = this.#read();
  }

  applied({ audit }: { readonly audit: string }): void {
    for (const recorded of recordedEvents(audit)) {
      const expected = this.#next;
      if (expected === null) return;
      // The trail may have lost its oldest events, or deleted them.
      if (recorded.position < numberOf(expected.id)) continue;
      const event = eventOf(recorded);
      if (!isSame(expected, event)) {
        throw new NotUpgradable(
          `under the rules of this version its calls have another outcome: audit event ${expected.id} was ` +
            `${expected.event} of ${expected.orderId ?? expected.moduleId}, and would be ${event.event} of ` +
            `${event.orderId ?? event.moduleId} (${auditId(recorded.epoch, recorded.position)})`,
        );
      }
      this.#next = this.#read();
    }
  }

  epochBegan(): void {}

  leftOut(): void {}

  end(position: number): void {
    if (this.#next === null) return;
    throw new NotUpgradable(
      `under the rules of this version its calls cause ${position} audit events, and event ${this.#next.id} was recorded`,
    );
  }

  #read(): AuditEvent | null {
    const { value, done } = this.#recorded.next();
    return done === true ? null : value;
  }
}

/** Details may have got more fields since. */
function isSame(recorded: AuditEvent, replayed: AuditEvent): boolean {
  const { id, time, event, userId, orderId } = recorded;
  const isOfCall = id === replayed.id && time === replayed.time && event === replayed.event &&
    userId === replayed.userId && orderId === replayed.orderId;
  if (!isOfCall) return false;
  const details: Readonly<Record<string, unknown>> = replayed.details;
  return Object.entries(recorded.details).every(([name, value]) => Bun.deepEquals(value, details[name]));
}
