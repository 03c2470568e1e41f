import { expect, test } from "bun:test";
import { unlessAborted } from "../../common/unless-aborted.ts";

const endless = () => new Promise<never>(() => {});
const thrownBy = (work: Promise<unknown>) => work.then(() => "nothing", (error: unknown) => error);

test("gives what the work gives, and throws what it throws", async () => {
  const { signal } = new AbortController();
  for (const given of [signal, undefined]) {
    expect(await unlessAborted(Promise.resolve(1), given)).toBe(1);
    expect(await thrownBy(unlessAborted(Promise.reject(new Error("broken")), given))).toEqual(new Error("broken"));
  }
});

test("throws the reason of a signal that aborts meanwhile, or has aborted before", async () => {
  const cancelled = new AbortController();
  const waiting = thrownBy(unlessAborted(endless(), cancelled.signal));
  cancelled.abort("enough");
  expect(await waiting).toBe("enough");
  expect(await thrownBy(unlessAborted(endless(), cancelled.signal))).toBe("enough");
});

test("ignores a failure of the work after the abort", async () => {
  const work = Promise.withResolvers<never>();
  expect(await thrownBy(unlessAborted(work.promise, AbortSignal.abort("enough")))).toBe("enough");
  work.reject(new Error("late"));
  await thrownBy(work.promise);
});
