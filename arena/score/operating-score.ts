// The score of an operating episode: the parts of the answer that are right and the states of the market that are as they must
// be, each by its weight, less what was done to others without need. 1 is all of it without harm; it may be negative.

import type { Fact, Truth } from "../incidents/truth.ts";
import type { Answer, Check, OperatingTerms } from "../scenario/operating-terms.ts";
import type { World } from "../world/world.ts";
import { checkShare } from "./checks.ts";
import type { Deeds } from "./deeds.ts";

interface Part {
  readonly name: string;
  /** From 0 to 1. */
  readonly share: number;
  readonly weight: number;
}

interface Harm {
  readonly kind: keyof OperatingTerms["harms"];
  /** The order, or what was changed. */
  readonly what: string;
  readonly cost: number;
}

export interface OperatingScore {
  readonly score: number;
  readonly parts: readonly Part[];
  readonly harms: readonly Harm[];
}

interface EndedEpisode {
  readonly world: World;
  readonly terms: OperatingTerms;
  readonly truth: Truth;
  readonly deeds: Deeds;
  /** Null if none was given. */
  readonly answer: Answer | null;
  /** The agent's. */
  readonly userId: string;
}

const DECIMALS = 1e6;

export function operatingScore({ world, terms, truth, deeds, answer, userId }: EndedEpisode): OperatingScore {
  const parts = [
    ...Object.entries(terms.answer).map(([name, field]): Part => ({
      name,
      share: rounded(answerShare(answer?.[name], truth.fact(field.truth), field)),
      weight: field.weight,
    })),
    ...terms.checks.flatMap((check): Part[] => {
      const share = checkShare(check, { world, truth, userId });
      return share === null ? [] : [{ name: nameOf(check), share, weight: check.weight }];
    }),
  ];
  const harms = harmsOf(terms, truth, deeds);
  const weight = parts.reduce((sum, part) => sum + part.weight, 0);
  const earned = parts.reduce((sum, part) => sum + part.weight * part.share, 0);
  const cost = harms.reduce((sum, harm) => sum + harm.cost, 0);
  return { score: rounded((weight === 0 ? 0 : earned / weight) - cost), parts, harms };
}

function harmsOf({ harms }: OperatingTerms, truth: Truth, { cancelled, changes }: Deeds): Harm[] {
  return [
    ...cancelled.filter(({ userId }) => !truth.isBlamed(userId))
      .map(({ orderId }): Harm => ({ kind: "order", what: orderId, cost: harms.order })),
    ...changes.filter(({ action, payload }) => !truth.isNeeded(action, payload))
      .map(({ kind, action }): Harm => ({ kind, what: action, cost: harms[kind] })),
  ];
}

function nameOf(check: Check): string {
  return check.kind === "one-order"
    ? check.kind
    : `${check.kind} ${check.kind === "traded-with" ? check.order : check.user}`;
}

interface HowToCompare {
  readonly inOrder: boolean;
  readonly tolerance: number;
}

/** How much of a field is right. A list of ids counts by precision and recall: 2 x hits / (given + true). */
export function answerShare(
  given: Answer[string],
  truth: Fact | undefined,
  { inOrder, tolerance }: HowToCompare,
): number {
  if (given === undefined || truth === undefined) return 0;
  if (typeof truth === "number") return Number(typeof given === "number" && Math.abs(given - truth) <= tolerance);
  if (typeof truth === "string") return Number(given === truth);
  if (typeof given !== "object") return 0;
  const distinct = [...new Set(given)];
  const hits = inOrder ? commonInOrder(distinct, truth) : distinct.filter((id) => truth.includes(id)).length;
  return hits === 0 ? 0 : 2 * hits / (distinct.length + truth.length);
}

/** The length of the longest list that both have in this order, perhaps with others between. */
function commonInOrder(one: readonly string[], other: readonly string[]): number {
  let row = new Array<number>(other.length + 1).fill(0);
  for (const id of one) {
    const next = [0];
    for (const [at, each] of other.entries()) {
      next.push(id === each ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!));
    }
    row = next;
  }
  return row[other.length]!;
}

function rounded(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS;
}
