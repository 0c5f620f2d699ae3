import type { Calibration, SkillBelief } from '@muster/domain';
import {
  calibrationFrom,
  defaultPoolRules,
  levelChances,
  newServer,
  poolModelOf,
  uncalibrated,
  watchMatch,
  type PlayerWatch,
  type Sample,
  type ServerWatch,
  type SkillState,
  type WatchContext,
  type WatchedMatch,
  type WatchedResult,
} from '@muster/skill';

/** A match of a history, oldest first. */
export interface HistoryMatch {
  readonly teams: readonly (readonly string[])[];
  readonly ranks: readonly number[];
  readonly server: string | null;
}

/** Thresholds that nothing reaches: evidence is only measured. */
export const unlimited: WatchContext['thresholds'] = {
  newcomer: Infinity,
  thrown: Infinity,
  collusion: Infinity,
  server: Infinity,
  alternate: Infinity,
};

/** A match is learned from when the history has grown by this factor. */
const growth = 1.25;
const leastToLearn = 200;

/** Rates a history as a pool of default rules does, and watches it: predict, watch, rate, learn. */
export class Ladder {
  readonly players = new Map<string, PlayerWatch>();
  readonly servers = new Map<string, ServerWatch>();
  readonly start: SkillBelief;
  private readonly pool = poolModelOf(defaultPoolRules);
  private readonly states = new Map<string, SkillState>();
  private readonly context: WatchContext;
  private samples: Sample[] = [];
  private calibration: Calibration = uncalibrated;
  private learnAt = leastToLearn;
  private matches = 0;

  /** @param thresholds infinite ones only measure */
  constructor(thresholds: WatchContext['thresholds']) {
    const { model } = this.pool;
    this.start = model.belief(model.initial());
    this.context = {
      start: this.start,
      thresholds,
      isClosed: () => false,
      levelChances: (match, team, player) =>
        levelChances(this.pool, this.start, this.calibration, match, team, player),
    };
  }

  /** The mean of a player's rating. */
  mean(playerId: string): number {
    return this.pool.model.belief(this.stateOf(playerId)).mu;
  }

  take({ teams, ranks, server }: HistoryMatch): { match: WatchedMatch; result: WatchedResult } {
    const { pool } = this;
    const states = teams.map((team) => team.map((id) => this.stateOf(id)));
    const { raw, chances, features } = pool.predict({ teams: states }, this.calibration);
    const before = states.map((team) => team.map((state) => pool.model.belief(state)));
    const sequence = ++this.matches;
    const match = { matchId: `m${sequence}`, sequence, teams, ranks, chances, before, server };
    const result = watchMatch(this, match, this.context);
    for (const [playerId, watch] of result.players) this.players.set(playerId, watch);
    if (server !== null) this.servers.set(server, result.server ?? newServer);
    const { after } = pool.judge({ teams: states }, ranks, this.calibration);
    teams.forEach((team, t) =>
      team.forEach((id, p) => this.states.set(id, after[t]?.[p] ?? pool.model.initial())),
    );
    this.learn({ raw, features, ranks });
    return { match, result };
  }

  private stateOf(playerId: string): SkillState {
    return this.states.get(playerId) ?? this.pool.model.initial();
  }

  private learn(sample: Sample): void {
    this.samples.push(sample);
    if (this.matches < this.learnAt) return;
    this.learnAt = Math.ceil(this.matches * growth);
    this.samples = this.samples.slice(-10_000);
    this.calibration = calibrationFrom(this.samples);
  }
}
