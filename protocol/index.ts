// The backend protocol: every message, request and response between mkt and an engine. docs/backend-protocol.md describes it;
// its JSON Schemas are generated from these declarations.

export * from "./actions.ts";
export * from "./audit-events.ts";
export * from "./clock.ts";
export * from "./events.ts";
export * from "./http.ts";
export * from "./messages.ts";
export * from "./permissions.ts";
export * from "./positions.ts";
export * from "./routes.ts";
export * from "./simulator.ts";
