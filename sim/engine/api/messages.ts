// What an engine sends: messages as JSON texts with their audience.
//
// The text of a message is made once, by the engine. Everyone who may see the message is sent this text.

import type { ModuleType } from "../../../protocol/modules/registry.ts";
import type { Permission } from "../../../protocol/index.ts";

/**
 * Who may see a message: everyone, or holders of a permission and users of some entities. There is one object for each
 * different audience, so receivers can be grouped by identity.
 */
export interface Audience {
  /** Null: everyone. */
  readonly permission: Permission | null;
  readonly entityIds: readonly string[];
}

export const EVERYONE: Audience = { permission: null, entityIds: [] };

/** The state of a module, or its removal. */
export interface PublishedState {
  readonly kind: "state";
  readonly type: ModuleType;
  readonly id: string;
  readonly isRemoved: boolean;
  /** A state message of the protocol. */
  readonly text: string;
  readonly audience: Audience;
}

export interface PublishedEvent {
  readonly kind: "event";
  readonly sequence: number;
  /** An event message of the protocol. */
  readonly text: string;
  readonly audience: Audience;
}

export type PublishedMessage = PublishedState | PublishedEvent;
