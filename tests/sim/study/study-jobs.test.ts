import { describe, expect, test } from "bun:test";
import { gridFrom, variantsOf } from "../../../sim/experiment/grid.ts";
import { InOrder } from "../../../sim/study/in-order.ts";
import { jobFields, jobLines, jobsOf, jobsOfPart, seedText } from "../../../sim/study/study-jobs.ts";

const read = gridFrom({ hours: [1, 2] });
const variants = read.ok ? variantsOf(read.grid) : [];
const SEEDS = [1, 2, 3, 9];
const jobs = jobsOf(variants, SEEDS);
const keysOf = (some: readonly { readonly key: string }[]) => some.map(({ key }) => key);

describe("the jobs of a study", () => {
  test("are each variant with each seed, in this order", () => {
    expect(keysOf(jobs).slice(2, 6)).toEqual(["hours=1,seed-3", "hours=1,seed-9", "hours=2,seed-1", "hours=2,seed-2"]);
    expect(jobs.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(keysOf(jobsOf([[]], SEEDS))).toEqual(["seed-1", "seed-2", "seed-3", "seed-9"]);
  });

  test("name themselves in their results, unless the experiment is as it is", () => {
    expect(jobFields(variants[1] ?? [], 3)).toEqual({ job: "hours=2,seed-3", parameters: { hours: 2 } });
    expect(jobFields([], 3)).toEqual({});
  });

  test.each([1, 2, 3, 5, 8, 20])("are each in exactly one of %i parts", (count) => {
    const parts = Array.from({ length: count }, (_, at) => jobsOfPart(jobs, { number: at + 1, count }));
    expect(parts.flat().toSorted((one, other) => one.index - other.index)).toEqual([...jobs]);
    expect(parts.map(([first]) => first?.index)).toEqual(parts.map((_, at) => jobs[at]?.index));
    const sizes = parts.map(({ length }) => length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });

  test("are named by the ranges of their seeds", () => {
    expect(jobLines(jobs)).toEqual(["hours=1,seed-1..3,9", "hours=2,seed-1..3,9"]);
    expect(jobLines(jobsOf([[]], [5, 6]))).toEqual(["seed-5..6"]);
    expect(seedText([5, 3, 4, 4_294_967_295])).toBe("5,3..4,4294967295");
  });
});

describe("results in order", () => {
  test("are written in the order of the jobs, whatever order they come in", async () => {
    const written: string[] = [];
    const output = new InOrder(jobs.slice(0, 4), (text) => Promise.resolve(void written.push(text)));
    const [first, second, third, fourth] = jobs;
    await output.put(third!, "3");
    await output.put(second!, "");
    expect(written).toEqual([]);
    await Promise.all([output.put(fourth!, "4"), output.put(first!, "1")]);
    expect(written).toEqual(["1", "3", "4"]);
  });

  test("fail from the first write that fails", async () => {
    const output = new InOrder(jobs, () => Promise.reject(new Error("closed")));
    await expect(output.put(jobs[0]!, "1")).rejects.toThrow("closed");
    await expect(output.put(jobs[1]!, "2")).rejects.toThrow("closed");
  });
});
