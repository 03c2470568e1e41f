// What is shown of Redis' address, what of it is secret, and with what Redis is signed in to.

import { expect, test } from "bun:test";
import { addressSecrets, credentials, shownAddress } from "../../../replicas/redis/redis-address.ts";

test.each<[string, string, string[], ReturnType<typeof credentials>]>([
  ["redis://r:6379/2", "redis://r:6379/2", [], null],
  ["redis://anna@r:6379", "redis://r:6379", [], null],
  ["redis://:pw@r:6379/0?a=1#b", "redis://r:6379/0", ["pw"], { user: "default", password: "pw" }],
  ["rediss://a%40b:p%2Fw@r:1/", "rediss://r:1/", ["p%2Fw", "p/w"], { user: "a@b", password: "p/w" }],
  ["redis://anna:50%@r:6379", "redis://r:6379", ["50%"], { user: "anna", password: "50%" }],
])("%s", (url, shown, secrets, signIn) => {
  expect([shownAddress(url), addressSecrets(url), credentials(url)]).toEqual([shown, secrets, signIn]);
});
