// GET /dashboard/search?text=: what a person may mean by a text, among what the acting user may see.

const SEARCH_KINDS = ["contract", "entity", "order", "user"] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** Its kind and id say which page shows it. A user is shown with the entity. */
export interface SearchResult {
  readonly kind: SearchKind;
  readonly id: string;
  /** The name of an entity or user, product and delivery of a contract, the contract of an order. */
  readonly title: string;
  /** What else tells it apart from others, such as the code of an entity or the status of an order; may be empty. */
  readonly detail: string;
  /** Of a user or an order; null without one. */
  readonly entityId?: string | null;
}

export interface SearchAnswer {
  readonly text: string;
  /** Best first: the exact id, ids and names that begin so, words, parts of words. At most 20. */
  readonly results: readonly SearchResult[];
  /** There are more, so a longer text helps. */
  readonly hasMore: boolean;
}
