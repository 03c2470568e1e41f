// Skips the frames of an engine that do not concern one persona. The engine sends every public change to every connection,
// and many personas share a process. Searching a frame's text for the persona's id prefix costs far less than parsing it.
//
// A frame is read if it contains the prefix, or the name of a kind of message that concerns every user. Except for the end of a
// snapshot, such messages come in short frames, so long ones are not searched for all of them.

import { taggedEngineMessage } from "../../protocol/index.ts";
import type { FrameReader } from "../../protocol/client/frame-reader.ts";

const SHORT_FRAME = 1_200;

/** Events and responses about a persona contain its prefix. */
const GENERAL_KINDS = taggedEngineMessage.options.map(({ shape }) => shape.kind.value)
  .filter((kind) => kind !== "event" && kind !== "response").map((kind) => JSON.stringify(kind));

/** `idPrefix`: what every clientOrderId and requestId of the persona begins with. */
export function personaFrames(reader: Pick<FrameReader, "read">, idPrefix: string): Pick<FrameReader, "read"> {
  return { read: (frame) => typeof frame !== "string" || concerns(frame, idPrefix) ? reader.read(frame) : [] };
}

function concerns(frame: string, idPrefix: string): boolean {
  if (frame.includes(idPrefix)) return true;
  if (frame.length >= SHORT_FRAME) return frame.includes("snapshotEnd");
  return GENERAL_KINDS.some((kind) => frame.includes(kind));
}
