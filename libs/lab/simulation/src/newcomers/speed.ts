import { seededRandom, type Random, type SkillBelief } from '@muster/domain';
import {
  modelOf,
  conclude,
  evidenceOf,
  beliefAfter,
  fitPool,
  measuredBy,
  beginSearch,
  searchAfter,
  searchDone,
  type RatingModel,
  type StatsOfMatch,
  type PoolFit,
} from '@muster/skill';
import { informationOf, leastError, leastMatches } from './information.js';
import { beta, gapIn, known, meetingOf, newcomer, normal, playAt, ratedAfter, start } from './world.js';

/** How newcomers are placed in a simulation of its speed. */
export interface SpeedTrial {
  readonly teamSize: number;
  /** Matches of calibration; 0 is the model from its own start, matched by its own mean. */
  readonly calibration: number;
  /** The model that rates what is not calibrated; by default that of pools. */
  readonly model?: string | undefined;
  /** The matches after which estimates are compared with the truth. */
  readonly followed: number;
  /** Share of the variance of skill that the stats of a whole calibration explain; absent: no stats. */
  readonly explained?: number | undefined;
}

/** How fast newcomers are placed. */
export interface PlacementSpeed {
  /** Matches until the estimate stays within half a sigma of the truth, to the last match followed: the median. */
  readonly matches: number | null;
  /** Root mean square error in the unit of the skills after ten matches. */
  readonly errorAfterTen: number;
}

/** The same of a simulation, with the information of its matches. */
export interface SimulatedSpeed extends PlacementSpeed {
  /** Mean Fisher information about the newcomer of each match, in their order. */
  readonly information: readonly number[];
}

/** Matches of the calibrations that are compared. */
const calibration = 10;
/** What a stat has more in a match won. It is luck, and the fit is to take it out. */
const ofOutcome = 10;
const defaultModel = 'openskill-plackett-luce';

const informed = (teamSize: number) => ({ teamSize, performance: beta, doubt: known });

/**
 * Follows simulated newcomers match by match, as the service would place them: the search, then its conclusion, with the
 * stats of its matches if there are any, as the start of the pool's model.
 *
 * @param random the only source of chance
 */
export function simulateSpeed(trial: SpeedTrial, players: number, random: Random): SimulatedSpeed {
  const setting: Setting = {
    ...trial,
    rating: modelOf(trial.model ?? defaultModel),
    stats: trial.explained === undefined ? null : statsWorld(trial.explained, random),
  };
  const counts = Array.from({ length: trial.followed + 2 }, () => 0);
  const information = Array.from({ length: trial.followed }, () => 0);
  let squares = 0;
  for (let i = 0; i < players; i++) {
    const truth = normal(random, start.mu, start.sigma);
    const course = courseOf(setting, truth, random);
    const errors = course.beliefs.map(({ mu }) => mu - truth);
    const lastFar = errors.findLastIndex((error) => Math.abs(error) > start.sigma / 2);
    counts[lastFar + 1] = (counts[lastFar + 1] ?? 0) + 1;
    squares += (errors[calibration] ?? 0) ** 2;
    for (const [k, gap] of course.gaps.entries())
      information[k] = (information[k] ?? 0) + informationOf(informed(trial.teamSize), gap) / players;
  }
  let settled = 0;
  const median = counts.findIndex((count) => (settled += count) >= players / 2);
  return {
    matches: median <= trial.followed ? median : null,
    errorAfterTen: Math.sqrt(squares / players),
    information,
  };
}

interface Setting extends SpeedTrial {
  readonly rating: RatingModel;
  readonly stats: StatsWorld | null;
}

interface StatsWorld {
  readonly placement: PoolFit;
  readonly of: (truth: number, won: boolean) => StatsOfMatch;
}

interface Course {
  /** Before the first match, and after each. */
  readonly beliefs: readonly SkillBelief[];
  /** How far the newcomer was above an even match, by match. */
  readonly gaps: readonly number[];
}

function courseOf(setting: Setting, truth: number, random: Random): Course {
  const { stats, rating } = setting;
  const beliefs: SkillBelief[] = [start];
  const gaps: number[] = [];
  const rows: StatsOfMatch[] = [];
  const range = { from: start.mu - 3 * start.sigma, to: start.mu + 3 * start.sigma };
  let search = setting.calibration > 0 ? beginSearch({ ...range, matches: setting.calibration }) : null;
  let belief = start;
  for (let i = 0; i < setting.followed; i++) {
    const match = playAt(search ? search.probe : belief.mu, setting, truth, random);
    gaps.push(gapIn(match, truth));
    if (search) {
      if (stats) rows.push(stats.of(truth, match.won));
      const meeting = meetingOf(match, i);
      const evidence = evidenceOf(meeting, newcomer, search);
      if (evidence) search = searchAfter(search, evidence.outcome, evidence, meeting);
      belief = conclude(search, newcomer);
      if (searchDone(search)) {
        const measured = stats && measuredBy(stats.placement, rows);
        if (measured) belief = beliefAfter(belief, measured);
        search = null;
      }
    } else {
      belief = ratedAfter(rating, belief, match);
    }
    beliefs.push(belief);
  }
  return { beliefs, gaps };
}

/** A stat that says so much about skill, and the fit of a pool that reports it. */
function statsWorld(explained: number, random: Random): StatsWorld {
  const noise = start.sigma * Math.sqrt((calibration * (1 - explained)) / explained);
  const of = (truth: number, won: boolean): StatsOfMatch => ({
    numbers: { damage: truth + normal(random, 0, noise) + (won ? ofOutcome : 0) },
    outcome: won ? 1 : 0,
  });
  const history = Array.from({ length: 500 }, (_, player) => {
    const rating = { mu: normal(random, start.mu, Math.sqrt(start.sigma ** 2 - known ** 2)), sigma: known };
    const truth = normal(random, rating.mu, known);
    return Array.from({ length: 2 * calibration }, (_match, m) => ({
      player: `p${player}`,
      match: `m${player}-${m}`,
      rating,
      ...of(truth, random() < 0.5),
    }));
  }).flat();
  const demands = { leastR2: 0.01, minMatches: 200, window: calibration };
  return { placement: fitPool(history, demands), of };
}

/** All ways to place newcomers in matches of one size. */
export interface SpeedComparison {
  readonly title: string;
  /** The default model from its own start. */
  readonly openskill: PlacementSpeed;
  /** Calibration, then the default model, or TrueSkill. */
  readonly calibration: PlacementSpeed;
  readonly trueskill: PlacementSpeed;
  /** Calibration with stats that explain so much, then the default model. */
  readonly withStats: readonly (PlacementSpeed & { readonly explained: number })[];
  /** The bound of results: by the information of the matches of calibration and TrueSkill. */
  readonly bound: PlacementSpeed;
  /** The same if every match had been even. */
  readonly evenBound: PlacementSpeed;
}

/** The least that an estimate from matches of this information can need. */
export function boundOf(perMatch: readonly number[]): PlacementSpeed {
  const ofTen = perMatch.slice(0, 10).reduce((sum, each) => sum + each, 0);
  return {
    matches: leastMatches({ spread: start.sigma, perMatch, within: start.sigma / 2 }),
    errorAfterTen: leastError(start.sigma, ofTen),
  };
}

/** The same for even matches. */
export function evenBoundOf(teamSize: number, followed: number): PlacementSpeed {
  return boundOf(Array.from({ length: followed }, () => informationOf(informed(teamSize))));
}

/** Compares the speed of placements, for a benchmark. @param players newcomers per way */
export function comparePlacementSpeeds(players: number, seed: number): SpeedComparison[] {
  return [
    { title: 'duels', teamSize: 1, followed: 50 },
    { title: 'five a side', teamSize: 5, followed: 100 },
  ].map(({ title, teamSize, followed }) => {
    const run = (trial: Omit<SpeedTrial, 'teamSize' | 'followed'>): SimulatedSpeed =>
      simulateSpeed({ teamSize, followed, ...trial }, players, seededRandom(seed));
    const short = ({ matches, errorAfterTen }: SimulatedSpeed): PlacementSpeed => ({
      matches,
      errorAfterTen,
    });
    const trueskill = run({ calibration, model: 'trueskill' });
    return {
      title,
      openskill: short(run({ calibration: 0 })),
      calibration: short(run({ calibration })),
      trueskill: short(trueskill),
      withStats: [0.25, 0.5, 0.75].map((explained) => ({
        explained,
        ...short(run({ calibration, explained })),
      })),
      bound: boundOf(trueskill.information),
      evenBound: evenBoundOf(teamSize, followed),
    };
  });
}
