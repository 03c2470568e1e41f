// The alerts of whoever acts: their conditions, kept in the browser, and what has been raised since the page was opened. That
// is forgotten when another user acts. Only what the acting user may see is judged.
//
// Limits: the page must be open. What happened while it was closed, or without contact, raises nothing.

import { effect, signal } from "@preact/signals";
import type { CreditMatrix } from "../../contract/credit.ts";
import type { FeedEvent } from "../../contract/update.ts";
import { kept, owner } from "../kept/kept.ts";
import { keptList } from "../kept/kept-text.ts";
import { contractLabel } from "../live/listed-contracts.ts";
import { isAway } from "../live/liveness.ts";
import { marketNow } from "../live/market-clock.ts";
import { market, onEvents } from "../live/market-store.ts";
import { send } from "../live/server.ts";
import type { OwnFill, Words } from "./alert-words.ts";
import { type Condition, conditionOf, keyOf, MAX_CONDITIONS } from "./conditions.ts";
import { Judge } from "./judge.ts";
import { notify, playSound } from "./noise.ts";

export interface Alert extends Words {
  readonly id: number;
  /** Market time, milliseconds; null: unknown. */
  readonly at: number | null;
}

/** Raised alerts that are shown. */
const MAX_RAISED = 200;
/** A page that has been live for so long is taken to have recovered. */
const RECOVERED_MS = 10_000;
/** The shortest time between two readings of credit. */
const CREDIT_MS = 5_000;

const keptConditions = kept("alerts", (value) => keptList(value, MAX_CONDITIONS, conditionOf));
export const conditions = keptConditions.value;

const keptMute = kept("mute", (value) => value === true);
export const isMuted = keptMute.value;

/** Newest first. */
export const raised = signal<readonly Alert[]>([]);
/** Raised since somebody looked at the list. */
export const unseen = signal(0);

/** A condition that is there already stays once. */
export function addCondition(condition: Condition): void {
  const others = conditions.peek().filter((other) => keyOf(other) !== keyOf(condition));
  keptConditions.change([...others, condition].slice(-MAX_CONDITIONS));
}

export function removeCondition(condition: Condition): void {
  keptConditions.change(conditions.peek().filter((other) => keyOf(other) !== keyOf(condition)));
}

export function toggleMute(): void {
  keptMute.change(!isMuted.peek());
}

let judge = new Judge(contractLabel);
/** Whose conditions `judge` has. */
let person: string | null = null;
let last = 0;

/** The judge of whoever acts now. Nothing that was raised for somebody else is left. */
function judgeNow(): Judge {
  if (owner.value !== person) {
    person = owner.value;
    judge = new Judge(contractLabel);
    raised.value = [];
    unseen.value = 0;
  }
  judge.judgeBy(conditions.value);
  return judge;
}

function raise(words: readonly Words[]): void {
  if (words.length === 0) return;
  const alerts = words.map((each) => ({ ...each, id: ++last, at: marketNow.peek() }));
  raised.value = [...alerts.toReversed(), ...raised.peek()].slice(0, MAX_RAISED);
  unseen.value = unseen.peek() + alerts.length;
  if (isMuted.peek()) return;
  playSound();
  for (const alert of alerts) notify(alert);
}

/** Called once, by the page. */
export function watchAlerts(): void {
  effect(() => raise(judgeNow().contracts(market.contracts.value)));
  effect(() => raise(judgeNow().markets(market.markets.value)));
  watchConnection();
  watchCredit();
  onEvents((events, { continues }) => {
    // Events of before, which the page gets when it begins anew, are no news.
    if (continues) raise(judgeNow().fills(ownFills(events)));
  });
}

function watchConnection(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A page that has just been opened waits for nothing.
  let wasLive = false;
  let wasLost = false;
  effect(() => {
    const current = judgeNow();
    const isLive = !isAway.value && market.connection.value?.status === "connected";
    clearTimeout(timer);
    if (isAway.value) raise(current.connection(true));
    wasLost ||= wasLive && isAway.value;
    if (!isLive) return;
    wasLive = true;
    const recovered = () => {
      wasLost = false;
      raise(judgeNow().connection(false));
    };
    if (wasLost) timer = setTimeout(recovered, RECOVERED_MS);
    else recovered();
  });
}

function watchCredit(): void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const read = async () => {
    timer = null;
    const reader = judgeNow();
    const matrix = await readCredit();
    if (matrix !== null && reader === judgeNow()) {
      raise(reader.credit(matrix.pairs, market.connection.peek()?.entityId ?? null));
    }
  };
  effect(() => {
    const isWanted = judgeNow().wants("credit");
    if (market.creditRevision.value === null || !isWanted || isAway.value) return;
    timer ??= setTimeout(() => void read(), CREDIT_MS);
  });
}

/** Null if it can't be had: the next change of credit asks again. */
async function readCredit(): Promise<CreditMatrix | null> {
  try {
    return await send("GET", "/dashboard/credit") as CreditMatrix;
  } catch {
    // Without the permission, or without contact, there is nothing to judge.
    return null;
  }
}

function ownFills(events: readonly FeedEvent[]): OwnFill[] {
  const entityId = market.connection.peek()?.entityId ?? null;
  if (entityId === null) return [];
  return events.filter(({ type, data }) => type === "new.fill" && data["entityId"] === entityId)
    .map(({ data }) => data as unknown as OwnFill);
}
