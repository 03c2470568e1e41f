// What the server and the threads of its environments say to each other.

import type { Scenario } from "../scenario/scenario.ts";
import type { Action, ResetRequest, RpcRequest } from "./messages.ts";
import type { RewardKind } from "./rewards.ts";

/** What is asked of an environment. The answer is a JSON text. */
export type Question =
  | { readonly kind: "reset"; readonly request: ResetRequest }
  | { readonly kind: "step"; readonly action: Action }
  | { readonly kind: "state" }
  | { readonly kind: "rpc"; readonly request: RpcRequest };

export type ToEnvironmentThread =
  | {
    readonly kind: "begin";
    readonly scenarios: readonly Scenario[];
    readonly rewards: RewardKind;
    readonly version: string;
  }
  /** An environment that is not known yet is made. */
  | { readonly kind: "ask"; readonly id: number; readonly environment: string; readonly question: Question }
  | { readonly kind: "close"; readonly environment: string };

export type FromEnvironmentThread =
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly id: number; readonly text: string }
  /** `isFault`: the request was wrong, and the message says what to do; otherwise the program is. */
  | { readonly kind: "failed"; readonly id: number; readonly message: string; readonly isFault: boolean };
