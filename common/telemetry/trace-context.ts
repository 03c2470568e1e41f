// The context of a trace between processes: the fields `traceparent` and `tracestate` of W3C Trace Context. They come in HTTP
// headers, in `_meta` of an MCP request, and in a request to the engine.
//
// A wrong traceparent is ignored together with its tracestate, and a wrong tracestate alone, as the specification says
// (https://www.w3.org/TR/trace-context/, sections 3.2 and 3.3).

export interface TraceContext {
  /** 32 lowercase hexadecimal digits. */
  readonly traceId: string;
  /** 16 lowercase hexadecimal digits. */
  readonly spanId: string;
  /** Whether whoever began the trace records it. */
  readonly isSampled: boolean;
  /** What tracing systems add for themselves; null if there is nothing. */
  readonly state: string | null;
}

/** The two fields, as they are sent. */
export interface TraceFields {
  readonly traceparent: string;
  readonly tracestate?: string;
}

const VERSION_0 = "00";
const FORBIDDEN_VERSION = "ff";
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** Longer ones are ignored: a sender must pass on at least 512 characters, and real ones are far shorter. */
const MAX_STATE_CHARACTERS = 4096;
const MAX_MEMBERS = 32;
/** A key, with or without the system of its tenant, and a value. */
const MEMBER =
  /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** Null if `traceparent` is missing or wrong. */
export function parseTraceContext(traceparent: unknown, tracestate: unknown = undefined): TraceContext | null {
  if (typeof traceparent !== "string") return null;
  const [, version = "", traceId = "", spanId = "", flags = "", rest] = TRACEPARENT.exec(traceparent) ?? [];
  // A later version may have more fields at the end, but no other meaning of the first four.
  if (version === "" || version === FORBIDDEN_VERSION || (version === VERSION_0 && rest !== undefined)) return null;
  if (isZero(traceId) || isZero(spanId)) return null;
  const isSampled = (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED;
  return { traceId, spanId, isSampled, state: parsedState(tracestate) };
}

export function traceFields({ traceId, spanId, isSampled, state }: TraceContext): TraceFields {
  const traceparent = `${VERSION_0}-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
  return state === null ? { traceparent } : { traceparent, tracestate: state };
}

function isZero(id: string): boolean {
  return /^0+$/.test(id);
}

/** Null if there is none or it is wrong. */
function parsedState(state: unknown): string | null {
  if (typeof state !== "string" || state.length > MAX_STATE_CHARACTERS) return null;
  const members = state.split(",").map((member) => member.replace(/^[ \t]+|[ \t]+$/g, "")).filter((member) =>
    member !== ""
  );
  const keys = new Set(members.map((member) => member.slice(0, member.indexOf("="))));
  if (members.length === 0 || members.length > MAX_MEMBERS || keys.size < members.length) return null;
  return members.every((member) => MEMBER.test(member)) ? members.join(",") : null;
}
