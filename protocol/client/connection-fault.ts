// Why nothing came from an address, in plain words. The runtime's own sentences are for programmers ("Is the computer able to
// access the url?"), so none of them is ever shown: only the code of its error counts.
//
// A fault is a clause that follows the address: "http://host:3001: nothing there accepts a connection".

const CLOSED = "it closed the connection before its answer was complete";
const UNKNOWN_HOST = "its host name is unknown";
const SILENT = "it gave no answer in time";
const NO_TLS = "it does not speak TLS on this port, or not a version of it that mkt speaks";
const NO_HTTP = "it does not speak HTTP on this port";
const UNTRUSTED = "its TLS certificate is not trusted";

const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing there accepts a connection",
  ENOENT: "there is no such socket",
  ECONNRESET: CLOSED,
  ECONNABORTED: CLOSED,
  EPIPE: CLOSED,
  ERR_REDIS_CONNECTION_CLOSED: CLOSED,
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: "its host name can't be looked up now",
  EHOSTUNREACH: "no network leads there",
  ENETUNREACH: "no network leads there",
  ETIMEDOUT: SILENT,
  ABORT_ERR: SILENT,
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  EMFILE: "this process has too many files and connections open",
};

const KINDS: readonly (readonly [code: RegExp, fault: string])[] = [
  [/^HPE_/, NO_HTTP],
  [/CERT|SIGNATURE|ALTNAME/, UNTRUSTED],
  [/^ERR_SSL_/, NO_TLS],
];

/** One line without a full stop. `error` is what `fetch`, a socket or a client of Redis has thrown. */
export function connectionFault(error: unknown): string {
  const { code, name, message } = (error ?? {}) as { code?: unknown; name?: unknown; message?: unknown };
  if (name === "TimeoutError" || name === "AbortError") return SILENT;
  const status = /Expected 101 status code: (\d+)/.exec(String(message))?.[1];
  if (status !== undefined) return `it answered a WebSocket's request with status ${status}`;
  if (typeof code !== "string") return String(message ?? error).replaceAll(/\s+/g, " ");
  return FAULTS[code] ?? `${KINDS.find(([kind]) => kind.test(code))?.[1] ?? "the connection failed"} (${code})`;
}
