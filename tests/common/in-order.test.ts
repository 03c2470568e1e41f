import { describe, expect, test } from "bun:test";
import { inOrder } from "../../common/in-order.ts";

describe("steps in order", () => {
  test("each begin after the one before has ended", async () => {
    const done: string[] = [];
    const slow = async () => {
      await Promise.resolve();
      done.push("slow");
    };
    await inOrder(slow, () => done.push("quick"));
    expect(done).toEqual(["slow", "quick"]);
  });

  test("are all run if some throw or reject, and the first error is the one that counts", async () => {
    const done: string[] = [];
    const thrown = () => {
      throw new Error("thrown");
    };
    const rejected = () => Promise.reject(new Error("rejected"));
    const steps = [() => done.push("1"), rejected, () => done.push("2"), thrown, () => done.push("3")];
    await expect(inOrder(...steps)).rejects.toThrow("rejected");
    expect(done).toEqual(["1", "2", "3"]);
  });
});
