import { millsBelow } from './normal.js';

/**
 * The effect of an observed outcome on a normal variable of variance 1: its mean moves by `v`, its variance becomes 1 −
 * `w`.
 * `w` is between 0 and 1.
 */
export type Truncation = readonly [v: number, w: number];

/**
 * A variable of mean `x` turned out above 0.
 *
 * @see Herbrich, Minka and Graepel (2006), TrueSkill, the functions V and W of a win
 */
export function truncatedAbove(x: number): Truncation {
  const v = millsBelow(x);
  if (x >= -100) return [v, v * (v + x)];
  // v + x would be the difference of two nearly equal numbers; this is its asymptotic series.
  const u = 1 / (x * x);
  return [v, 1 - u * (1 - u * (6 - 50 * u))];
}

/**
 * A variable of mean `x` turned out between −`margin` and `margin`. A margin of 0 is an exact draw: the mean becomes 0.
 *
 * @param margin 0 or more
 * @see Herbrich, Minka and Graepel (2006), TrueSkill, the functions V and W of a draw
 */
export function truncatedWithin(x: number, margin: number): Truncation {
  const distance = Math.abs(x);
  const beyond = distance - margin;
  const [v, w] =
    margin < 1e-3
      ? withinTilted(beyond, 2 * margin, distance)
      : beyond > 1e3
        ? withinTilted(beyond, 2 * margin, beyond)
        : withinNormal(distance, margin);
  return [x < 0 ? -v : x > 0 ? v : 0, Math.min(1, Math.max(0, w))];
}

/** The exact formula, with both ends scaled by the density at the nearer one, which does not vanish far out. */
function withinNormal(distance: number, margin: number): Truncation {
  const near = margin - distance;
  const far = -margin - distance;
  const ratio = Math.exp(-2 * margin * distance);
  const mass = 1 / millsBelow(near) - ratio / millsBelow(far);
  const v = Math.expm1(-2 * margin * distance) / mass;
  return [v, v * v + (near - far * ratio) / mass];
}

/**
 * Where the margins are narrow, or so far out that the density falls off within a thousandth, the normal density between
 * them is approximated by an exponential: e^(−tilt · s) at the distance s from the nearer margin, off by less than 1e-9.
 */
function withinTilted(beyond: number, width: number, tilt: number): Truncation {
  const fall = tilt * width;
  if (Math.abs(fall) < 1e-3) return [-beyond - width * (0.5 - fall / 12), 1 - (width * width) / 12];
  if (fall > 50) return [-beyond - 1 / tilt, 1 - 1 / (tilt * tilt)];
  const share = fall / 2 / Math.sinh(fall / 2);
  return [-beyond - (1 - fall / Math.expm1(fall)) / tilt, 1 - (1 - share * share) / (tilt * tilt)];
}
