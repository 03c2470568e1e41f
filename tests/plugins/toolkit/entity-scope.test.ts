// Whose credit a user may see and set.

import { describe, expect, test } from "bun:test";
import { checkOwnEntity, entityInScope } from "../../../plugins/toolkit/entity-scope.ts";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import type { ToolContext } from "../../../core/tools/context.ts";
import type { ToolError } from "../../../core/error.ts";
import { snapshotOf } from "../support/still-market.ts";

type Check = (entityId: string, acting: Acting) => unknown;
type Acting = Pick<ToolContext, "pubsub" | "snapshot" | "advice">;

const user = (entityId: string | null, ...permissions: string[]) => ({ entityId, permissions });
const snapshot = snapshotOf({
  "/ENTITY/north": { name: "North Wind" },
  "/ENTITY/south": { name: "South Solar" },
  "/USER/anna": user("north"),
  "/USER/sue": user("south", "Credit.View", "Credit.Manage"),
  "/USER/sid": user("south", "Credit.View"),
  "/USER/olga": user(null, "Scope.Global"),
});

function acting(entityId: string | null, capabilities: string[] = []): Acting {
  return {
    pubsub: { session: { userId: "anna", entityId, capabilities } },
    snapshot,
    advice: NEUTRAL_ADVICE,
  } as unknown as Acting;
}

function errorOf(check: Check, entityId: string, as: Acting): ToolError | null {
  try {
    check(entityId, as);
    return null;
  } catch (error) {
    return error as ToolError;
  }
}

describe("credit of an entity", () => {
  const checks = [
    ["seen", entityInScope, "Credit.View for it: sue, sid."],
    ["set", checkOwnEntity, "Credit.Manage for it: sue."],
  ] as const;
  test.each(checks)(
    "may be %s by a user of that entity, and by nobody of another",
    (_what, check, holders) => {
      expect(errorOf(check, "north", acting("north"))).toBeNull();
      const error = errorOf(check, "south", acting("north"));
      expect(error).toMatchObject({ code: "forbidden" });
      expect(error?.message).toStartWith("User anna belongs to entity north; ");
      expect(error?.hint).toBe(
        "Give entityId north, or act as a user of the other entity: mkt_disconnect_pubsub, then mkt_connect_pubsub with " +
          `the userId. ${holders}`,
      );
    },
  );

  test("may be seen with Scope.Global, and not set", () => {
    const operator = acting(null, ["Scope.Global"]);
    expect(errorOf(entityInScope, "north", operator)).toBeNull();
    const error = errorOf(checkOwnEntity, "north", operator);
    expect(error?.message).toStartWith("User anna belongs to no entity; ");
    expect(error?.hint).toStartWith("Act as a user of the other entity: mkt_disconnect_pubsub");
  });

  test("a refusal says who may see every entity's", () => {
    expect(errorOf(entityInScope, "south", acting("north"))?.message).toBe(
      'User anna belongs to entity north; seeing entity "south" needs the permission Scope.Global. Held by olga.',
    );
  });

  test("another form of the own entity is understood if it is seen, and suggested if it is set", () => {
    expect(entityInScope(" North wind", acting("north", ["Market.View"]))).toBe("north");
    expect(errorOf(checkOwnEntity, "NORTH", acting("north", ["Market.View"]))).toMatchObject({
      code: "not_found",
      hint: expect.stringMatching(/^Did you mean north\? /),
    });
  });

  test("is left to the engine while nobody is connected", () => {
    const nobody = { pubsub: { session: null }, snapshot } as unknown as Acting;
    expect([errorOf(entityInScope, "north", nobody), errorOf(checkOwnEntity, "north", nobody)]).toEqual([
      null,
      null,
    ]);
  });
});
