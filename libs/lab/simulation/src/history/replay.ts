import type { Calibration } from '@muster/domain';
import {
  uncalibrated,
  calibrationFrom,
  mostToCalibrate,
  type AspectSkills,
  type SkillState,
  type Sample,
  type PooledMatch,
  type PoolModel,
  type PoolPrediction,
} from '@muster/skill';

/** A match of a recorded history, oldest first. */
export interface HistoricMatch extends Omit<PooledMatch, 'teams' | 'skills'> {
  /** Player ids by team. */
  readonly players: readonly (readonly string[])[];
  readonly ranks: readonly number[];
}

/** A calibration is learned again whenever the history has grown by this share, and by at least this many matches. */
const growth = 1.1;
const leastGrowth = 25;

/**
 * Replays a history in order, match by match: predict, then rate. The calibration is learned only from matches before the
 * predicted one, as in a pool from the latest `mostToCalibrate`. Memory grows with the players, not with the matches.
 */
export class Replay {
  private readonly states = new Map<string, SkillState>();
  private readonly skills = new Map<string, AspectSkills>();
  private readonly newcomer: SkillState;
  private recent: Sample[] = [];
  private matches = 0;
  private learnAt = leastGrowth;
  private calibration: Calibration = uncalibrated;

  constructor(private readonly pool: PoolModel) {
    this.newcomer = pool.model.initial();
  }

  /** Predicts the next match, then rates it. @throws Unsolvable on a match that the model cannot rate */
  take({ players, ranks, ...rest }: HistoricMatch): PoolPrediction {
    const { pool, states, newcomer, calibration } = this;
    const teams = players.map((team) => team.map((id) => states.get(id) ?? newcomer));
    const match = { ...rest, teams, skills: this.skillsOf(players) };
    const { predicted: prediction, after, skills } = pool.judge(match, ranks, calibration);
    skills?.forEach((team, t) => team.forEach((known, p) => this.skills.set(players[t]?.[p] ?? '', known)));
    players.forEach((team, t) => team.forEach((id, p) => states.set(id, after[t]?.[p] ?? newcomer)));
    this.recent.push({ raw: prediction.raw, features: prediction.features, ranks });
    if (this.recent.length >= 2 * mostToCalibrate) this.recent = this.recent.slice(-mostToCalibrate);
    if (++this.matches >= this.learnAt) {
      this.calibration = calibrationFrom(this.recent);
      this.learnAt = Math.max(this.learnAt + leastGrowth, Math.ceil(this.learnAt * growth));
    }
    return prediction;
  }

  private skillsOf(players: HistoricMatch['players']): AspectSkills[][] | undefined {
    if (this.skills.size === 0) return undefined;
    return players.map((team) => team.map((id) => this.skills.get(id) ?? []));
  }

  /** The latest matches, at least `mostToCalibrate` if there are as many. */
  get samples(): readonly Sample[] {
    return this.recent;
  }
}
