import { expect, test } from "bun:test";
import { actingUserId } from "../../../core/backend/acting-user.ts";
import { configurationFor, pubsubThatIs } from "../support/services.ts";

test("HTTP requests are those of the connected user, and without one of the configured user", () => {
  const configuration = configurationFor({ MKT_USER_ID: "configured" });
  expect(actingUserId({ pubsub: pubsubThatIs("disconnected"), configuration })).toBe("configured");
  for (const status of ["connected", "reconnecting"] as const) {
    expect(actingUserId({ pubsub: pubsubThatIs(status), configuration })).toBe("user-1");
  }
});
