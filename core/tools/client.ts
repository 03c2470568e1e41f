// The client that made a call, as the handler of a tool or of a prompt uses it: what it can do, asking it for input, and
// logging to it. Only for tools and prompts that declare `usesClient`.
//
// A handler that needs input returns an InputRequired. The client repeats the same call with its answers, and the handler runs
// again from its beginning. So a handler first looks at `responses`, and does nothing that it may not do twice before it has
// all of them. On protocol 2026-07-28 that works on stdio and over HTTP. Clients of older protocols are asked over their
// connection, which only stdio has; over HTTP such a call ends in an error that says so.

import type { ClientCapabilities, InputRequests, LoggingLevel } from "@modelcontextprotocol/server";
import { ToolError } from "../error.ts";

interface RequiredInput {
  /**
   * The requests, each under a name of the handler's choice: `elicitation/create`, `sampling/createMessage` or `roots/list`,
   * with its params. At least one.
   */
  readonly requests: InputRequests;
  /**
   * What the handler wants to know again in the repeated call, as JSON. mkt signs it, so the client can read it, but not change
   * it, nor use it in another call, for another user, twice, or after 5 minutes.
   */
  readonly state?: unknown;
}

/** What a handler returns if it needs input of the client before it can give its result. */
export class InputRequired {
  readonly requests: InputRequests;
  readonly state: unknown;

  constructor({ requests, state }: RequiredInput) {
    if (Object.keys(requests).length === 0) throw new TypeError("an InputRequired needs at least one request");
    this.requests = requests;
    this.state = state;
  }
}

export interface Client {
  /**
   * What the client can do, such as `elicitation`, `sampling` and `roots`. Empty if it can't be asked anything: over HTTP with
   * a protocol before 2026-07-28, and in a shell.
   */
  readonly capabilities: ClientCapabilities;
  /**
   * The answers of the client, by the names of the requests; empty in a first call. Only what the client says: an answer may be
   * missing, of another form, or to no request at all. A handler that must know that it has asked gives a `state`.
   */
  readonly responses: Readonly<Record<string, unknown>>;
  /** The `state` of the InputRequired that the client answers; undefined if there was none. It is as the handler gave it. */
  readonly state: unknown;
  /**
   * Sends a log message to the client during the call, if the client wants messages of this level: on protocol 2026-07-28 by
   * the level in the request, on stdio before it by logging/setLevel. `data` is JSON. Never throws.
   */
  log(level: LoggingLevel, data: unknown): Promise<void>;
}

/** The client as the dispatcher knows it. */
export interface AskingClient extends Client {
  /** Keeps what the call needs, and gives the error that the call ends with: InputPending if the client is asked. */
  ask(required: InputRequired): ToolError;
}

/** The client is asked, and repeats the call with the answer. The call has not been refused yet. */
export class InputPending extends ToolError {}

/** The error of a call that must ask a client that can't be asked. */
export function cantBeAsked({ requests }: InputRequired, reason: string, hint: string): ToolError {
  const methods = [...new Set(Object.values(requests).map(({ method }) => method))].join(", ");
  return new ToolError("forbidden", `This call must ask its client (${methods}), and ${reason}.`, hint);
}

/** A caller that is no MCP client. */
export const NO_CLIENT: AskingClient = {
  capabilities: {},
  responses: {},
  state: undefined,
  log: () => Promise.resolve(),
  ask: (required) => cantBeAsked(required, "a shell can't be asked", "Call it from an MCP client."),
};

/** For a handler that uses the client without having declared it, so its calls take ways on which nobody can be asked. */
export const UNDECLARED_CLIENT: AskingClient = {
  get capabilities(): never {
    throw undeclared();
  },
  get responses(): never {
    throw undeclared();
  },
  get state(): never {
    throw undeclared();
  },
  log: () => {
    throw undeclared();
  },
  ask: () => {
    throw undeclared();
  },
};

function undeclared(): TypeError {
  return new TypeError(
    "only a tool or a prompt with usesClient: true can use context.client or return an InputRequired",
  );
}
