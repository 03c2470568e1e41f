import { expect, test } from "bun:test";
import { MODULES } from "../../../protocol/modules/registry.ts";

test("a property is nullable exactly if its schema takes null", () => {
  for (const [type, { properties }] of Object.entries(MODULES)) {
    for (const [name, { nullable, schema }] of Object.entries(properties)) {
      expect({ type, name, nullable }).toEqual({ type, name, nullable: schema.safeParse(null).success });
    }
  }
});
