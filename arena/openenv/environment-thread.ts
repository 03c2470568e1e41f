// A thread of environments: each has a market of its own, and they share this thread's processor.

import { errorMessage } from "../../common/error-message.ts";
import { PACKS } from "../../plugins/index.ts";
import { INSTRUCTIONS } from "../../plugins/instructions.ts";
import { loadSolver } from "../score/programme.ts";
import { Environment, EnvironmentFault, type EnvironmentOptions } from "./environment.ts";
import type { FromEnvironmentThread, Question, ToEnvironmentThread } from "./thread-messages.ts";

declare const self: Worker;

interface OpenEnvironment {
  readonly environment: Promise<Environment>;
  /** Resolves when the last question has been answered. */
  last: Promise<void>;
}

/** Marks of more scenarios and seeds are forgotten, the oldest first. */
const MAX_MARKS = 10_000;
const WARM_UP_ROUNDS = 2;

const environments = new Map<string, OpenEnvironment>();
const options = Promise.withResolvers<EnvironmentOptions>();

const tell = (message: FromEnvironmentThread) => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToEnvironmentThread>) => {
  if (data.kind === "begin") void begin(data);
  else if (data.kind === "close") environments.delete(data.environment);
  else ask(data);
};

async function begin({ scenarios, rewards, version }: Extract<ToEnvironmentThread, { kind: "begin" }>): Promise<void> {
  await loadSolver();
  const program = { packs: PACKS, version, instructions: INSTRUCTIONS };
  const given = { scenarios, rewards, program, marks: new Map() };
  warmUp(given);
  options.resolve(given);
  tell({ kind: "ready" });
}

/** Begins some episodes for nobody: the runtime compiles on the way, and the first ones took up to half a second. */
function warmUp(given: EnvironmentOptions): void {
  const environment = new Environment(given);
  for (let seed = 0; seed < WARM_UP_ROUNDS; seed++) {
    for (const { name } of given.scenarios) {
      try {
        environment.reset({ seed, scenario: name });
      } catch {
        // A scenario that can't begin is told to whoever resets to it.
      }
    }
  }
}

function ask({ id, environment: name, question }: Extract<ToEnvironmentThread, { kind: "ask" }>): void {
  let open = environments.get(name);
  if (open === undefined) {
    const environment = options.promise.then((given) => new Environment(given));
    environments.set(name, open = { environment, last: Promise.resolve() });
  }
  const { environment, last } = open;
  open.last = last.then(async () => {
    try {
      tell({ kind: "answer", id, text: await answerOf(await environment, question) });
    } catch (error) {
      tell({ kind: "failed", id, message: errorMessage(error), isFault: error instanceof EnvironmentFault });
    }
    forgetMarks((await options.promise).marks);
  });
}

async function answerOf(environment: Environment, question: Question): Promise<string> {
  switch (question.kind) {
    case "reset":
      return environment.reset(question.request);
    case "step":
      return await environment.step(question.action);
    case "state":
      return JSON.stringify(environment.state());
    case "rpc":
      return await environment.rpc(question.request);
  }
}

function forgetMarks(marks: Map<string, unknown>): void {
  for (const key of marks.keys()) {
    if (marks.size <= MAX_MARKS) return;
    marks.delete(key);
  }
}
