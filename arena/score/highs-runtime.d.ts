// The path of the solver's WebAssembly, which is imported with `{ type: "file" }`.

declare module "highs/runtime" {
  const path: string;
  export default path;
}
