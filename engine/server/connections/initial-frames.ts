// The frames that a new connection gets first: welcome, snapshot, and the missed events of a connection that resumes.
// Each is made when the connection takes it.
//
// The market may change while the snapshot is sent. Each module is read when it is sent. If it changes afterwards, its
// new state is sent before the snapshot ends. So the snapshot shows the market at its end, later than the welcome. Live
// events since the welcome follow the snapshot.

import type { EngineMessage } from "../../../protocol/index.ts";
import type { EngineUser } from "../../api/market-engine.ts";
import type { PublishedEvent, PublishedMessage } from "../../api/messages.ts";
import { maySee } from "../../api/visibility.ts";
import type { EngineHost } from "../host/engine-host.ts";
import type { Gap } from "../publication/event-history.ts";
import type { Handshake, Hello } from "./handshake.ts";
import { FULL_FRAME } from "../publication/visibility-class.ts";

interface InitialFramesOptions extends Handshake {
  readonly host: EngineHost;
  readonly engineId: string;
  /** Whether requests may carry a trace context. */
  readonly acceptsTraces: boolean;
  /** Live states since the snapshot began, serialised and separated by commas; null if there are none. */
  readonly takeStates: () => string | null;
  readonly onEnd: () => void;
}

/** The caller must have flushed the host, since the welcome has its newest event number. */
export function initialFrames(options: InitialFramesOptions): Iterator<string, undefined> {
  const { host, engineId, acceptsTraces, hello, user, takeStates, onEnd } = options;
  const { epoch, sequence } = host.engine;
  const welcome: EngineMessage = {
    kind: "welcome",
    engineId,
    userId: user.id,
    entityId: user.entityId,
    capabilities: [...user.permissions],
    epoch,
    sequence,
    ...(acceptsTraces && { traceContext: true }),
    ...host.times,
  };
  const modules = host.snapshot(user);
  const missed = missedEvents(host, hello, user);

  function* frames(): Generator<string, undefined, undefined> {
    yield JSON.stringify(welcome);
    yield* framesOf(modules);
    for (let states = takeStates(); states !== null; states = takeStates()) yield `[${states}]`;
    // Everything up to the newest event is in the snapshot now.
    yield JSON.stringify({ kind: "snapshotEnd", sequence: host.engine.sequence } satisfies EngineMessage);
    yield* framesOf(missed);
    onEnd();
    return undefined;
  }
  return frames();
}

/** The events after the last one that the client saw; none if that event is of another epoch. */
function missedEvents(host: EngineHost, { resume }: Hello, user: EngineUser): Iterable<PublishedEvent | Gap> {
  if (resume === undefined || resume.epoch !== host.engine.epoch) return [];
  const history = host.readHistory();
  const { epoch, sequence } = host.engine;
  const missed = history.after(Math.max(resume.sequence, epoch), sequence);
  return missed.filter((message) => message.kind === "gap" || maySee(user, message.audience));
}

/** Puts messages together into full frames. */
function* framesOf(messages: Iterable<PublishedMessage | Gap>): Generator<string, void, undefined> {
  let texts: string[] = [];
  let length = 0;
  for (const message of messages) {
    const text = message.kind === "gap" ? JSON.stringify(message satisfies EngineMessage) : message.text;
    texts.push(text);
    length += text.length;
    if (length < FULL_FRAME) continue;
    yield `[${texts.join()}]`;
    texts = [];
    length = 0;
  }
  if (texts.length > 0) yield `[${texts.join()}]`;
}
