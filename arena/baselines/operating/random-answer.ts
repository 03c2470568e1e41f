// An answer that fits its schema, and is drawn at random: the least that anybody else should beat.

import { z } from "zod";
import type { SeededRandom } from "../../../sim/random/seeded-random.ts";

/** As the brief gives it. */
const answerSchema = z.looseObject({
  properties: z.record(
    z.string(),
    z.looseObject({ type: z.string().optional(), enum: z.array(z.string()).optional() }),
  ),
});

const MOST_IDS = 5;
const MOST = 100;

export function randomAnswer(schema: unknown, random: SeededRandom): Readonly<Record<string, unknown>> {
  const { properties } = answerSchema.parse(schema);
  const id = () => `ORD-${random.integer(1, MOST)}`;
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type, enum: words }]) => {
      if (words !== undefined) return [name, words[random.integer(0, words.length - 1)]];
      if (type === "number") return [name, random.integer(0, MOST)];
      return [name, type === "array" ? Array.from({ length: random.integer(1, MOST_IDS) }, id) : id()];
    }),
  );
}
