// The aggressiveness model of AA (Vytelingum, Cliff & Jennings, "Strategic bidding in continuous double auctions",
// Artificial Intelligence 172, 2008): which price a trader goes for, given how aggressive it is, and how aggressive
// another price would be.
//
// Aggressiveness r runs from -1, a price that cannot but be refused, through 0, the equilibrium, to 1, the limit. Prices
// here are a buyer's, higher being more willing; a seller's are the negatives of these, which makes its equations the
// mirror image that the paper has. The paper's lowest price of 0 is here the worst price, since power may cost less.
//
// theta bends the curve between these points. Below the equilibrium it is another theta that bends it, such that the curve
// has no kink at r = 0.

export interface Willingness {
  readonly limit: number;
  /** Where the market is expected to trade. */
  readonly equilibrium: number;
  /** The least willing price that is allowed; below both. */
  readonly worst: number;
  readonly theta: number;
}

/** The price that belongs to an aggressiveness of -1 to 1. */
export function targetPrice({ limit, equilibrium, worst, theta }: Willingness, aggressiveness: number): number {
  if (limit <= equilibrium) {
    return aggressiveness >= 0 ? limit : limit - (limit - worst) * bent(-aggressiveness, theta);
  }
  if (aggressiveness >= 0) return equilibrium + (limit - equilibrium) * bent(aggressiveness, theta);
  return equilibrium - (equilibrium - worst) * bent(-aggressiveness, passiveTheta(limit, equilibrium, worst, theta));
}

/** The aggressiveness, -1 to 1, of which a price is the target; the nearest where it is the target of none. */
export function aggressivenessOf({ limit, equilibrium, worst, theta }: Willingness, price: number): number {
  if (limit <= equilibrium) {
    return price >= limit ? 0 : -unbent(share(limit - price, limit - worst), theta);
  }
  if (price >= equilibrium) return unbent(share(price - equilibrium, limit - equilibrium), theta);
  const passive = passiveTheta(limit, equilibrium, worst, theta);
  return -unbent(share(equilibrium - price, equilibrium - worst), passive);
}

/** (e^(x theta) - 1) / (e^theta - 1), which is x itself as theta goes to 0. */
function bent(x: number, theta: number): number {
  return Math.abs(theta) < STRAIGHT ? x : Math.expm1(x * theta) / Math.expm1(theta);
}

function unbent(y: number, theta: number): number {
  return Math.abs(theta) < STRAIGHT ? y : Math.log1p(y * Math.expm1(theta)) / theta;
}

function share(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 1;
}

/** Solves (equilibrium - worst) h(t) = (limit - equilibrium) h(theta), where h is the slope of `bent` at 0. */
function passiveTheta(limit: number, equilibrium: number, worst: number, theta: number): number {
  const room = equilibrium - worst;
  if (!(room > 0)) return theta;
  const slope = slopeAtZero(theta) * (limit - equilibrium) / room;
  // h falls and is convex, so that Newton's steps from the left of the root never go beyond it.
  let root = slope >= 1 ? -slope : 0;
  for (let step = 0; step < NEWTON_STEPS && root < STEEPEST; step++) {
    const change = (slopeAtZero(root) - slope) / slopeDerivative(root);
    root -= change;
    if (Math.abs(change) < NEWTON_TOLERANCE) break;
  }
  return Math.min(root, STEEPEST);
}

/** h(t) = t / (e^t - 1). */
function slopeAtZero(theta: number): number {
  return Math.abs(theta) < STRAIGHT ? 1 - theta / 2 : theta / Math.expm1(theta);
}

function slopeDerivative(theta: number): number {
  if (Math.abs(theta) < STRAIGHT) return -0.5;
  const grown = Math.expm1(theta);
  return (grown - theta * Math.exp(theta)) / (grown * grown);
}

/** Below this, curves are straight to the last digits that matter. */
const STRAIGHT = 1e-4;
const STEEPEST = 50;
const NEWTON_STEPS = 60;
const NEWTON_TOLERANCE = 1e-9;
