// The parameter that names a module type. Lower case is accepted.

import { z } from "zod";
import { MODULE_TYPES } from "../../protocol/modules/registry.ts";

export const moduleTypeField = z.preprocess(
  (value) => typeof value === "string" ? value.toUpperCase() : value,
  z.enum(MODULE_TYPES),
);
