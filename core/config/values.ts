// How the values of environment variables are parsed. Plain functions without a library, because the configuration is read
// before anything else is loaded.

import { isAbsolute } from "node:path";

export type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  /** Each is the rest of a sentence that begins with the variable's name. */
  | { readonly ok: false; readonly faults: readonly string[] };

/** Parses a text that is not empty. */
type Parse<Value> = (text: string) => Parsed<Value>;

export interface Variable<Value> {
  readonly parse: Parse<Value>;
  /** What holds if the variable is not set. */
  readonly absent: Parsed<Value>;
  /** Without the variable more is allowed, or less is recorded. So a name that is a mistyped one is a fault. */
  readonly isGuardrail?: true;
}

export function required<Value>(parse: Parse<Value>, example: string): Variable<Value> {
  return { parse, absent: invalid(`is required: ${example}`) };
}

export function withDefault<Value>(parse: Parse<Value>, value: NoInfer<Value>): Variable<Value> {
  return { parse, absent: valid(value) };
}

export function optional<Value>(parse: Parse<Value>): Variable<Value | undefined> {
  return { parse, absent: valid(undefined) };
}

export function guardrail<Value>(variable: Variable<Value>): Variable<Value> {
  return { ...variable, isGuardrail: true };
}

export const text: Parse<string> = valid;

export const flag: Parse<boolean> = (given) => {
  if (given === "1" || given === "true") return valid(true);
  return given === "0" || given === "false" ? valid(false) : invalid("must be 1, true, 0 or false");
};

export const list: Parse<readonly string[]> = (given) =>
  valid(given.split(",").map((item) => item.trim()).filter((item) => item !== ""));

/** A value that is sent in an HTTP header. */
export const headerText: Parse<string> = matching(/^[\x21-\x7e]{1,4096}$/, "must be printable ASCII without spaces");

/** A user id, which is sent in an HTTP header, too. Both faults of a value are named. */
export const userId: Parse<string> = (given) => {
  const parsed = headerText(given);
  if (given.length <= MAX_USER_ID_LENGTH) return parsed;
  return invalid(
    ...(parsed.ok ? [] : parsed.faults),
    `must have at most ${MAX_USER_ID_LENGTH} characters`,
  );
};

const MAX_USER_ID_LENGTH = 200;

export const host: Parse<string> = matching(/^[^\s/]+$/, "must be a host name or address, without a scheme");

/** With a port or without; ready for a URL. */
export const hostAndPort: Parse<string> = (given) => {
  const url = URL.parse(`ws://${given}/`);
  const isHost = url !== null && /^[^\s/?#@\\]+$/.test(given);
  return isHost
    ? valid(given)
    : invalid("must be a host name or address and a port, such as localhost:3001 or [::1]:3001");
};

/** Absolute, so that commands in any folder use the same file. */
export const absolutePath: Parse<string> = (given) =>
  isAbsolute(given) ? valid(given) : invalid("must be an absolute path");

export const callLogTarget: Parse<string> = (given) => given === "stderr" ? valid(given) : absolutePath(given);

export function integer(minimum: number, maximum: number): Parse<number> {
  const fault = invalid(`must be a whole number from ${minimum} to ${maximum}`);
  return (given) => {
    const number = /^\d{1,15}$/.test(given) ? Number(given) : NaN;
    return number >= minimum && number <= maximum ? valid(number) : fault;
  };
}

export function positive(unit: string): Parse<number> {
  const fault = invalid(`must be a number of ${unit} above 0`);
  return (given) => {
    const number = /^\d{1,15}(\.\d{1,6})?$/.test(given) ? Number(given) : NaN;
    return number > 0 ? valid(number) : fault;
  };
}

export function url(...protocols: readonly string[]): Parse<string> {
  const fault = invalid(
    `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
  );
  return (given) => protocols.includes(URL.parse(given)?.protocol ?? "") ? valid(given) : fault;
}

/** Part of the names of keys, so without characters that Redis or its access lists interpret. */
export const redisNamespace: Parse<string> = matching(
  /^[A-Za-z0-9._-]{1,64}$/,
  "must be 1 to 64 letters, digits, dots, hyphens and underscores",
);

const NO_CLUSTER = invalid(
  "Redis Cluster and Sentinel are not supported: give the address of one server, or of a service that has one",
);
const REDIS_FORMS = invalid(
  "must be redis://host:port/database, rediss:// for TLS, or redis+unix:///path; encode special characters of a password",
);

/**
 * `redis://user:password@host:port/database`, of which only the host is needed. One server: the client knows neither Redis
 * Cluster nor Sentinel.
 */
export const redisUrl: Parse<string> = (given) => {
  const [, scheme = "", addresses = ""] = /^([^:]*):\/\/(?:[^/]*@)?([^/]*)/.exec(given) ?? [];
  if (/cluster|sentinel/i.test(scheme) || addresses.includes(",")) return NO_CLUSTER;
  const url = URL.parse(given);
  if (url === null || url.search !== "" || url.hash !== "") return REDIS_FORMS;
  const { protocol, hostname, pathname } = url;
  const isSocket = protocol === "redis+unix:" && hostname === "" && pathname.length > 1;
  const isAddress = ["redis:", "rediss:"].includes(protocol) && hostname !== "" && /^(\/\d{0,5})?$/.test(pathname);
  return isSocket || isAddress ? valid(given) : REDIS_FORMS;
};

export function oneOf<const Name extends string>(names: readonly Name[], message: string): Parse<Name> {
  const fault = invalid(message);
  return (given) => {
    const name = names.find((each) => each === given);
    return name === undefined ? fault : valid(name);
  };
}

function matching(pattern: RegExp, message: string): Parse<string> {
  const fault = invalid(message);
  return (given) => pattern.test(given) ? valid(given) : fault;
}

function valid<Value>(value: Value): Parsed<Value> {
  return { ok: true, value };
}

function invalid(...faults: readonly string[]): Parsed<never> {
  return { ok: false, faults };
}
