// The session of this browser: who has signed in, what they may do, and until when. The page under /control operates the
// market; the one under / only looks, whatever the session would allow.

import { computed, signal } from "@preact/signals";
import type { Access, SessionState, SignIn } from "../../contract/session.ts";
import { send, sendOnce, sessionHooks } from "./server.ts";

const PATH = "/dashboard/session";

/** Tells the other tabs of this browser that the session has changed: they share its cookie. */
const tabs = new BroadcastChannel("mkt-session");
export const CONTROL_PATH = "/control";

/** Null: not asked yet. */
export const session = signal<SessionState | null>(null);

/** Of the server, if it is another one than when the page was opened; else null. */
export const newVersion = signal<string | null>(null);
let firstVersion: string | null = null;

/**
 * Windows with the same key may share what they read: they show the same page, in the same session, by the same version of the
 * program. Null: nobody may see the market. The request token is another one in each session, and known to its pages alone.
 */
export const streamKey = computed(() => {
  const { access = null, requestToken = null } = session.value ?? {};
  return access === null ? null : `mkt ${location.pathname} ${firstVersion} ${requestToken}`;
});

/** Why somebody must sign in again; null: they never have. */
export const endReason = signal<string | null>(null);

/** Whether this page is the one for control; with or without a session for it. */
export const isControlPage = location.pathname === CONTROL_PATH;

/** Whether this page may show what changes something. */
export const isControl = computed(() => isControlPage && session.value?.access === "control");

/** Asks the server. Throws RequestError, or TypeError if it can't be reached. */
export async function askSession(): Promise<void> {
  keep(await sendOnce("GET", PATH) as SessionState);
}

/** Throws RequestError 401 if the token is wrong. */
export async function signIn(access: Access, token?: string): Promise<void> {
  const body: SignIn = token === undefined ? { access } : { access, token };
  endReason.value = null;
  keep(await sendSignIn(body));
  tabs.postMessage("changed");
}

export async function signOut(): Promise<void> {
  const before = session.peek();
  keep(await send("DELETE", PATH) as SessionState);
  tabs.postMessage("changed");
  endReason.value = before?.caller === null ? null : "You have signed out.";
}

/** From control back to looking: without control this page has nothing to show. */
export async function leaveControl(): Promise<void> {
  await signIn("view");
  location.assign(`/${location.hash}`);
}

export function openControl(): void {
  location.assign(`${CONTROL_PATH}${location.hash}`);
}

/** Another tab may have signed in or out meanwhile; then the server is asked for the new session first. */
async function sendSignIn(body: SignIn): Promise<SessionState> {
  await askSession();
  return await sendOnce("POST", PATH, body) as SessionState;
}

let endTimer = 0;

function keep(state: SessionState): void {
  const before = session.peek();
  sessionHooks.requestToken = state.requestToken ?? "none";
  const had = before?.access ?? null;
  if (had !== null && state.access !== had && state.access !== "control") endReason.value = reasonOfEnd(before!);
  firstVersion ??= state.version;
  session.value = state;
  newVersion.value = state.version === firstVersion ? null : state.version;
  clearTimeout(endTimer);
  if (state.expiresAt === null) return;
  const left = Date.parse(state.expiresAt) - Date.now();
  // The server decides; its clock may differ.
  if (left > 0) endTimer = setTimeout(checkSession, Math.min(left + 1_000, 2 ** 31 - 1)) as unknown as number;
}

/** Asks again, because it may have changed. The stream notices a server that is away. */
export function checkSession(): void {
  askSession().catch(() => {});
}

function reasonOfEnd({ access, expiresAt }: SessionState): string {
  const what = access === "control" ? "Control" : "Your session";
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now() + 2_000) return `${what} has expired.`;
  return `${what} has ended: the token was changed or withdrawn, the server was restarted, or another tab has ended it.`;
}

sessionHooks.hasChanged = askSession;
tabs.onmessage = checkSession;
