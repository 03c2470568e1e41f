import { z } from "zod";

/** Every permission a user may hold; the engine enforces them, the tools check first and name the missing one. */
export const PERMISSIONS = [
  "Market.View",
  "Market.Operate",
  "Order.Submit",
  "Credit.View",
  "Credit.Manage",
  "Spot.Publish",
  "Scope.Global",
] as const;

export const permission = z.enum(PERMISSIONS);
export type Permission = z.infer<typeof permission>;
