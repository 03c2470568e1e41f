import { expect, test } from "bun:test";
import { type Subscriber, Subscribers } from "../../../../engine/server/publication/subscribers.ts";

const subscriber = (userId: string) => ({ user: { id: userId } }) as unknown as Subscriber;

test("connections are counted in total and for each user, and each is removed once", () => {
  const all = new Subscribers();
  const [one, two, other] = [subscriber("anna"), subscriber("anna"), subscriber("ben")];
  for (const each of [one, two, other]) all.add(each);
  expect([all.count, all.countOf("anna"), all.countOf("ben"), all.countOf("nobody")]).toEqual([3, 2, 1, 0]);
  expect([...all]).toEqual([one, two, other]);
  expect([all.remove(one), all.remove(one), all.remove(subscriber("anna")), all.remove(subscriber("nobody"))]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([all.count, all.countOf("anna")]).toEqual([2, 1]);
  expect([all.remove(two), all.remove(two), all.countOf("anna")]).toEqual([true, false, 0]);
  expect([...all]).toEqual([other]);
});
