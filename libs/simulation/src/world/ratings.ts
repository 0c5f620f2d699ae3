import type { Calibration, PoolRules, Random } from '@muster/domain';
import { fitCalibration, poolModelOf, uncalibrated, type PoolModel, type SkillState } from '@muster/skill';
import { drawNormal } from '../chance/draws.js';
import type { Population } from '../population/population.js';
import { play, strengthOf } from './contest.js';

/** A match as the pool rates it. */
export interface TeamsToRate {
  readonly states: readonly (readonly SkillState[])[];
  /** Sizes of the parties of each team, solos left out. */
  readonly parties: readonly (readonly number[])[];
}

/** Matches that the pool has learned its calibration from when the simulation begins. */
const history = 3_000;
/** One in so many of their players was a stranger. */
const strangerShare = 0.02;

/**
 * The rating pool of the simulation: the real model, and chances calibrated by a history of matches that were played before. The
 * calibration stays as it is, so that all matchers are measured by one yardstick.
 */
export class SimulatedPool {
  readonly model: PoolModel;
  private readonly calibration: Calibration;

  /**
   * @param teams how many meet, of `teamSize` players each
   * @param random draws the history
   * @throws Unsolvable when the rules name no model
   */
  constructor(rules: PoolRules, population: Population, teams: number, teamSize: number, random: Random) {
    this.model = poolModelOf(rules);
    this.calibration = learned(this.model, population, teams, teamSize, random);
  }

  /** The chance of each team, in team order. */
  predict({ states, parties }: TeamsToRate): readonly number[] {
    return this.model.predict({ teams: states, situation: { parties } }, this.calibration).chances;
  }

  rate({ states, parties }: TeamsToRate, ranks: readonly number[]): SkillState[][] {
    return this.model.rate({ teams: states, situation: { parties } }, ranks, this.calibration);
  }
}

/** How honest the model's chances are, learned from matches of players about a level. */
function learned(
  pool: PoolModel,
  { skill }: Population,
  teams: number,
  teamSize: number,
  random: Random,
): Calibration {
  const { mean, sigma, performance, ratingError } = skill;
  const player = (level: number): { state: SkillState; truth: number } => {
    const isStranger = random() < strangerShare;
    const drawn = drawNormal(random);
    if (isStranger) return { state: pool.model.initial(), truth: mean + sigma * drawn };
    const truth = level + (sigma / 4) * drawn;
    return {
      state: pool.model.seed({ mu: truth + ratingError * drawNormal(random), sigma: ratingError }),
      truth,
    };
  };
  const samples = Array.from({ length: history }, () => {
    const level = mean + sigma * drawNormal(random);
    const players = Array.from({ length: teams }, () =>
      Array.from({ length: teamSize }, () => player(level)),
    );
    const states = players.map((team) => team.map(({ state }) => state));
    const { raw, features } = pool.predict({ teams: states }, uncalibrated);
    const strengths = players.map((team) =>
      strengthOf(
        team.map(({ truth }) => truth),
        performance,
      ),
    );
    return { raw, features, ranks: play(strengths, random) };
  });
  return fitCalibration(samples);
}
