// Output schemas compiled once for all clients of this process. The SDK's first client compiles them all after each list of
// tools, which takes longer than the rest of its start.

import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from "@modelcontextprotocol/sdk/validation";

const compiler = new AjvJsonSchemaValidator();
/** By the text of the schema. */
const compiled = new Map<string, JsonSchemaValidator<unknown>>();

export const keptValidators: jsonSchemaValidator = {
  getValidator<Value>(schema: JsonSchemaType): JsonSchemaValidator<Value> {
    const text = JSON.stringify(schema);
    let validator = compiled.get(text);
    if (validator === undefined) {
      validator = compiler.getValidator<unknown>(schema);
      compiled.set(text, validator);
    }
    return validator as JsonSchemaValidator<Value>;
  },
};
