// What a view is: the tool whose result it shows, and how. The frame (frame.tsx) does the rest.

import type { FunctionComponent } from "preact";
import type { ToolAnswer, Values } from "./tool-answer.ts";

export interface ViewProps {
  readonly result: Values;
  /** The arguments that `result` is kept fresh with. */
  readonly values: Values;
  /** Asks with other arguments from now on. Null: the host passes no calls on. */
  readonly follow: ((values: Values) => void) | null;
  /** Calls another tool that only reads. */
  readonly call: (tool: string, values: Values) => Promise<ToolAnswer>;
  /** The market's; the person's while the market's is unknown. */
  readonly timezone: string;
}

export interface View {
  readonly title: string;
  readonly tool: string;
  /** The arguments to keep the view fresh with, from those of the call that opened it and from its result: {} if it failed. */
  readonly values: (opened: Values, result: Values) => Values;
  /** Whether the result of that call can be shown. If not, the view asks at once. */
  readonly suits: (opened: Values, result: Values) => boolean;
  readonly Content: FunctionComponent<ViewProps>;
}
