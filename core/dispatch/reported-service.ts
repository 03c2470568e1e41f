// A service for a call whose client asked for progress: while an answer of it is awaited, the call reports the seconds.

import type { ToolContext } from "../tools/context.ts";
import { reportWait, type Wait } from "../tools/progress.ts";

/** The same service. Its methods must return promises, or values at once. */
export function reportedService<Service extends object>(
  service: Service,
  context: Pick<ToolContext, "progress" | "log">,
  wait: Wait,
): Service {
  return new Proxy(service, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...parameters: unknown[]) => {
        const answer: unknown = Reflect.apply(member, target, parameters);
        return answer instanceof Promise ? reportWait(answer, context, wait) : answer;
      };
    },
  });
}
