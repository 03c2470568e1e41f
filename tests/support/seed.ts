// The seed of tests that draw their own. A failure names it, and MKT_TEST_SEED repeats it.

export const SEED = Number(process.env["MKT_TEST_SEED"] ?? Date.now() % 1_000_000);

/** A failure of `run` names the seed. */
export async function withSeedInFailures<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw new Error(`seed ${SEED}: ${(error as Error).message}`, { cause: error });
  }
}
