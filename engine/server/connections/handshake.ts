// The handshake: checks the hello of a new connection.
//
// The order of the checks matters. The protocol version comes first, because another version may change the rest of the
// hello. The user's rate comes last, because checking it consumes it.

import { mayActAs, type TokenStore } from "../../../common/http/token-store.ts";
import { type ClientMessage, PROTOCOL_VERSION } from "../../../protocol/index.ts";
import type { EngineUser } from "../../api/market-engine.ts";
import type { EngineHost } from "../host/engine-host.ts";
import type { EngineLimits } from "../../../common/http/guards/engine-limits.ts";
import type { UserRates } from "../../../common/http/guards/user-rates.ts";
import { fieldOf, parseClientMessage, type Refusal } from "./client-messages.ts";

export interface HandshakeOptions {
  readonly host: EngineHost;
  readonly tokens: TokenStore;
  readonly limits: EngineLimits;
  readonly rates: UserRates;
}

export type Hello = Extract<ClientMessage, { kind: "hello" }>;

export interface Handshake {
  readonly hello: Hello;
  readonly user: EngineUser;
}

/** A hello counts as this many messages, because a snapshot is made for it. */
const HELLO_COST = 20;

export function checkHello(message: unknown, { host, tokens, limits, rates }: HandshakeOptions): Handshake | Refusal {
  if (fieldOf(message, "kind") !== "hello") {
    return { code: "invalid_message", message: "the first message must be a hello" };
  }
  const protocol = fieldOf(message, "protocol");
  if (typeof protocol === "number" && protocol !== PROTOCOL_VERSION) {
    const message = `protocol version ${protocol} is not supported; this engine speaks version ${PROTOCOL_VERSION}`;
    return { code: "unsupported_protocol", message };
  }
  const hello = parseClientMessage(message);
  if (typeof hello === "string") return { code: "invalid_message", message: hello };
  if (hello.kind !== "hello") throw new Error(`a hello was parsed as ${hello.kind}`);
  const refusal = tokenRefusal(tokens, hello.token, hello.userId);
  if (refusal !== null) return refusal;
  const user = host.engine.user(hello.userId);
  if (user === undefined) return { code: "unknown_user", message: `no user with id "${hello.userId}"` };
  if (host.subscribers.countOf(user.id) >= limits.connectionsPerUser) {
    const message = `user "${user.id}" has ${limits.connectionsPerUser} connections already`;
    return { code: "too_many_connections", message };
  }
  const excess = rates.of(user.id).takeMessage(HELLO_COST);
  return excess === null ? { hello, user } : { code: "rate_limited", message: excess.message };
}

/** Null if the token may act as the user. */
export function tokenRefusal(tokens: TokenStore, token: string | undefined, userId: string): Refusal | null {
  const holder = tokens.identify(token);
  if (holder === null) return { code: "unauthorized", message: "the token is missing or wrong" };
  if (mayActAs(holder, userId)) return null;
  return { code: "user_not_covered", message: `the token "${holder.name}" may not act as user "${userId}"` };
}
