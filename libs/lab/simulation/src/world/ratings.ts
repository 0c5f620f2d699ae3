import type { Calibration, PoolRules, Random } from '@muster/domain';
import { fitCalibration, poolModelOf, uncalibrated, type PoolModel, type SkillState } from '@muster/skill';
import { drawNormal } from '../chance/draws.js';
import type { Population } from '../population/population.js';
import { play, strengthOf } from './contest.js';

/** A match in the pool's form. */
export interface TeamsToRate {
  readonly states: readonly (readonly SkillState[])[];
  /** Sizes of the parties of each team, solos left out. */
  readonly parties: readonly (readonly number[])[];
}

/** Matches from which the pool has learned its calibration before the simulation. */
const history = 3_000;
/** One in this many of their players was a newcomer. */
const newcomerShare = 0.02;

/**
 * The rating pool of the simulation: the real model, with chances calibrated by a history of earlier matches. The
 * calibration stays constant, so that all matchers are measured alike.
 */
export class SimulatedPool {
  readonly model: PoolModel;
  private readonly calibration: Calibration;

  /**
   * @param teams number of teams, of `teamSize` players each
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
    return this.model.judge({ teams: states, situation: { parties } }, ranks, this.calibration).after;
  }
}

/** A calibration of the model, learned from matches of players about a level. */
function learned(
  pool: PoolModel,
  { skill }: Population,
  teams: number,
  teamSize: number,
  random: Random,
): Calibration {
  const { mean, sigma, performance, ratingError } = skill;
  const player = (level: number): { state: SkillState; truth: number } => {
    const isNewcomer = random() < newcomerShare;
    const drawn = drawNormal(random);
    if (isNewcomer) return { state: pool.model.initial(), truth: mean + sigma * drawn };
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
