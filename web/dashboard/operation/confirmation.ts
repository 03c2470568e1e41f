// Whatever changes something is confirmed first, by words that say what will be done, and shows its outcome afterwards. There
// is one confirmation at a time.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { ToolReply } from "../../contract/calls.ts";
import { callTool } from "../live/server.ts";
import { type Outcome, outcomeOf, outcomeOfError } from "./outcome.ts";

/** What the person reads. */
export interface Words {
  /** What is done to what: `Halt Plains Power Exchange`. */
  readonly title: string;
  /** What follows from it, in a sentence or two. */
  readonly effect: ComponentChildren;
  /** On the button: a verb, such as `Halt market`. */
  readonly verb: string;
  /** Where to look if the outcome is unknown. */
  readonly check?: string;
  /** The tool always asks a question of its own, which is shown in place of `effect`. */
  readonly serverAsks?: boolean;
  /** It interrupts or destroys something. */
  readonly isDangerous?: boolean;
}

type Step =
  /** The server is asked for its question. */
  | { readonly kind: "asking" }
  /** `question`: the server's words, to which the person agrees; null: the page's. */
  | { readonly kind: "confirm"; readonly question: string | null }
  | { readonly kind: "working" }
  | { readonly kind: "done"; readonly outcome: Outcome; readonly canRepeat: boolean };

export interface Confirmation {
  readonly words: Words;
  readonly step: Step;
  /** Does it, or does it again. */
  readonly agree: () => void;
  readonly close: () => void;
}

/** What the dialog shows; null: nothing. */
export const confirmation = signal<Confirmation | null>(null);

/** Nobody agrees to what belongs to a page they have left. What is under way stays until its outcome is known. */
export function closeWithPage(): void {
  const shown = confirmation.peek();
  if (shown !== null && shown.step.kind !== "working") shown.close();
}

/** Tools without the argument idempotencyKey. A repeated call of theirs could do a thing twice. */
export const WITHOUT_KEY: ReadonlySet<string> = new Set([
  "mkt_connect_pubsub",
  "mkt_disconnect_pubsub",
  "mkt_sim_start",
  "mkt_sim_stop",
  "mkt_sim_trigger_event",
]);

/**
 * Asks the person, calls the tool and shows the outcome. Resolves once the dialog is closed. A repetition after an unknown
 * outcome has the same idempotencyKey, so nothing is done twice.
 */
export function confirmAndCall(tool: string, given: Readonly<Record<string, unknown>>, words: Words): Promise<Outcome> {
  const takesKey = !WITHOUT_KEY.has(tool);
  const idempotencyKey = newKey();
  const call = { ...given, ...(takesKey && { idempotencyKey }) };
  return confirmAndRun(words, (agreed) => callTool(tool, { arguments: call, agreed }), { isRepeatable: takesKey });
}

/** As confirmAndCall, for what is no tool. `isRepeatable`: done twice is the same as done once. */
export function confirmAndRun(
  words: Words,
  run: (agreed: string | undefined) => Promise<ToolReply>,
  { isRepeatable }: { readonly isRepeatable: boolean },
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  let agreed: string | undefined;
  let isClosed = false;
  const show = (step: Step) => {
    if (isClosed) return;
    confirmation.value = { words, step, agree: () => void agree(), close: () => close(step) };
  };
  const close = (step: Step) => {
    isClosed = true;
    confirmation.value = null;
    resolve(step.kind === "done" ? step.outcome : { kind: "cancelled" });
  };
  const send = async (during: Step) => {
    show(during);
    show(await attempt());
  };
  const attempt = async (): Promise<Step> => {
    try {
      const reply = await run(agreed);
      if (reply.kind === "result") return done(outcomeOf(reply), isRepeatable);
      agreed = reply.state;
      return { kind: "confirm", question: reply.question };
    } catch (error) {
      return done(outcomeOfError(error), isRepeatable);
    }
  };
  const agree = () => send({ kind: "working" });
  if (words.serverAsks) void send({ kind: "asking" });
  else show({ kind: "confirm", question: null });
  return promise;
}

function done(outcome: Outcome, isRepeatable: boolean): Step {
  const canRepeat = outcome.kind === "failed" || (outcome.kind === "unknown" && isRepeatable);
  return { kind: "done", outcome, canRepeat };
}

/** An idempotencyKey. A page without TLS, but for localhost, has no crypto.randomUUID. */
export function newKey(): string {
  return crypto.randomUUID?.() ??
    [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
