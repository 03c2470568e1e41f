// The views, by the names in their URIs: `ui://mkt/order-book.html`. A page names its view in `data-view` of its body.

export type ViewName = "order-book" | "spot-prices" | "positions" | "simulation";
