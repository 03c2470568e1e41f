import { expect, test } from "bun:test";
import fc from "fast-check";
import { SEED, withSeedInFailures } from "./seed.ts";

test("a failing random test prints its seed, what was expected, and its last 20 steps", async () => {
  const failing = withSeedInFailures((steps) => {
    for (let step = 1; step <= 95; step++) steps.add(step % 2 === 0 ? `step ${step}` : { step });
    expect("the book").toBe("the reference");
  }, 7);
  const { message } = await failing.then(() => expect.unreachable(), (error: Error) => error);
  expect(message).toStartWith("MKT_TEST_SEED=7 repeats this: expect(received).toBe(expected)");
  expect(message).toContain('Expected: "the reference"');
  const [, ...steps] = message.slice(message.indexOf("last steps:")).trim().split(/\n {2}(?=\S)/);
  expect(steps).toHaveLength(20);
  expect([steps[0], steps.at(-1)]).toEqual(["step 76", expect.stringContaining("step: 95")]);
});

test("a property has the seed of the run, and its failure prints it with the input", () => {
  const property = fc.property(fc.constant("abc"), () => false);
  expect(() => fc.assert(property)).toThrow(new RegExp(`seed: ${SEED},[^]*Counterexample: \\["abc"\\]`));
});
