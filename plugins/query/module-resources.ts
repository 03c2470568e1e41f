// The module types and their properties, as resources. mkt_get_module_schema gives the same.

import { ToolError } from "../../core/error.ts";
import { defineResource } from "../../core/resources/resource.ts";
import { isModuleType, MODULE_TYPES } from "../../protocol/modules/registry.ts";
import { moduleTypes } from "../toolkit/completions.ts";
import { DOCUMENT_CACHE_MS } from "./document-resources.ts";
import { allModuleTypes, moduleTypeSchema } from "./modules.ts";

const types = defineResource({
  name: "module-types",
  uri: "mkt://modules",
  title: "Module types",
  description: "The names of all module types. mkt://modules/{moduleType} has the properties of one.",
  cacheMs: DOCUMENT_CACHE_MS,
  read: () => allModuleTypes(),
});

const schema = defineResource({
  name: "module-schema",
  uri: "mkt://modules/{moduleType}",
  title: "Schema of a module type",
  description: "The properties of a module type, with units and the operators for filters.",
  cacheMs: DOCUMENT_CACHE_MS,
  parameters: { moduleType: moduleTypes },
  read: ({ moduleType = "" }) => {
    const type = moduleType.toUpperCase();
    if (isModuleType(type)) return moduleTypeSchema(type);
    throw new ToolError(
      "not_found",
      `There is no module type ${JSON.stringify(moduleType)}.`,
      `Give one of ${MODULE_TYPES.join(", ")}.`,
    );
  },
});

export default [types, schema];
