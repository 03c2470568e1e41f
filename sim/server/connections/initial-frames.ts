// The frames with which a connection begins: welcome, snapshot, and the events that a connection which resumes has missed.
// They are made one at a time, as the connection takes them.
//
// The market goes on meanwhile. A module is sent as it is when its turn comes; if it changes after that, its new state is
// sent before the snapshot ends. So the snapshot is whole, and as of its end: never of a time before the welcome. The events
// since the welcome follow it, live.

import type { EngineMessage, EventMessage, StateMessage } from "../../../protocol/index.ts";
import type { Gap } from "../publication/event-history.ts";
import { FULL_FRAME } from "./send-queue.ts";

export interface InitialFramesOptions {
  readonly welcome: Extract<EngineMessage, { kind: "welcome" }>;
  /** The modules that the user may see, each as of when it is taken. */
  readonly modules: Iterable<StateMessage>;
  /** States that came since, serialised and separated by commas; null once there are none, which ends the snapshot. */
  readonly newerStates: () => string | null;
  readonly missed: Iterable<EventMessage | Gap>;
  readonly onEnd: () => void;
}

export function* initialFrames(options: InitialFramesOptions): Generator<string, undefined, undefined> {
  const { welcome, modules, newerStates, missed, onEnd } = options;
  yield JSON.stringify(welcome);
  yield* framesOf(modules);
  for (let states = newerStates(); states !== null; states = newerStates()) yield `[${states}]`;
  yield JSON.stringify({ kind: "snapshotEnd", sequence: welcome.sequence } satisfies EngineMessage);
  yield* framesOf(missed);
  onEnd();
  return undefined;
}

/** As many messages in a frame as it takes. */
function* framesOf(messages: Iterable<EngineMessage>): Generator<string, void, undefined> {
  let texts: string[] = [];
  let length = 0;
  for (const message of messages) {
    const text = JSON.stringify(message);
    texts.push(text);
    length += text.length;
    if (length < FULL_FRAME) continue;
    yield `[${texts.join()}]`;
    texts = [];
    length = 0;
  }
  if (texts.length > 0) yield `[${texts.join()}]`;
}
