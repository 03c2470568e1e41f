// Whose credit a user may see and set.

import { describe, expect, test } from "bun:test";
import { checkEntityScope, checkOwnEntity } from "../../../plugins/toolkit/entity-scope.ts";
import type { ToolContext } from "../../../core/tools/context.ts";
import type { ToolError } from "../../../core/error.ts";

type Check = typeof checkOwnEntity;

function acting(entityId: string | null, capabilities: string[] = []): Pick<ToolContext, "pubsub"> {
  return { pubsub: { session: { userId: "anna", entityId, capabilities } } } as unknown as Pick<ToolContext, "pubsub">;
}

function errorOf(check: Check, entityId: string, as: Pick<ToolContext, "pubsub">): ToolError | null {
  try {
    check(entityId, as);
    return null;
  } catch (error) {
    return error as ToolError;
  }
}

describe("credit of an entity", () => {
  test.each([["seen", checkEntityScope], ["set", checkOwnEntity]] as const)(
    "may be %s by a user of that entity, and by nobody of another",
    (_what, check) => {
      expect(errorOf(check, "north", acting("north"))).toBeNull();
      const error = errorOf(check, "south", acting("north"));
      expect(error).toMatchObject({ code: "forbidden" });
      expect(error?.message).toStartWith("User anna belongs to entity north; ");
      expect(error?.hint).toBe("Give entityId north, or connect as a user of the other entity.");
    },
  );

  test("may be seen with Scope.Global, and not set", () => {
    const operator = acting(null, ["Scope.Global"]);
    expect(errorOf(checkEntityScope, "north", operator)).toBeNull();
    const error = errorOf(checkOwnEntity, "north", operator);
    expect(error?.message).toStartWith("User anna belongs to no entity; ");
    expect(error?.hint).toStartWith("Connect as a user of that entity: mkt_disconnect_pubsub");
  });

  test("is the engine's to refuse before anybody is connected", () => {
    const nobody = { pubsub: { session: null } } as unknown as Pick<ToolContext, "pubsub">;
    expect([errorOf(checkEntityScope, "north", nobody), errorOf(checkOwnEntity, "north", nobody)]).toEqual([
      null,
      null,
    ]);
  });
});
