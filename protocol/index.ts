// The backend protocol: the one home of what mkt and an engine say to each other. docs/backend-protocol.md tells it
// in words; its JSON Schemas are generated from these declarations.

export * from "./actions.ts";
export * from "./audit-events.ts";
export * from "./events.ts";
export * from "./http.ts";
export * from "./messages.ts";
export * from "./permissions.ts";
export * from "./simulator.ts";
