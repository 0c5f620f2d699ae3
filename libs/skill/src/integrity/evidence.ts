/**
 * Evidence of a cheat: how many times better a stated way to cheat explains the results than honest play does. It is a
 * likelihood ratio that grows and shrinks match by match. If the pool's chances are right it is a martingale for honest
 * play, so by Ville's inequality at most 1 in E honest players ever reaches an evidence of E, however long they play.
 */
export interface Evidence {
  /** Matches counted. */
  readonly matches: number;
  /** Natural logarithm of the ratio; 0 speaks neither for nor against. */
  readonly log: number;
  /** How the ratio is made up: honest so far, then each way to cheat. They add up to 1. */
  readonly shares: readonly number[];
}

/** How a way to cheat begins and changes. */
export interface Onset {
  /**
   * The cheat may begin with every match: with a chance of 1 / (matches + patience). Evidence then falls by a power of the
   * matches at most, so a long honest history hides little. null: it is there from the first match on, or never.
   */
  readonly patience: number | null;
  /** The chance per match that one way to cheat gives way to another, 0 to 1. */
  readonly switching: number;
}

/** No evidence. @param ways number of ways to cheat, at least 1 */
export function noEvidence(ways: number): Evidence {
  return { matches: 0, log: 0, shares: [1, ...Array.from({ length: ways }, () => 0)] };
}

/**
 * Evidence after another match.
 *
 * @param ratios for each way to cheat, the chance that it gave the outcome over that of honest play; at least 0. Their
 *   mean under honest play has to be 1; see `ratioOf`
 */
export function withMatch(
  { matches, log, shares }: Evidence,
  ratios: readonly number[],
  { patience, switching }: Onset,
): Evidence {
  const [honest = 0, ...cheats] = shares;
  const start = startChance(matches, patience);
  const begun = (honest * start) / ratios.length;
  const all = cheats.reduce((sum, share) => sum + share, 0);
  const next = ratios.map((ratio, way) => {
    const share = cheats[way] ?? 0;
    const others = ratios.length > 1 ? (all - share) / (ratios.length - 1) : share;
    return ((1 - switching) * share + switching * others + begun) * ratio;
  });
  const weighed = [honest * (1 - start), ...next];
  const sum = weighed.reduce((total, share) => total + share, 0);
  // Only a start at the first match can lose all: an outcome that every way to cheat excludes.
  if (!(sum > 0)) return { matches: matches + 1, log: -Infinity, shares: [1, ...ratios.map(() => 0)] };
  return { matches: matches + 1, log: log + Math.log(sum), shares: weighed.map((share) => share / sum) };
}

function startChance(matches: number, patience: number | null): number {
  if (patience === null) return matches === 0 ? 1 : 0;
  return 1 / (matches + patience);
}

/** The way to cheat that explains the results best, as an index. */
export function likeliest({ shares: [, ...cheats] }: Evidence): number {
  return cheats.indexOf(Math.max(...cheats));
}

/** Chances nearer to 0 or 1 count as this: a model that is too sure of itself must not accuse anybody by one match. */
const leastChance = 0.02;

/** A chance that is not too near to 0 or 1. */
export function tempered(chance: number): number {
  return Math.min(1 - leastChance, Math.max(leastChance, chance));
}

/**
 * How many times better one chance explains an outcome than another. A draw is part of a win and of a loss; the mean over
 * outcomes whose mean is `honest` is 1.
 *
 * @param honest, cheat chances to win, above 0 and below 1
 * @param outcome 1 won, 0 lost, in between for a draw or a shared place
 */
export function ratioOf(honest: number, cheat: number, outcome: number): number {
  return (outcome * cheat) / honest + ((1 - outcome) * (1 - cheat)) / (1 - honest);
}

/** A chance moved by log-odds. */
export function shifted(chance: number, odds: number): number {
  return 1 / (1 + ((1 - chance) / chance) * Math.exp(-odds));
}

/** Wins that happened, and those that the chances predicted. */
export interface Tally {
  readonly matches: number;
  /** A draw is half a win. */
  readonly won: number;
  readonly expected: number;
}

export const noTally: Tally = { matches: 0, won: 0, expected: 0 };

/** A tally with another match. */
export function counted({ matches, won, expected }: Tally, chance: number, outcome: number): Tally {
  return { matches: matches + 1, won: won + outcome, expected: expected + chance };
}

/** Shares that add up to 1. */
export function normalised(shares: readonly number[]): number[] {
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}
