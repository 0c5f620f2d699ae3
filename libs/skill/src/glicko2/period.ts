/** Points of rating to one unit of Glicko-2's own scale: 400 / ln 10. */
export const pointsPerUnit = 173.7178;

/** A player in the paper's form, in points. */
export interface GlickoRating {
  readonly rating: number;
  readonly deviation: number;
  /** The expected change of the true strength in one period, in units of Glicko-2's own scale. */
  readonly volatility: number;
}

/** One game of a rating period, against an opponent's state at its start. */
export interface GlickoGame {
  readonly rating: number;
  readonly deviation: number;
  /** 1 won, ½ drawn, 0 lost. */
  readonly score: number;
}

/** The sufficient statistics of a period's games, in Glicko-2's own scale. */
export interface PeriodSums {
  /** Σ g²·E·(1 − E): one over the paper's v. 0 without games. */
  readonly information: number;
  /** Σ g·(s − E): the paper's Δ over v. */
  readonly surplus: number;
}

export interface PeriodRules {
  /** The rate at which the volatility changes; 0.1 to 2. */
  readonly tau: number;
  /**
   * The volatility never rises above this, or above its previous value. Without a limit, a series of great upsets in one
   * period may have no moderate explanation in the paper's approximation: ten wins over 2500 from 1500 ± 200 at τ = 2 end
   * at 55,000.
   */
  readonly mostVolatility: number;
}

/**
 * Tolerance of the volatility, as a difference of ln σ². The paper's 1e-6 would leave it to rounding whether another
 * iteration is made, and so the order of a team's members could change the sixth decimal of a rating. It costs at most one
 * iteration.
 */
const closeEnough = 1e-12;
/** Iteration limit; the search takes about six. */
const mostRounds = 100;
/** e^x is finite up to here. */
const highest = 700;

/**
 * The weight of a game by the opponent's deviation.
 *
 * @param phi deviation of the opponent in Glicko-2's own scale
 * @returns from 0 (unknown) to 1 (known exactly)
 * @see Glickman, Example of the Glicko-2 system, step 3
 */
export function certainty(phi: number): number {
  return 1 / Math.sqrt(1 + (3 / (Math.PI * Math.PI)) * phi * phi);
}

/** Sums up the games of a period for one player. @see Glickman, Example of the Glicko-2 system, steps 3 and 4 */
export function sumGames(player: Pick<GlickoRating, 'rating'>, games: readonly GlickoGame[]): PeriodSums {
  let information = 0;
  let surplus = 0;
  for (const game of games) {
    const g = certainty(game.deviation / pointsPerUnit);
    const expected = 1 / (1 + Math.exp((-g * (player.rating - game.rating)) / pointsPerUnit));
    information += g * g * expected * (1 - expected);
    surplus += g * (game.score - expected);
  }
  return { information, surplus };
}

/**
 * A player after a rating period. Without games only the deviation grows.
 *
 * @see Glickman, Example of the Glicko-2 system, steps 3 to 8
 */
export function closePeriod(
  { rating, deviation, volatility }: GlickoRating,
  sums: PeriodSums,
  rules: PeriodRules,
): GlickoRating {
  const phi = deviation / pointsPerUnit;
  const wandering = volatilityAfter(phi, volatility, sums, rules);
  const widened = phi * phi + wandering * wandering;
  const narrowed = widened / (1 + widened * sums.information);
  return {
    rating: rating + pointsPerUnit * narrowed * sums.surplus,
    deviation: pointsPerUnit * Math.sqrt(narrowed),
    volatility: wandering,
  };
}

/**
 * The volatility that best explains the deviations of the results, by the Illinois form of false position.
 *
 * The paper's f(x) is written in information and surplus instead of v and Δ, which are infinite without information:
 * numerator and denominator are both multiplied by the square of the information.
 *
 * @param phi deviation before, in Glicko-2's own scale
 * @see Glickman, Example of the Glicko-2 system, step 5
 */
export function volatilityAfter(
  phi: number,
  volatility: number,
  { information, surplus }: PeriodSums,
  { tau, mostVolatility }: PeriodRules,
): number {
  if (information === 0 && surplus === 0) return volatility;
  const before = 2 * Math.log(volatility);
  const known = 1 + phi * phi * information;
  const surplusSquared = surplus * surplus;
  const slope = 1 / (tau * tau);
  const f = (x: number): number => {
    const e = Math.exp(x);
    const spread = known + e * information;
    return (e * (surplusSquared - information * spread)) / (2 * spread * spread) - (x - before) * slope;
  };

  let a = before;
  let fa = f(a);
  let b = before;
  let fb = fa;
  if (fa > 0) {
    // f is below 0 where e^x is as large as the deviations of the results. There may be three roots on the way there: the
    // first one is the moderate explanation, so the bracket grows in steps instead of starting as wide as the paper's.
    const top = Math.min(
      highest,
      Math.max(before, 2 * Math.log(mostVolatility)),
      Math.log(surplusSquared - information * known) - 2 * Math.log(information),
    );
    while (fb > 0 && b < top) {
      b = Math.min(b + tau, top);
      fb = f(b);
    }
    if (fb > 0) return Math.exp(top / 2);
  } else {
    // The first term of f is never below −½, and tau is at most 2: one step down is enough to be above 0.
    b = before - tau;
    fb = f(b);
  }
  for (let round = 0; round < mostRounds && Math.abs(b - a) > closeEnough; round++) {
    const c = a + ((a - b) * fa) / (fb - fa);
    const fc = f(c);
    if (fc * fb <= 0) {
      a = b;
      fa = fb;
    } else fa /= 2;
    b = c;
    fb = fc;
  }
  return Math.exp(a / 2);
}
