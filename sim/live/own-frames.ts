// Reads of an engine's frames only those that concern one persona. The engine tells every connection of every public
// change, and many personas share a process: to look for the persona's mark in the text costs far less than to parse it.

import type { FrameReader } from "../../protocol/client/frame-reader.ts";

/** Below it a frame is read whatever it says: greetings, refusals and pongs are short, and carry no mark. */
const SHORT_FRAME = 1_200;

/** `mark`: what every clientOrderId and requestId of the persona begins with. */
export function ownFrames(reader: Pick<FrameReader, "read">, mark: string): Pick<FrameReader, "read"> {
  return {
    read: (frame) => {
      const concerns = typeof frame !== "string" || frame.length < SHORT_FRAME || frame.includes(mark) ||
        frame.includes("snapshotEnd");
      return concerns ? reader.read(frame) : [];
    },
  };
}
