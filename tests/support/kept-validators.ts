// Output schemas compiled once for all clients of this process. The SDK's clients compile all of them, the first one after each
// list of tools, the second one at the first call after it, which takes longer than the rest of their start.

import type { jsonSchemaValidator as ValidatorsV2 } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator as CompilerV2 } from "@modelcontextprotocol/client/validators/ajv";
import { AjvJsonSchemaValidator as CompilerV1 } from "@modelcontextprotocol/sdk/validation/ajv";
import type { jsonSchemaValidator as ValidatorsV1 } from "@modelcontextprotocol/sdk/validation";

/** Each generation's clients keep to their own compiler. */
export const KEPT_VALIDATORS = {
  v1: kept<ValidatorsV1>(new CompilerV1()),
  v2: kept<ValidatorsV2>(new CompilerV2()),
} as const;

function kept<Validators extends ValidatorsV1 | ValidatorsV2>(compiler: Validators): Validators {
  /** By the text of the schema. */
  const compiled = new Map<string, unknown>();
  const getValidator = (schema: never) => {
    const text = JSON.stringify(schema);
    if (!compiled.has(text)) compiled.set(text, compiler.getValidator(schema));
    return compiled.get(text);
  };
  return { getValidator } as Validators;
}
