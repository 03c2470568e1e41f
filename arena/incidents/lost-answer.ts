// The agent gets no answer to its first orders. Each has reached the market, or has not, and nothing tells which.

import type { IncidentOf } from "../scenario/incident-terms.ts";
import { type Loss, pick, type Stage } from "./stage.ts";

export function lostAnswer(stage: Stage, { most }: IncidentOf<"lost-answer">): void {
  const random = stage.random("lost-answer");
  const losses = Array.from({ length: random.integer(1, most) }, () => pick<Loss>(random, ["request", "answer"]));
  stage.losses.push(...losses);
  stage.truth.tell({ tookEffect: losses[0] === "answer" ? "yes" : "no" });
}
