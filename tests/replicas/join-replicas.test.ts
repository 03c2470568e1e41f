// What a process gets of its replicas: as a member of the group, and as a visitor, which is none.

import { expect, spyOn, test } from "bun:test";
import { logger } from "../../common/logger.ts";
import type { JoinOptions } from "../../core/tools/replicas.ts";
import { joinReplicas } from "../../replicas/join-replicas.ts";
import { RedisConnection } from "../../replicas/redis/redis-connection.ts";
import { SharedPubSub } from "../../replicas/shared-pubsub.ts";

function joined(role: "member" | "visitor") {
  const opened: string[] = [];
  const open = spyOn(RedisConnection, "open").mockImplementation(({ url }) => {
    opened.push(url);
    return new Promise(() => {});
  });
  const followed: unknown[] = [];
  const client = {
    history: null,
    status: "disconnected",
    facts: () => ({ userId: null, status: "disconnected", lastError: null }),
    disconnect: () => Promise.resolve(void followed.push("disconnect")),
  };
  const events = { followGroup: () => followed.push("followGroup"), onNext: () => () => {} };
  const options = { url: "redis://u:p@127.0.0.1:1/2", namespace: "market", userId: "anna", role, client, events };
  const given = { ...options, connect: () => Promise.reject(new Error("no")), advice: {}, log: logger("test") };
  try {
    return { ...joinReplicas(given as unknown as JoinOptions), client, opened, followed };
  } finally {
    open.mockRestore();
  }
}

test.each(["member", "visitor"] as const)(
  "a %s does not wait for Redis, and shows its address without the password",
  async (role) => {
    const { replicas, opened } = joined(role);
    expect(opened).toEqual(["redis://u:p@127.0.0.1:1/2"]);
    expect(replicas.facts()).toMatchObject({
      status: "unavailable",
      url: "redis://127.0.0.1:1/2",
      namespace: "market",
      replicas: null,
      logSequence: null,
    });
    expect(replicas.frozen()).toBeNull();
    await replicas.close();
  },
);

test("a member connects by the wish of its group, and follows how far it is", async () => {
  const { pubsub, replicas, followed } = joined("member");
  expect([pubsub instanceof SharedPubSub, followed]).toEqual([true, ["followGroup"]]);
  await replicas.close();
  expect(followed).toEqual(["followGroup", "disconnect"]);
});

test("a visitor keeps its own connection, follows nobody, and leaves it as it is", async () => {
  const { pubsub, client, replicas, followed } = joined("visitor");
  expect(pubsub).toBe(client as never);
  await replicas.start("anna");
  await replicas.changed();
  await replicas.close();
  expect(followed).toEqual([]);
});
