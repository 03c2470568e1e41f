import type { WrittenAnswer } from "../../engine/api/market-engine.ts";

/** A response message of the protocol, as JSON text. */
export function responseText(requestId: string, { operationId, status, code, message, result }: WrittenAnswer): string {
  const start = `{"kind":"response","requestId":${JSON.stringify(requestId)},"operationId":${
    JSON.stringify(operationId)
  }`;
  const reason = (code === undefined ? "" : `,"code":${JSON.stringify(code)}`) +
    (message === undefined ? "" : `,"message":${JSON.stringify(message)}`);
  return `${start},"status":"${status}"${reason}${result === undefined ? "}" : `,"result":${result}}`}`;
}
