import { Unsolvable } from '@muster/domain';
import { climb, type Climb, type Hill } from './ascent.js';

/** A finished match of two teams, in the form for a refit. */
export interface RefitMatch {
  /** Player ids of the two teams. */
  readonly teams: readonly [readonly string[], readonly string[]];
  /** Contributions in the shape of `teams`, finite and not negative; 1 when absent. */
  readonly weights?: readonly [readonly number[], readonly number[]] | undefined;
  /** Log-odds for the first team from everything except these skills: situation, commanders. 0 when absent. */
  readonly odds?: number | undefined;
  /** 1 when the first team won, 0 when it lost, ½ for a draw. */
  readonly outcome: number;
}

/** The prior of a skill, the model's slope, and the stopping criteria. */
export interface RefitOptions {
  /** Shape of the Gamma prior, above 1: the larger, the less likely are very low skills. */
  readonly k: number;
  /** Scale of the Gamma prior, above 0: the smaller, the less likely are very high skills. */
  readonly theta: number;
  /** The `c` of the pool's model. */
  readonly c: number;
  /** Share of a whole step that is tried at first, above 0, at most 1. */
  readonly rate: number;
  readonly iterations: number;
  /** Done when no log skill's gradient is larger. */
  readonly tolerance: number;
}

/** Mode (k − 1)θ of 10, where the model's newcomers start; standard deviation 2. */
export const refitDefaults: RefitOptions = {
  k: 26,
  theta: 0.4,
  c: 2,
  rate: 1,
  iterations: 500,
  tolerance: 1e-4,
};

export interface Refit {
  /** By player id, all players of any match; all above 0. */
  readonly skills: ReadonlyMap<string, number>;
  /** Mean of the prior, k·θ. */
  readonly priorMean: number;
  /** Mode of the prior, (k − 1)·θ: the skill of a player without information. */
  readonly priorMode: number;
  readonly iterations: number;
  /** At most 0: the prior less its largest value, plus the log likelihood. */
  readonly logPosterior: number;
  /** Largest gradient of a log skill at the end. */
  readonly slope: number;
  /** Whether that is within the tolerance. */
  readonly converged: boolean;
}

/** One iteration of a refit; `height` is the log posterior, as in `Refit`. */
export type RefitProgress = Climb;

/**
 * Fits the skills of a whole history at once under p = σ(c · Σ t·s·x / Σ t + b) and a Gamma(k, θ) prior on every skill: the
 * most likely skills, where for each player Σ c·(t/Σt)·x·(outcome − p) + (k − 1)/s − 1/θ = 0.
 *
 * Skills are positive, so their logarithms are optimised; the maximised density is that of the skills themselves. Each
 * iteration computes predictions from skills and a step from those, scaled by player and shortened until the posterior
 * rises. The posterior has one peak, so the start does not matter.
 *
 * Yields after each iteration, because its callers have other work, and returns the fit.
 *
 * @throws Unsolvable when a match is invalid, with its number
 */
export function* refitSteps(
  matches: readonly RefitMatch[],
  options: Partial<RefitOptions> = {},
): Generator<RefitProgress, Refit> {
  const settings = { ...refitDefaults, ...options };
  const history = historyOf(matches, settings.c);
  const priorMode = (settings.k - 1) * settings.theta;
  // Logarithms of skills, starting from a newcomer's.
  const logs = new Float64Array(history.ids.length);
  const end = yield* climb(posteriorOf(history, settings), logs, settings);
  return {
    skills: new Map(history.ids.map((id, i) => [id, priorMode * Math.exp(logs[i] ?? 0)])),
    priorMean: settings.k * settings.theta,
    priorMode: priorMode,
    iterations: end.iteration,
    logPosterior: end.height,
    slope: end.slope,
    converged: end.slope <= settings.tolerance,
  };
}

/** Matches in flat arrays: the entries of match m are those from starts[m] to starts[m + 1]. */
interface History {
  readonly ids: readonly string[];
  readonly starts: Int32Array;
  readonly players: Int32Array;
  /** c · t · x / Σ t: the effect of a point of skill on the log-odds. */
  readonly pulls: Float64Array;
  readonly odds: Float64Array;
  readonly outcomes: Float64Array;
}

function historyOf(matches: readonly RefitMatch[], c: number): History {
  const indexOf = new Map<string, number>();
  const size = matches.reduce((sum, { teams }) => sum + teams[0].length + teams[1].length, 0);
  const history = {
    starts: new Int32Array(matches.length + 1),
    players: new Int32Array(size),
    pulls: new Float64Array(size),
    odds: new Float64Array(matches.length),
    outcomes: new Float64Array(matches.length),
  };
  let entry = 0;
  matches.forEach(({ teams, weights, odds = 0, outcome }, m) => {
    if (!(outcome >= 0 && outcome <= 1)) throw invalid(m, `an outcome of ${outcome}; it must be 0 to 1`);
    if (!Number.isFinite(odds)) throw invalid(m, `log-odds of ${odds}; they must be finite`);
    const weightOf = (t: 0 | 1, p: number): number => (weights ? (weights[t][p] ?? NaN) : 1);
    let time = 0;
    for (const t of [0, 1] as const)
      for (let p = 0; p < teams[t].length; p++) {
        const weight = weightOf(t, p);
        if (!(weight >= 0 && weight <= 1e9))
          throw invalid(m, `a weight of ${weight}; it must be 0 or more, one for each player`);
        time += weight;
      }
    for (const t of [0, 1] as const)
      teams[t].forEach((id, p) => {
        const player = indexOf.get(id) ?? indexOf.size;
        indexOf.set(id, player);
        history.players[entry] = player;
        history.pulls[entry] = time > 0 ? ((t === 0 ? c : -c) * weightOf(t, p)) / time : 0;
        entry++;
      });
    history.starts[m + 1] = entry;
    history.odds[m] = odds;
    history.outcomes[m] = outcome;
  });
  return { ids: [...indexOf.keys()], ...history };
}

function posteriorOf(history: History, { k, theta }: RefitOptions): Hill {
  const { ids, starts, players, pulls, odds, outcomes } = history;
  const skills = new Float64Array(ids.length);
  const chances = new Float64Array(outcomes.length);
  const mode = (k - 1) * theta;
  return {
    heightAt(logs) {
      let prior = 0;
      for (let i = 0; i < logs.length; i++) {
        const log = logs[i] ?? 0;
        skills[i] = mode * Math.exp(log);
        // (k − 1)·ln s − s/θ less its largest value, to preserve precision.
        prior += (k - 1) * (log - Math.expm1(log));
      }
      let missed = 0;
      let lost = 0;
      for (let m = 0; m < outcomes.length; m++) {
        let z = odds[m] ?? 0;
        const end = starts[m + 1] ?? 0;
        for (let e = starts[m] ?? 0; e < end; e++) z += (pulls[e] ?? 0) * (skills[players[e] ?? 0] ?? 0);
        // −ln p = ln(1 + e^(−z)) and −ln(1 − p) = z − ln p, so that nothing overflows.
        const small = Math.exp(-Math.abs(z));
        chances[m] = z >= 0 ? 1 / (1 + small) : small / (1 + small);
        const outcome = outcomes[m] ?? 0;
        // Kahan's sum: over a long history the last steps are smaller than the error of plain addition.
        const term = Math.log1p(small) + (z >= 0 ? (1 - outcome) * z : -outcome * z) - lost;
        const sum = missed + term;
        lost = sum - missed - term;
        missed = sum;
      }
      return prior - missed;
    },
    slope(gradient, curvature) {
      gradient.fill(0);
      curvature.fill(0);
      for (let m = 0; m < outcomes.length; m++) {
        const p = chances[m] ?? 0;
        const surplus = (outcomes[m] ?? 0) - p;
        const known = p * (1 - p);
        const end = starts[m + 1] ?? 0;
        for (let e = starts[m] ?? 0; e < end; e++) {
          const player = players[e] ?? 0;
          const pull = pulls[e] ?? 0;
          gradient[player] = (gradient[player] ?? 0) + pull * surplus;
          curvature[player] = (curvature[player] ?? 0) + pull * pull * known;
        }
      }
      // From skills to their logarithms: d/d(ln s) = s · d/ds.
      for (let i = 0; i < skills.length; i++) {
        const skill = skills[i] ?? 0;
        gradient[i] = skill * (gradient[i] ?? 0) + (k - 1) - skill / theta;
        curvature[i] = skill * skill * (curvature[i] ?? 0) + Math.max(k - 1, skill / theta);
      }
    },
  };
}

function invalid(match: number, what: string): Unsolvable {
  return new Unsolvable(`Match ${match + 1} of the history has ${what}.`, { match });
}
