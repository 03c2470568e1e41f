import type { Execution } from "../../../engine/api/market-engine.ts";

/** An execution as its receivers see it: with the texts of the messages, and without where these texts are kept. */
export function readExecution(execution: Execution) {
  const messages = execution.messages.map(({ shared, start, end, ...message }) => {
    return { ...message, text: shared.text.slice(start, end) };
  });
  return { ...execution, messages };
}
