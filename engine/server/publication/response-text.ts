import type { WrittenAnswer } from "../../api/market-engine.ts";
import { jsonOf, TextWriter } from "../../text/text-writer.ts";

const writer = new TextWriter();

/** A response message of the protocol, as JSON text. */
export function responseText(requestId: string, answer: WrittenAnswer): string {
  const { operationId, status, code, message, result, order } = answer;
  writer.text('{"kind":"response","requestId":');
  writer.quoted(requestId);
  writer.text(',"operationId":');
  writer.quoted(operationId);
  writer.text(',"status":"');
  writer.text(status);
  writer.text('"');
  if (code !== undefined) writeProperty("code", code);
  if (message !== undefined) writeProperty("message", message);
  if (order !== undefined) {
    writer.text(',"result":{"order":');
    writer.text(order);
    writer.text("}");
  } else if (result !== undefined) {
    writer.text(',"result":');
    writer.text(result);
  }
  writer.text("}");
  return writer.take();
}

function writeProperty(name: string, value: string): void {
  writer.text(`,"${name}":`);
  writer.text(jsonOf(value));
}
