import { expect, test } from "bun:test";
import type { Logger } from "../../../common/logger.ts";
import { untilAborted } from "../../../core/backend/pending-call.ts";
import type { EngineClient } from "../../../protocol/client/engine-client.ts";

test("a call that its client cancels ends with the reason, and the log names the operation that may take effect", async () => {
  const lines: [string, unknown][] = [];
  const log = { info: (text: string, fields: unknown) => void lines.push([text, fields]) } as unknown as Logger;
  const validUntil = "2030-06-01T12:00:15.000Z";
  const dropped: string[] = [];
  const client = {
    request: () => new Promise(() => {}),
    drop: (requestId: string) => {
      dropped.push(requestId);
      return { validUntil };
    },
  } as unknown as EngineClient;
  const cancelling = new AbortController();
  const ids = { requestId: "r-1", operationId: "o-1" };
  const payload = { preview: false };
  const call = untilAborted(client, { action: "market.flush", payload, ids, signal: cancelling.signal }, log);
  cancelling.abort("enough");
  expect(await call.then(() => "answered", (reason: unknown) => reason)).toBe("enough");
  expect(dropped).toEqual(["r-1"]);
  const fields = { action: "market.flush", operationId: "o-1", validUntil };
  expect(lines).toEqual([[expect.stringContaining("operation {operationId} may take effect until"), fields]]);
});
