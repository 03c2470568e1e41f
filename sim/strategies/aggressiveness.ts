// The aggressiveness model of AA (Vytelingum, Cliff & Jennings, "Strategic bidding in continuous double auctions",
// Artificial Intelligence 172, 2008): maps an aggressiveness to a target price, and a price to the aggressiveness it
// implies.
//
// Aggressiveness r runs from -1 (a price that is certain to be refused) through 0 (the equilibrium) to 1 (the limit).
// Prices here are a buyer's, so higher is more willing. A seller's are negated, which gives the paper's mirrored
// equations. The paper's lowest price of 0 is the worst price here, because power prices may be negative.
//
// theta is the curvature. Below the equilibrium another theta is used, chosen so that the curve has no kink at r = 0.

interface Willingness {
  readonly limit: number;
  /** Estimated equilibrium price. */
  readonly equilibrium: number;
  /** The least willing price allowed; below both. */
  readonly worst: number;
  readonly theta: number;
}

/** The target price of an aggressiveness from -1 to 1. */
export function targetPrice({ limit, equilibrium, worst, theta }: Willingness, aggressiveness: number): number {
  if (limit <= equilibrium) {
    return aggressiveness >= 0 ? limit : limit - (limit - worst) * bent(-aggressiveness, theta);
  }
  if (aggressiveness >= 0) return equilibrium + (limit - equilibrium) * bent(aggressiveness, theta);
  return equilibrium - (equilibrium - worst) * bent(-aggressiveness, passiveTheta(limit, equilibrium, worst, theta));
}

/** The aggressiveness, from -1 to 1, whose target is `price`; the nearest one if there is none. */
export function aggressivenessOf({ limit, equilibrium, worst, theta }: Willingness, price: number): number {
  if (limit <= equilibrium) {
    return price >= limit ? 0 : -unbent(share(limit - price, limit - worst), theta);
  }
  if (price >= equilibrium) return unbent(share(price - equilibrium, limit - equilibrium), theta);
  const passive = passiveTheta(limit, equilibrium, worst, theta);
  return -unbent(share(equilibrium - price, equilibrium - worst), passive);
}

/** (e^(x theta) - 1) / (e^theta - 1); tends to x as theta tends to 0. */
function bent(x: number, theta: number): number {
  return Math.abs(theta) < STRAIGHT ? x : Math.expm1(x * theta) / Math.expm1(theta);
}

function unbent(y: number, theta: number): number {
  return Math.abs(theta) < STRAIGHT ? y : Math.log1p(y * Math.expm1(theta)) / theta;
}

function share(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 1;
}

/** Solves (equilibrium - worst) h(t) = (limit - equilibrium) h(theta) for t, where h is the slope of `bent` at 0. */
function passiveTheta(limit: number, equilibrium: number, worst: number, theta: number): number {
  const range = equilibrium - worst;
  if (!(range > 0)) return theta;
  const slope = slopeAtZero(theta) * (limit - equilibrium) / range;
  // h falls and is convex, so Newton steps from the left never pass the root.
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

/** Below this, the curve is linear to within floating-point precision. */
const STRAIGHT = 1e-4;
const STEEPEST = 50;
const NEWTON_STEPS = 60;
const NEWTON_TOLERANCE = 1e-9;
