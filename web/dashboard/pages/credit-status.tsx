// Whether an entity has credit, as a word.

import { Badge } from "../../components/badge.tsx";
import type { EntityRow } from "../../contract/tool-results.ts";

const SHOWN = {
  ok: ["good", "check", "ok"],
  exhausted: ["danger", "stop", "exhausted"],
  none: ["warning", "alert", "no limits"],
} as const;

export function CreditStatus({ status }: { readonly status: EntityRow["creditStatus"] }) {
  const [tone, icon, word] = SHOWN[status];
  return <Badge tone={tone} icon={icon}>{word}</Badge>;
}
