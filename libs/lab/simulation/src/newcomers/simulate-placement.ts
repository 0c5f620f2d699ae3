import { seededRandom, type Random, type SkillBelief } from '@muster/domain';
import { modelOf, conclude, evidenceOf, beginSearch, searchAfter } from '@muster/skill';
import {
  beta,
  meetingOf,
  newcomer,
  normal,
  playAt,
  ratedAfter,
  start,
  type PlacementWorld,
} from './world.js';

/** The placement method: the search, or OpenSkill Plackett–Luce from its own start. */
export type PlacementMethod = 'search' | 'openskill';

export interface PlacementTrial extends PlacementWorld {
  readonly method: PlacementMethod;
  /** Newcomers to place. */
  readonly players: number;
  readonly matches: number;
  /** A fixed true skill for every newcomer; drawn from the pool's own distribution when absent. */
  readonly truth?: number | undefined;
}

export interface PlacementScore {
  readonly players: number;
  /** Root mean square of estimate less truth, in the unit of the skills. */
  readonly error: number;
  /** Mean of estimate less truth. */
  readonly bias: number;
  /** Mean reported uncertainty. */
  readonly claimed: number;
  /** Share of truths within one, and within two, of the reported uncertainties: .683 and .954 when calibrated. */
  readonly within1: number;
  readonly within2: number;
}

/**
 * Places simulated newcomers. Each match puts the newcomer among others whose ratings are near the level that the method
 * requests (the probe, or the current mean) and whose true skills are near their ratings. Every performance is normal about
 * the true skill, and the side with the larger sum wins. Both methods get the same facts about the others.
 *
 * @param random the only source of chance: the same generator gives the same figures
 */
export function simulatePlacement(trial: PlacementTrial, random: Random): PlacementScore {
  const place = trial.method === 'search' ? placeBySearch : placeByOpenSkill;
  let [squares, sum, claimed, within1, within2] = [0, 0, 0, 0, 0];
  for (let i = 0; i < trial.players; i++) {
    const truth = trial.truth ?? normal(random, start.mu, start.sigma);
    const { mu, sigma } = place(trial, truth, random);
    const off = mu - truth;
    squares += off * off;
    sum += off;
    claimed += sigma;
    if (Math.abs(off) <= sigma) within1++;
    if (Math.abs(off) <= 2 * sigma) within2++;
  }
  const n = trial.players;
  return {
    players: n,
    error: Math.sqrt(squares / n),
    bias: sum / n,
    claimed: claimed / n,
    within1: within1 / n,
    within2: within2 / n,
  };
}

const smurf = start.mu + 2 * start.sigma;

/** The trials in the report. */
export const placementTrials: readonly (Omit<PlacementTrial, 'method' | 'players'> & {
  readonly title: string;
})[] = [
  { title: 'duels', matches: 10, teamSize: 1 },
  { title: 'five a side', matches: 10, teamSize: 5 },
  { title: 'duels, newcomer two sigma up', matches: 10, teamSize: 1, truth: smurf },
  { title: 'five a side, newcomer two sigma up', matches: 10, teamSize: 5, truth: smurf },
  { title: 'duels, noisier than believed', matches: 10, teamSize: 1, performance: 1.5 * beta },
];

/** One trial with both methods. */
export interface PlacementComparison {
  readonly title: string;
  readonly search: PlacementScore;
  readonly openskill: PlacementScore;
}

/** All trials with both methods, for a benchmark. @param players newcomers per trial and method */
export function comparePlacements(players: number, seed: number): PlacementComparison[] {
  const score = (
    trial: Omit<PlacementTrial, 'method' | 'players'>,
    method: PlacementMethod,
  ): PlacementScore => simulatePlacement({ ...trial, method, players }, seededRandom(seed));
  return placementTrials.map((trial) => ({
    title: trial.title,
    search: score(trial, 'search'),
    openskill: score(trial, 'openskill'),
  }));
}

function placeBySearch(trial: PlacementTrial, truth: number, random: Random): SkillBelief {
  let search = beginSearch({
    from: start.mu - 3 * start.sigma,
    to: start.mu + 3 * start.sigma,
    matches: trial.matches,
  });
  for (let i = 0; i < trial.matches; i++) {
    const meeting = meetingOf(playAt(search.probe, trial, truth, random), i);
    const evidence = evidenceOf(meeting, newcomer, search);
    if (evidence) search = searchAfter(search, evidence.outcome, evidence, meeting);
  }
  return conclude(search, newcomer);
}

const openskill = modelOf('openskill-plackett-luce');

function placeByOpenSkill(trial: PlacementTrial, truth: number, random: Random): SkillBelief {
  let belief = start;
  for (let i = 0; i < trial.matches; i++)
    belief = ratedAfter(openskill, belief, playAt(belief.mu, trial, truth, random));
  return belief;
}
