import { expect, test } from "bun:test";
import { AuditFailure } from "../../../common/audit/audit-failure.ts";
import { AuditSearches } from "../../../common/audit/audit-searches.ts";
import { listenersOf } from "../../support/still-clock.ts";
import { until } from "../../support/until.ts";

/** Searches that end when `end` is called with their name. */
function heldSearches(options: { readonly atOnce: number; readonly ofUser: number }) {
  const searches = new AuditSearches(options);
  const begun: string[] = [];
  const running = new Map<string, PromiseWithResolvers<string>>();
  const search = (name: string) => () => {
    begun.push(name);
    const held = Promise.withResolvers<string>();
    running.set(name, held);
    return held.promise;
  };
  return {
    begun,
    ask: (userId: string, name: string, signal?: AbortSignal) => searches.run(userId, signal, search(name)),
    end: async (name: string) => {
      (await until(() => running.get(name)))?.resolve(name);
      await Bun.sleep(0);
    },
    fail: async (name: string) => {
      (await until(() => running.get(name)))?.reject(new Error(name));
      await Bun.sleep(0);
    },
  };
}

test("a few searches run at once, and the others begin as these end", async () => {
  const { begun, ask, end } = heldSearches({ atOnce: 2, ofUser: 9 });
  const answers = ["1", "2", "3", "4"].map((name) => ask("ann", name));
  await Bun.sleep(0);
  expect(begun).toEqual(["1", "2"]);
  await end("2");
  expect(begun).toEqual(["1", "2", "3"]);
  await end("1");
  await end("3");
  await end("4");
  expect(await Promise.all(answers)).toEqual(["1", "2", "3", "4"]);
});

test("users take turns, so one user's searches don't hold up another's", async () => {
  const { begun, ask, end } = heldSearches({ atOnce: 1, ofUser: 9 });
  for (const name of ["a1", "a2", "a3"]) void ask("ann", name);
  for (const name of ["b1", "b2"]) void ask("bob", name);
  for (const name of ["a1", "a2", "b1", "a3", "b2"]) await end(name);
  expect(begun).toEqual(["a1", "a2", "b1", "a3", "b2"]);
});

test("a user with too many is refused at once, until one of them has ended", async () => {
  const { begun, ask, end } = heldSearches({ atOnce: 1, ofUser: 2 });
  void ask("ann", "a1");
  void ask("ann", "a2");
  const refusal: unknown = await ask("ann", "a3").catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(AuditFailure);
  expect(refusal).toMatchObject({
    code: "rate_limited",
    message: expect.stringMatching(/^2 /),
    hint: "Wait 1 s and call again.",
  });
  void ask("bob", "b1");
  await end("a1");
  void ask("ann", "a4");
  for (const name of ["a2", "b1", "a4"]) await end(name);
  expect(begun).toEqual(["a1", "a2", "b1", "a4"]);
});

test("a search that is cancelled while it waits never begins, and gives up its place", async () => {
  const { begun, ask, end } = heldSearches({ atOnce: 1, ofUser: 2 });
  void ask("ann", "a1");
  const gone = new AbortController();
  const cancelled = [["ann", "a2"], ["bob", "b1"]].map(([userId, name]) =>
    ask(userId!, name!, gone.signal).catch((error: unknown) => error)
  );
  gone.abort("gone");
  expect(await Promise.all(cancelled)).toEqual(["gone", "gone"]);
  void ask("carl", "c1");
  void ask("ann", "a3");
  for (const name of ["a1", "a3"]) await end(name);
  expect(await ask("ann", "a4", gone.signal).catch((error: unknown) => error)).toBe("gone");
  expect(begun).toEqual(["a1", "a3", "c1"]);
});

test("a search that fails ends its turn", async () => {
  const { begun, ask, fail } = heldSearches({ atOnce: 1, ofUser: 9 });
  const failed = ask("ann", "a1").catch((error: unknown) => String(error));
  void ask("ann", "a2");
  await fail("a1");
  expect([await failed, begun]).toEqual(["Error: a1", ["a1", "a2"]]);
});

test("what has ended in any way leaves its turn, its count and no listener, however often", async () => {
  const { begun, ask, end, fail } = heldSearches({ atOnce: 2, ofUser: 3 });
  const client = new AbortController();
  for (let round = 0; round < 4; round += 1) {
    const names = ["ok", "failing", "waiting"].map((name) => `${name}-${round}`);
    const [ok, failing, waiting] = names.map((name) => ask("ann", name, client.signal).catch(String));
    const gone = new AbortController();
    const cancelled = ask("bob", `cancelled-${round}`, gone.signal).catch(String);
    expect(await ask("ann", "one too many").catch((error: unknown) => (error as AuditFailure).code)).toBe(
      "rate_limited",
    );
    gone.abort("gone");
    expect([await cancelled, listenersOf(gone.signal), listenersOf(client.signal)]).toEqual(["gone", 0, 1]);
    await fail(names[1]!);
    await end(names[0]!);
    await end(names[2]!);
    expect(await Promise.all([ok, failing, waiting])).toEqual([names[0]!, `Error: ${names[1]}`, names[2]!]);
    expect([begun.splice(0), listenersOf(client.signal)]).toEqual([names, 0]);
  }
});
