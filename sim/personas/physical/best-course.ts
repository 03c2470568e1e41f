// The course of a machine over the next hours that earns most at given prices: dynamic programming over its states (Bellman
// 1957). What a state is worth after the last hour is not counted.
//
// Cost: O(hours x moves of all states).

/** What a machine does for an hour. */
export interface Move {
  /** Its state after it. */
  readonly state: number;
  /** kW: generated; negative: consumed. */
  readonly output: number;
  /** cents/MWh x kW x h, besides that of the energy. */
  readonly cost: number;
}

export interface Machine {
  readonly states: number;
  /** At least one. Of equal moves the first is taken. */
  movesFrom(state: number, hour: number): readonly Move[];
}

/** The move of each hour. `first`: the state before them; `prices`: in cents/MWh, of each hour. */
export function bestCourse(machine: Machine, first: number, prices: readonly number[]): Move[] {
  const choices: Move[][] = [];
  let worth = new Float64Array(machine.states);
  for (let hour = prices.length - 1; hour >= 0; hour--) {
    const before = new Float64Array(machine.states);
    const chosen: Move[] = [];
    for (let state = 0; state < machine.states; state++) {
      let best = -Infinity;
      for (const move of machine.movesFrom(state, hour)) {
        const gain = move.output * prices[hour]! - move.cost + worth[move.state]!;
        if (gain <= best) continue;
        best = gain;
        chosen[state] = move;
      }
      before[state] = best;
    }
    choices[hour] = chosen;
    worth = before;
  }
  let state = first;
  return choices.map((chosen) => {
    const move = chosen[state]!;
    state = move.state;
    return move;
  });
}
