// Limits of size and depth in the protocol, and for all JSON that comes from elsewhere.

/** Characters of an id. */
export const MAX_ID_LENGTH = 200;
/** Characters of a reason, a note or an error message. */
export const MAX_TEXT_LENGTH = 1_000;
/**
 * Levels of objects and arrays in each other. Nothing in the protocol is nor needs to be nested deeper. Readers check it
 * before they walk a value by recursion, since JSON.parse accepts any depth.
 */
export const MAX_DEPTH = 32;
