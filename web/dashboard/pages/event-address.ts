// The filter of the page of events as parameters of its address: `text`, and `hidden` with the categories left out.

import { CATEGORIES, type FeedFilter } from "../live/event-feed.ts";

export const FILTER_IN_ADDRESS = {
  read: (parameters: URLSearchParams): FeedFilter => {
    const hidden = (parameters.get("hidden") ?? "").split(" ");
    return {
      hidden: new Set(CATEGORIES.filter((category) => hidden.includes(category))),
      text: parameters.get("text") ?? "",
    };
  },
  write: ({ hidden, text }: FeedFilter) => ({
    hidden: CATEGORIES.filter((category) => hidden.has(category)).join(" "),
    text,
  }),
};
