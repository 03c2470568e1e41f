import { expect, test } from "bun:test";
import { Register } from "../../../replicas/group/register.ts";
import type { RedisLink } from "../../../replicas/redis/redis-link.ts";

test("a reply that comes late never takes a replica back to an older version", async () => {
  const asked: PromiseWithResolvers<unknown>[] = [];
  const ask = () => {
    const reply = Promise.withResolvers<unknown>();
    asked.push(reply);
    return reply.promise;
  };
  const link: RedisLink = { isUp: true, send: ask, run: ask, onUp: () => () => {} };
  const register = new Register(link, "key");
  const changes = [register.change("one"), register.change("two")];
  asked[1]!.resolve(["2", "two"]);
  await changes[1];
  asked[0]!.resolve(["1", "one"]);
  expect(await changes[0]!).toEqual({ version: 1, value: "one" });
  expect(register.known).toEqual({ version: 2, value: "two" });
});
