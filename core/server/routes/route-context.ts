// The context of a route's handler: that of a tool, and a way to call tools.

import type { CallScope } from "../../dispatch/call-context.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { callToolResult, isFailure, type ToolAnswer } from "../../dispatch/result.ts";
import { ToolError } from "../../error.ts";
import { type Browser, UNDECLARED_BROWSER } from "../../routes/browser.ts";
import type { CalledTool, RouteContext } from "../../routes/route.ts";
import type { ToolContext } from "../../tools/context.ts";
import type { Elicitation, ElicitationOutcome, Elicitor } from "../../tools/elicitation.ts";

interface Calling {
  readonly dispatcher: Dispatcher;
  readonly scope: CallScope;
  /** Null for a route without `browser`. */
  readonly browser: Browser | null;
}

export function routeContext(context: ToolContext, { dispatcher, scope, browser }: Calling): RouteContext {
  const callTool = async (name: string, rawArguments: unknown, agreed?: string) => {
    if (browser !== null && browser.session === null) throw notSignedIn();
    const elicitor = new PageElicitor(agreed);
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

function calledTool(answer: ToolAnswer, question: string | null): CalledTool {
  if (question !== null) return { kind: "question", question };
  const result = answer.kind === "json" ? answer.value : callToolResult(answer) as unknown as Record<string, unknown>;
  return { kind: "result", isError: isFailure(answer), result };
}

/** The person at the page has agreed to a question if the request repeats its words. */
class PageElicitor implements Elicitor {
  readonly asksAlways = true;
  /** The question that the person has not agreed to; null if there is none. */
  pending: string | null = null;

  constructor(private readonly agreed: string | undefined) {}

  elicit({ message }: Elicitation): Promise<ElicitationOutcome> {
    if (message === this.agreed) return Promise.resolve("agreed");
    this.pending = message;
    return Promise.resolve("pending");
  }
}
