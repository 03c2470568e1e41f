// What the table of docs/mcp.md tells: which client can use which part of mkt, on which revision of the protocol and over
// which transport.

/** The rows of the table. */
export const FEATURES = {
  discover: "`server/discover`",
  tools: "tools: list, call",
  resources: "resources: list, read",
  templates: "resource templates: list, read",
  parameterCompletion: "completion of a template's parameter",
  prompts: "prompts: list, get",
  argumentCompletion: "completion of a prompt's argument",
  subscription: "subscription to a resource: an update comes",
  unsubscription: "end of a subscription: no more updates come",
  listChanges: "message that the list of resources has changed",
  progress: "progress of a call, while it runs",
  cancellation: "cancellation of a call: its wait ends on the server",
  confirmation: "confirmation by a person (`MKT_CONFIRM=elicit`)",
  caching: "cache times",
  logging: "log messages of a pack, during a call",
} as const;

export type Feature = keyof typeof FEATURES;

/** Why a client can't use a feature. A probe gives one of them only after it has seen what the text says. */
export const REASONS = {
  initialize: "Older revisions have no `server/discover`: they begin with `initialize`.",
  noCacheTimes: "Older revisions have no cache times.",
  noChannel:
    "Older revisions need a channel for messages beside the answers, and over HTTP mkt has none: it keeps no " +
    "sessions. The server's capability says so, and a request is refused.",
  noSession: "On older revisions, no session links the requests of a client over HTTP, so a person's answer or a " +
    "cancellation can't be matched with a call.",
  noElicitation: "The client can't ask a person, so the call is refused.",
  noCommand: "The client has no command for it.",
  notShown: "The client does not show it.",
} as const;

export type Reason = keyof typeof REASONS;

/** `yes` if the client has used the feature, and its effect was seen. */
export type Outcome = "yes" | Reason;

export type Transport = "stdio" | "http";
export const TRANSPORTS: readonly Transport[] = ["stdio", "http"];

export const MODERN = "2026-07-28";
export const LEGACY = "2025-11-25";
export type Revision = typeof MODERN | typeof LEGACY;

/** A column of the table: a client on one revision. Its cells are about both transports. */
export const COLUMNS = {
  clientModern: { client: "`client` 2.4", revision: MODERN },
  clientLegacy: { client: "`client` 2.4", revision: LEGACY },
  sdk: { client: "`sdk` 1.32", revision: LEGACY },
  inspectorModern: { client: "Inspector `--cli`", revision: MODERN },
  inspectorLegacy: { client: "Inspector `--cli`", revision: LEGACY },
  sessionModern: { client: "Inspector `mcpdo`", revision: MODERN },
  sessionLegacy: { client: "Inspector `mcpdo`", revision: LEGACY },
} as const;

export type Column = keyof typeof COLUMNS;

/** Uses one feature, and tells what happened. Throws if neither the effect nor a known reason was seen. */
type Probe = () => Promise<Outcome>;
export type Probes = Readonly<Record<Feature, Probe>>;
