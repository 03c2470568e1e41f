// The session of a browser (web/contract/session.ts). The page asks with GET first, and shows the sign-in if `access` is null.
// POST signs in, and DELETE signs out; the browser keeps the cookie by itself.
//
// Every request that is no GET repeats the session's `requestToken` in the header X-Mkt-Request, or `none` without one. So each
// answer here replaces the token that the page has. 401: the session has ended; 403 `session_changed`: another tab has changed
// it. In both cases the page asks with GET again. The event stream ends with the session; its next request gets 401.
//
// `control` always needs a person's token again: 403 for an agent's. From `control` back to `view` none is needed. Without
// tokens a session is only needed for `control`, and POST needs no token.

import { z } from "zod";
import { ToolError } from "../../core/error.ts";
import type { RouteContext, RouteRequest } from "../../core/routes/route.ts";
import type { SessionState, SignIn } from "../../web/contract/session.ts";
import { jsonAnswer } from "./json-answer.ts";

/** A token has at most 4096 characters (common/http/token-file.ts). */
const signInSchema = z.strictObject({
  token: z.string().min(1).max(4096).optional(),
  access: z.enum(["view", "control"]),
});

export function session(context: RouteContext): Response {
  const { browser, server: { version } } = context;
  const { access = null, caller = null, requestToken = null, endsAt = null } = browser.session ?? {};
  const state: SessionState = {
    version,
    needsToken: browser.needsToken,
    access,
    caller,
    requestToken,
    expiresAt: endsAt === null ? null : new Date(endsAt).toISOString(),
    offersControl: browser.offersControl,
  };
  return jsonAnswer(state);
}

export async function signIn(request: RouteRequest, context: RouteContext): Promise<Response> {
  const { access, token } = signInOf(request.json());
  return await context.browser.signIn(access, token) ?? session(context);
}

export function signOut(context: RouteContext): Response {
  context.browser.signOut();
  return session(context);
}

/** Throws ToolError `invalid_input`, whose message has nothing of the body. */
function signInOf(body: unknown): SignIn {
  const parsed = signInSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ToolError(
    "invalid_input",
    "The request is no sign-in.",
    'Send {"access": "view" or "control", "token": "..."} as JSON; a token has at most 4096 characters.',
  );
}
