// What the declarations of strategy parameters have in common. A parameter has a description with its unit, a range and a
// default, so `parse({})` gives the defaults.

import { z } from "zod";
import type { SeededRandom } from "../random/seeded-random.ts";

/** An interval from which each strategy draws its own value, uniformly. */
export type Interval = readonly [least: number, most: number];

/** A number from `least` to `most`. */
export function number(least: number, most: number, usual: number, description: string) {
  return z.number().min(least).max(most).default(usual).describe(`${description}; ${least} to ${most}`);
}

export function wholeNumber(least: number, most: number, usual: number, description: string) {
  return z.int().min(least).max(most).default(usual).describe(`${description}; ${least} to ${most}`);
}

/** Two numbers from `least` to `most`, the smaller one first. */
export function interval(least: number, most: number, usual: Interval, description: string) {
  const bound = z.number().min(least).max(most);
  return z.tuple([bound, bound])
    .refine(([from, until]) => from <= until, "the first number is above the second")
    .default([...usual])
    .describe(`Drawn between two numbers for each trader: ${description}; ${least} to ${most}`);
}

export function drawn([least, most]: Interval, random: Pick<SeededRandom, "next">): number {
  return least + random.next() * (most - least);
}
