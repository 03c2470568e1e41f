import { expect, test } from "bun:test";
import type { Logger } from "../../../../common/logger.ts";
import { UnknownMessages } from "../../../../engine/server/connections/unknown-messages.ts";

test("a hundred unknown kinds are logged once each; further kinds are only counted", () => {
  const logged: unknown[] = [];
  const messages = new UnknownMessages(
    { warn: (_text: string, facts: unknown) => logged.push(facts) } as never as Logger,
  );
  for (let kind = 0; kind < 101; kind++) {
    messages.note(`kind-${kind}`);
    messages.note(`kind-${kind}`);
  }
  expect([messages.count, logged.length]).toEqual([202, 100]);
  expect(logged.at(-1)).toEqual({ kind: "kind-99" });
});
