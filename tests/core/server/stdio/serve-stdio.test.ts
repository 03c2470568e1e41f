// How long the end of the process waits for the client on stdio.

import { expect, spyOn, test } from "bun:test";
import { PassThrough, Writable } from "node:stream";
import { McpServer } from "@modelcontextprotocol/server";
import { logger } from "../../../../common/logger.ts";
import { serveStdio } from "../../../../core/server/stdio/serve-stdio.ts";
import { isSettled } from "../../../support/still-clock.ts";

test.each([true, false])("a stop waits until its client has read, or two seconds (reads: %p)", async (reads) => {
  const limit = Promise.withResolvers<void>();
  const sleep = spyOn(Bun, "sleep").mockImplementation(() => limit.promise);
  try {
    const writes: (() => void)[] = [];
    const write = (_chunk: unknown, _encoding: unknown, done: () => void) => void writes.push(done);
    const stdout = new Writable({ write });
    const factory = () => new McpServer({ name: "t", version: "1" });
    const { stop } = serveStdio(factory, {} as never, logger("test"), { stdin: new PassThrough(), stdout });
    const stopped = stop();
    // Not `until`, which sleeps.
    while (writes.length === 0) await new Promise(setImmediate);
    expect([await isSettled(stopped), sleep.mock.calls]).toEqual([false, [[2_000]]]);
    if (reads) { for (const done of writes) done(); }
    else limit.resolve();
    await stopped;
  } finally {
    sleep.mockRestore();
  }
});
