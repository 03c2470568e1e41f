// Skips the frames of an engine that do not concern one persona. The engine sends every public change to every connection,
// and many personas share a process. Searching a frame's text for the persona's id prefix costs far less than parsing it.

import type { FrameReader } from "../../protocol/client/frame-reader.ts";

/** Shorter frames are always read: welcomes, refusals and pongs are short, and contain no id of the persona. */
const SHORT_FRAME = 1_200;

/** `idPrefix`: what every clientOrderId and requestId of the persona begins with. */
export function personaFrames(reader: Pick<FrameReader, "read">, idPrefix: string): Pick<FrameReader, "read"> {
  return {
    read: (frame) => {
      const concernsPersona = typeof frame !== "string" || frame.length < SHORT_FRAME || frame.includes(idPrefix) ||
        frame.includes("snapshotEnd");
      return concernsPersona ? reader.read(frame) : [];
    },
  };
}
