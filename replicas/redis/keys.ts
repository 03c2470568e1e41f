// The names of all keys on Redis. Nothing else in this folder builds a name.
//
//   <namespace>:kill-switch          the kill switch of all groups of the namespace
//   <namespace>:{<user id>}:<name>   what belongs to the group of replicas that run with this MKT_USER_ID
//
// A user id, a caller and the name of a client may have any characters. All but letters, digits, dots, hyphens and
// underscores are percent-encoded, so no id can name the key of another group, and none has a character that access lists or
// patterns interpret. The braces are the hash tag of Redis Cluster: all keys of a group would be in one slot.

export interface Keys {
  readonly killSwitch: string;
  /** The user that all replicas of the group should be connected as, or none. */
  readonly desiredUser: string;
  /** Sorted set: the replicas that are running, by the time until which they count. */
  readonly replicas: string;
  /** Hash: the version of the desired user that each replica has reached. */
  readonly followed: string;
  /** Written and removed by mkt doctor. */
  readonly trial: string;
  /** The key that signs request states. */
  readonly signingKey: string;
  /** Sorted set: the request states of a caller that may still be brought back, by the time when they expire. */
  pendingStates(caller: string | null): string;
  /** Beginning of the keys of a rate limit. */
  rate(name: string): string;
  /** What identifies the newest history of an acting user. */
  newestHistory(actingUserId: string): string;
  /** Hash: the head of the log of a history. */
  history(digest: string): string;
  /** Stream: the events of one category of a history. */
  stream(digest: string, category: string): string;
  /** The replica that writes the log of this history at once. */
  lease(digest: string): string;
}

export function keysOf(namespace: string, userId: string): Keys {
  const group = `${namespace}:{${encoded(userId)}}:`;
  return {
    killSwitch: killSwitchKey(namespace),
    desiredUser: `${group}desired-user`,
    replicas: `${group}replicas`,
    followed: `${group}followed`,
    trial: `${group}trial`,
    signingKey: `${group}signing-key`,
    pendingStates: (caller) => caller === null ? `${group}pending` : `${group}pending:${encoded(caller)}`,
    rate: (name) => `${group}rate:${encoded(name)}`,
    newestHistory: (actingUserId) => `${group}newest-history:${encoded(actingUserId)}`,
    history: (digest) => `${group}history:${digest}`,
    stream: (digest, category) => `${group}events:${digest}:${encoded(category)}`,
    lease: (digest) => `${group}lease:${digest}`,
  };
}

/** The same for every MKT_USER_ID. */
export function killSwitchKey(namespace: string): string {
  return `${namespace}:kill-switch`;
}

function encoded(text: string): string {
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*~]/g, hex);
}
