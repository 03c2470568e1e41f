// A linear or mixed-integer programme, built a variable and a row at a time. HiGHS solves it to its proven optimum.
//
// The solver is WebAssembly, so a programme has the same solution on every platform.

import highs, { type Highs } from "highs";
import solverFile from "highs/runtime" with { type: "file" };

interface VariableBounds {
  /** Default: 0. */
  readonly least?: number;
  /** Default: no bound. */
  readonly most?: number;
  /** What each unit of it adds to the sum that is maximised; default: 0. */
  readonly worth?: number;
  readonly isWhole?: boolean;
}

/** The index of a variable, and its factor. */
export type Term = readonly [variable: number, factor: number];

interface Optimum {
  /** The greatest sum. */
  readonly worth: number;
  /** Of each variable, by its index. */
  readonly values: Float64Array;
}

/** Far below the precision of the sums that are maximised, which are dollars. */
const GAP = 1e-9;

let solver: Highs | null = null;

/** Must have resolved before any programme is solved. */
export async function loadSolver(): Promise<void> {
  solver ??= await highs({ locateFile: () => solverFile });
}

export class Programme {
  readonly #least: number[] = [];
  readonly #most: number[] = [];
  readonly #worths: number[] = [];
  readonly #kinds: number[] = [];
  readonly #rowLeast: number[] = [];
  readonly #rowMost: number[] = [];
  readonly #starts: number[] = [0];
  readonly #indices: number[] = [];
  readonly #factors: number[] = [];
  #constant = 0;

  /** Returns its index. */
  variable({ least = 0, most = Infinity, worth = 0, isWhole = false }: VariableBounds): number {
    this.#least.push(least);
    this.#most.push(most);
    this.#kinds.push(isWhole ? 1 : 0);
    return this.#worths.push(worth) - 1;
  }

  /** Bounds a sum of different variables. */
  row(terms: readonly Term[], least: number, most: number): void {
    for (const [variable, factor] of terms) {
      this.#indices.push(variable);
      this.#factors.push(factor);
    }
    this.#starts.push(this.#indices.length);
    this.#rowLeast.push(least);
    this.#rowMost.push(most);
  }

  /** Adds to the sum, whatever the variables are. */
  constant(worth: number): void {
    this.#constant += worth;
  }

  /** Throws an Error if no values keep all bounds, or if the sum has no greatest value. */
  maximum(): Optimum {
    if (solver === null) throw new Error("the solver is not loaded");
    if (this.#worths.length === 0) return { worth: this.#constant, values: new Float64Array() };
    const { constants: { modelStatus, objectiveSense } } = solver;
    const [numCols, numRows] = [this.#worths.length, this.#rowLeast.length];
    const model = {
      numCols,
      numRows,
      sense: objectiveSense.maximize,
      offset: this.#constant,
      colCost: this.#worths,
      colLower: this.#least,
      colUpper: this.#most,
      rowLower: this.#rowLeast,
      rowUpper: this.#rowMost,
      matrix: {
        format: "csr" as const,
        numRows,
        numCols,
        starts: this.#starts,
        indices: this.#indices,
        values: this.#factors,
      },
      ...(this.#kinds.includes(1) && { integrality: Int32Array.from(this.#kinds) }),
    };
    return solver.withModel(model, (running) => {
      running.options.set({ output_flag: false, mip_rel_gap: 0, mip_abs_gap: GAP });
      running.run();
      const status = running.getModelStatus();
      if (status !== modelStatus.optimal) throw new Error(`the solver found no optimum: status ${status}`);
      return { worth: running.getObjectiveValue(), values: running.getSolution().colValue };
    });
  }
}
