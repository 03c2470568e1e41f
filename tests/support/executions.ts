// What an engine's execution says, as objects of the protocol.

import { reduceEvent } from "../../protocol/client/module-reduction.ts";
import { type AuditEvent, type EventMessage, EVENTS, type EventType, type StateMessage } from "../../protocol/index.ts";
import { type AnyModuleData, isModuleType, type ModuleData } from "../../protocol/modules/registry.ts";
import { eventOf } from "../../engine/audit/audit-events.ts";
import type { EngineUser, Execution, MarketEngine } from "../../engine/api/market-engine.ts";
import { recordedEvents } from "../../engine/api/audit-lines.ts";
import type { PublishedMessage } from "../../engine/api/messages.ts";
import { audienceOfEvent, audienceOfModule, maySee } from "../../engine/api/visibility.ts";

/** The states of an execution, then its removals. */
export function statesOf({ messages }: Pick<Execution, "messages">): StateMessage[] {
  return messages.flatMap((message) => message.kind === "state" ? [JSON.parse(message.text)] : []);
}

/** What an execution makes of each module that it changes, except for books: states, what events say, and removals. */
export function changedModulesOf({ messages }: Pick<Execution, "messages">): StateMessage[] {
  const changed = new Map<string, StateMessage>();
  for (const { kind, text } of messages) {
    const message: StateMessage | EventMessage = JSON.parse(text);
    const state = kind === "state" ? message as StateMessage : reduceEvent(message as EventMessage, null);
    if (state !== null && !("misfit" in state)) changed.set(state.statePath, state);
  }
  return [...changed.values()];
}

export function eventsOf({ messages }: Pick<Execution, "messages">): EventMessage[] {
  return messages.flatMap((message) => message.kind === "event" ? [JSON.parse(message.text)] : []);
}

export function auditOf({ audit }: Pick<Execution, "audit">): AuditEvent[] {
  return recordedEvents(audit).map(eventOf);
}

/** The result of the response; undefined if there is none. */
export function resultOf({ response }: Pick<Execution, "response">): Record<string, unknown> | undefined {
  if (response?.order !== undefined) return { order: JSON.parse(response.order) };
  return response?.result === undefined ? undefined : JSON.parse(response.result);
}

/** The states of a snapshot. `now`: milliseconds since the epoch. */
export function snapshotOf(engine: Pick<MarketEngine, "snapshot">, now: number): StateMessage[] {
  return [...engine.snapshot(now)].map(({ text }) => JSON.parse(text));
}

/** The messages that a user may see. */
export function seenBy<Message extends PublishedMessage>(
  user: EngineUser | undefined,
  messages: Iterable<Message>,
): Message[] {
  if (user === undefined) throw new Error("no such user");
  return [...messages].filter(({ audience }) => maySee(user, audience));
}

/** Whether a user may see a message of the protocol; false if its type is unknown. */
export function maySeeMessage(user: EngineUser, message: StateMessage | EventMessage): boolean {
  if (!("statePath" in message)) {
    return Object.hasOwn(EVENTS, message.type) &&
      maySee(user, audienceOfEvent(message.type as EventType, message.data));
  }
  const type = message.statePath.split("/")[1] ?? "";
  if (!isModuleType(type)) return false;
  return message.state === null ||
    maySee(user, audienceOfModule(type, message.state as AnyModuleData as ModuleData<typeof type>));
}
