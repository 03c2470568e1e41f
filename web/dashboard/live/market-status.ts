// The market's status in one word, and how urgent it is.

import type { Tone } from "../../components/badge.tsx";
import type { IconName } from "../../components/icon.tsx";
import type { Market } from "../../contract/market.ts";

interface StatusWord {
  readonly word: string;
  readonly tone: Tone;
  readonly icon: IconName;
}

const WORDS: Readonly<Record<Market["status"], StatusWord>> = {
  open: { word: "Open", tone: "good", icon: "play" },
  preopen: { word: "Preopen", tone: "info", icon: "clock" },
  closed: { word: "Closed", tone: "neutral", icon: "lock" },
  halted: { word: "HALTED", tone: "danger", icon: "stop" },
};

export function statusWord({ status, halted }: Pick<Market, "status" | "halted">): StatusWord {
  return WORDS[halted ? "halted" : status];
}

/** Of a market of which nothing new is known. */
export function formerStatus(market: Pick<Market, "status" | "halted">): StatusWord {
  return { word: `Was ${statusWord(market).word.toLowerCase()}`, tone: "neutral", icon: "clock" };
}

/** What the window's title begins with, the most urgent first; empty if all is well. */
export interface Alarms {
  readonly isHalted: boolean;
  readonly isFrozen: boolean;
  /** The page has no contact with its server, or the server none with the market. */
  readonly isAway: boolean;
}

/** `HALTED - Spot prices - mkt`. */
export function windowTitle(page: string, alarms: Alarms, isControl: boolean): string {
  const { isHalted, isFrozen, isAway } = alarms;
  const words = [isHalted && "HALTED", isFrozen && "FROZEN", isAway && "NOT LIVE", isControl && "CONTROL"];
  return [...words, page, "mkt"].filter(Boolean).join(" - ");
}
