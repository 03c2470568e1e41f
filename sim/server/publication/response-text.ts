import type { ResponseMessage } from "../../../protocol/index.ts";
import type { WrittenAnswer } from "../../engine/api/market-engine.ts";

/** A response message of the protocol, as JSON text. */
export function responseText(requestId: string, { result, ...answer }: WrittenAnswer): string {
  const text = JSON.stringify({ kind: "response", requestId, ...answer } satisfies ResponseMessage);
  return result === undefined ? text : `${text.slice(0, -1)},"result":${result}}`;
}
