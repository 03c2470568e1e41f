// The seed of random tests, and how their failures read. Every run uses the same seed, so a failure comes back; test:long uses
// the day's and prints it (scripts/test.ts). MKT_TEST_SEED=n uses n. Properties of fast-check get it from the preload.

export const SEED = Number(process.env["MKT_TEST_SEED"] ?? 1);

const KEPT_STEPS = 20;
const ONE_LINE = { compact: true, depth: 6 };

/** The last steps of a random test, oldest first. */
export class LastSteps {
  #steps: unknown[] = [];

  /** Cheap: a step becomes text only in a failure. */
  add(step: unknown): void {
    this.#steps.push(step);
    if (this.#steps.length >= 2 * KEPT_STEPS) this.#steps = this.#steps.slice(-KEPT_STEPS);
  }

  toString(): string {
    const shown = this.#steps.slice(-KEPT_STEPS).map((step) =>
      typeof step === "string" ? step : Bun.inspect(step, ONE_LINE)
    );
    return shown.length === 0 ? "" : `\nlast steps:\n${shown.map((step) => `  ${step}\n`).join("")}`;
  }
}

/** A failure of `run` names the seed, what was expected, and the last steps. */
export async function withSeedInFailures<Result>(
  run: (steps: LastSteps) => Promise<Result> | Result,
  seed = SEED,
): Promise<Result> {
  const steps = new LastSteps();
  try {
    return await run(steps);
  } catch (error) {
    const message = `MKT_TEST_SEED=${seed} repeats this: ${(error as Error).message}${steps}`;
    throw new Error(message, { cause: error });
  }
}
