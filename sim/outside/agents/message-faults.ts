// What is wrong with a message, on one line.

import type { z } from "zod";
import { oneLine } from "../../../common/command-line.ts";

export function messageFaults({ issues }: z.ZodError): string {
  return oneLine(issues.map(({ path, message }) => `${path.join(".") || "message"}: ${message}`).join("; "));
}
