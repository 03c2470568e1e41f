import { expect, test } from "bun:test";
import { logger } from "../../../common/logger.ts";
import { EngineClock } from "../../../protocol/client/engine-clock.ts";
import { EngineLink, reasonOf } from "../../../protocol/client/engine-link.ts";
import { FrameReader } from "../../../protocol/client/frame-reader.ts";
import { PROTOCOL_VERSION } from "../../../protocol/index.ts";

test("pings wait until the socket is open, and the link ends if it never opens", async () => {
  using mute = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const ended = Promise.withResolvers<string>();
  const link = new EngineLink({
    url: `ws://127.0.0.1:${mute.port}/ws`,
    hello: () => ({ kind: "hello", protocol: PROTOCOL_VERSION, userId: "u-1" }),
    reader: new FrameReader(logger("test")),
    clock: new EngineClock(Date.now),
    timings: { pingMs: 2, silenceMs: 1_000, openMs: 30, answerMs: 10, synchronizeMs: 1_000, closeMs: 100 },
    onFrame: () => {},
    onEnd: (end) => ended.resolve(reasonOf(end)),
  });
  expect(link.send({ kind: "ping" })).toBe(false);
  expect(await ended.promise).toBe("the engine was silent for 30 ms");
});
