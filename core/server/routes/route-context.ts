// The context of a route's handler: that of a tool, and a way to call tools.

import type { CallScope } from "../../dispatch/call-context.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { callToolResult, isFailure, type ToolAnswer } from "../../dispatch/result.ts";
import { ToolError } from "../../error.ts";
import { digestOf, type RequestStates } from "../sdk/asking/request-states.ts";
import { type Browser, UNDECLARED_BROWSER } from "../../routes/browser.ts";
import type { CalledTool, RouteContext } from "../../routes/route.ts";
import type { ToolContext } from "../../tools/context.ts";
import type { Elicitation, ElicitationOutcome, Elicitor } from "../../tools/elicitation.ts";

interface Calling {
  readonly dispatcher: Dispatcher;
  readonly states: RequestStates;
  readonly scope: CallScope;
  /** Null for a route without `browser`. */
  readonly browser: Browser | null;
  /** Whether the sender may agree to a question. */
  readonly isPerson: boolean;
}

export function routeContext(context: ToolContext, calling: Calling): RouteContext {
  const { dispatcher, scope, browser } = calling;
  const callTool = async (name: string, rawArguments: unknown, agreed?: string) => {
    if (browser !== null && browser.session === null) throw notSignedIn();
    const elicitor = new PageElicitor(calling, agreed);
    const { signal, caller, access, freeSlot } = scope;
    const answer = await dispatcher.call(name, rawArguments, {
      signal,
      caller,
      access,
      elicitor,
      isPart: true,
      ...(freeSlot && { freeSlot }),
    });
    if (answer === null) {
      throw new ToolError("not_found", `This server offers no tool ${JSON.stringify(name)}.`, "See `mkt tools`.");
    }
    return calledTool(answer, elicitor.pending);
  };
  return { ...context, callTool, browser: browser ?? UNDECLARED_BROWSER };
}

function notSignedIn(): ToolError {
  return new ToolError("forbidden", "Nobody has signed in in this browser; nothing was sent.", "Sign in first.");
}

function calledTool(answer: ToolAnswer, pending: PageQuestion | null): CalledTool {
  if (pending !== null) return pending;
  const result = answer.kind === "json" ? answer.value : callToolResult(answer) as unknown as Record<string, unknown>;
  return { kind: "result", isError: isFailure(answer), result };
}

type PageQuestion = Extract<CalledTool, { readonly kind: "question" }>;

/**
 * The person at the page has agreed if the request brings back the state of the question, which is that of an MCP client: it
 * is signed, holds once and for five minutes, and only for this call with these words. Otherwise the person is asked again.
 */
class PageElicitor implements Elicitor {
  readonly asksAlways = true;
  /** The question that the person has not agreed to; null if there is none. */
  pending: PageQuestion | null = null;

  constructor(
    private readonly calling: Pick<Calling, "states" | "scope" | "isPerson">,
    private readonly agreed: string | undefined,
  ) {}

  async elicit({ message, call }: Elicitation): Promise<ElicitationOutcome> {
    const { states, scope: { caller = null }, isPerson } = this.calling;
    if (!isPerson) return "agent";
    const asked = digestOf(call);
    if (this.agreed !== undefined && (await states.take(this.agreed, caller))?.asked === asked) return "agreed";
    this.pending = { kind: "question", question: message, state: await states.mint({ asked }, caller) };
    return "pending";
  }
}
