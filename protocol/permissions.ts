import { z } from "zod";

/** The permissions of users. The engine enforces them; the tools check them first, and name a missing one. */
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
