// The context of one call: the services of the process, and what the transport gives for this call.

import { type AskingClient, NO_CLIENT, UNDECLARED_CLIENT } from "../tools/client.ts";
import type { Services, ToolContext } from "../tools/context.ts";
import { noProgress, type Progress, reportWait, type Wait } from "../tools/progress.ts";
import type { Requiring } from "../guardrails/requirements.ts";
import type { EventReader } from "../market/event-reader.ts";
import type { Replicas } from "../tools/replicas.ts";
import type { EventWaits } from "./event-waits.ts";
import type { RequestOrigin } from "./request-origin.ts";

export interface CallScope extends Pick<ToolContext, "signal" | "caller" | "access" | "elicitor"> {
  /** Absent if the client did not ask for progress. */
  readonly progress?: Progress | undefined;
  /** The call has ended: nothing is reported from now on. */
  readonly endProgress?: (() => void) | undefined;
  /** The call is part of a request that counts as running already. */
  readonly isPart?: true;
  /** Gives back what the transport holds for a running call. Called whenever the call begins to wait for an event. */
  readonly freeSlot?: () => void;
  /** Where the request comes from, for its span. Absent if the transport does not know. */
  readonly origin?: RequestOrigin;
  /** Only of use to what has declared `usesClient`. Absent if the caller is no MCP client. */
  readonly client?: AskingClient;
}

const BACKEND_ANSWER: Wait = { what: "Waits for the backend's answer" };
const AUDIT_ANSWER: Wait = { what: "Searches the audit trail" };

/** If a gap has ended the wait, the call reads after a look into the log of the replicas, which may have what is in the gap. */
async function waitAmong(replicas: Replicas, events: EventReader, wait: () => Promise<boolean>): Promise<boolean> {
  const { gapEvents } = events.stats();
  const waited = await wait();
  if (events.stats().gapEvents !== gapEvents) await replicas.changed();
  return waited;
}

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** Each property is its own, so a pack may copy the context. The scope's signal is only read when a handler uses it. */
export function callContext(
  requiring: Requiring,
  services: Services,
  scope: CallScope,
  waits: EventWaits,
): ToolContext {
  // Every name is written out, because a spread of the services would cost three times as much as all of this.
  const context: Mutable<ToolContext> = {
    configuration: services.configuration,
    backend: services.backend,
    pubsub: services.pubsub,
    snapshot: services.snapshot,
    events: services.events,
    audit: services.audit,
    simulator: services.simulator,
    server: services.server,
    advice: services.advice,
    redis: services.redis,
    frozen: services.frozen,
    freeze: services.freeze,
    now: services.now,
    log: services.log,
    caller: scope.caller,
    access: scope.access,
    elicitor: scope.elicitor,
    client: requiring.usesClient === true ? scope.client ?? NO_CLIENT : UNDECLARED_CLIENT,
    progress: scope.progress ?? noProgress,
    get signal() {
      return scope.signal;
    },
    waitForEvent: (filter, seconds) => {
      const wait = () => waits.wait(requiring, context, { filter, seconds }, scope.freeSlot);
      return services.replicas === null ? wait() : waitAmong(services.replicas, services.events, wait);
    },
  };
  if (scope.progress !== undefined) {
    context.backend = reportedService(services.backend, context, BACKEND_ANSWER);
    context.audit = reportedService(services.audit, context, AUDIT_ANSWER);
  }
  return context;
}

/**
 * The service for a call whose client asked for progress: while an answer of it is awaited, the call reports the seconds. Its
 * methods must return promises, or values at once.
 */
function reportedService<Service extends object>(
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
