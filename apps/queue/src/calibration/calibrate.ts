import type { MatchRated } from '@muster/contracts';
import {
  message,
  MusterError,
  RatingUnavailable,
  type CalibrationMatch,
  type Clock,
  type Ids,
  type PlayerRating,
  type QueueRules,
  type SkillBelief,
} from '@muster/domain';
import { beginSearch, conclude, searchDone, searchesAbout, type Search } from '@muster/skill';
import type { RatingClient } from '../services/rating.client.js';
import type { ConcludedSearch, PostgresCalibrationStore } from './calibration.store.js';
import { searchAfterMatch } from './calibration-evidence.js';

/** Players with at least this many matches are not calibrated: the rating service lists no matches for them. */
const newBelow = 60;
/** Seeds sent concurrently: one slow answer delays no other, and the rating service is not flooded. */
const batch = 20;

/** The level at which a newcomer plays next. */
export interface Probe {
  readonly level: number;
  readonly calibration: CalibrationMatch;
}

/**
 * Calibration of newcomers: a binary search for their level (see `searchAfter`).
 *
 * 1. A newcomer to the pool who queues gets a search. While it is open, they are matched at its probe.
 * 2. Each rated match moves the search exactly once.
 * 3. The last match concludes the search, using the searches of the players met. The rating service is asked to seed the
 *    mean and uncertainty found. The event id derives from pool and player, so a repeated request has no effect; a loop
 *    repeats requests that were not sent or not answered.
 */
export class Calibrate {
  constructor(
    private readonly store: Pick<PostgresCalibrationStore, keyof PostgresCalibrationStore>,
    private readonly ratings: Pick<RatingClient, 'ratingsOf' | 'seed'>,
    private readonly clock: Clock,
    private readonly ids: Ids,
    /** Called when a search ends without a rating. */
    private readonly dropped: (pool: string, playerId: string, why: string) => void,
  ) {}

  /**
   * Returns the probes of players who are being calibrated. Reads the store for newcomers alone, and never for a queue
   * without calibration.
   */
  async probes(
    { pool, calibrationMatches: matches = 0 }: QueueRules,
    ratings: readonly PlayerRating[],
  ): Promise<ReadonlyMap<string, Probe>> {
    const newcomers = matches > 0 ? ratings.filter((rating) => rating.matches < newBelow) : [];
    if (newcomers.length === 0) return new Map();
    const open = new Map(await this.store.open(pool, idsOf(newcomers)));
    const unsearched = newcomers.filter((rating) => isNewcomer(rating) && !open.has(rating.playerId));
    const [{ start } = {}] = unsearched;
    if (start) {
      const search = beginSearch({ ...rangeOf(start), matches });
      const created = await this.store.begin(pool, idsOf(unsearched), search, this.clock.now());
      for (const [playerId, theirs] of created) open.set(playerId, theirs);
    }
    return new Map(
      newcomers.flatMap((rating) => {
        const search = open.get(rating.playerId);
        return search && startedFrom(search, rating.start) ? [[rating.playerId, probe(search)]] : [];
      }),
    );
  }

  /** Counts a rated match for the players who are being calibrated. @returns whether it concluded any search */
  async count(match: MatchRated): Promise<boolean> {
    const { matchId, pool, players } = match;
    const open = await this.store.open(pool, idsOf(players));
    let concluded = false;
    for (const playerId of open.keys()) {
      const after = (search: Search): Search => searchAfterMatch(search, match, playerId);
      const moved = await this.store.move(pool, playerId, matchId, after, this.clock.now());
      if (moved === 'concluded') concluded = true;
    }
    return concluded;
  }

  /**
   * Requests seeds for concluded searches. Idempotent and safe to run concurrently.
   *
   * @returns whether more may be pending
   * @throws the first error of a seed, after all were requested
   */
  async settle(): Promise<boolean> {
    const concluded = await this.store.concluded(batch);
    const all = await Promise.allSettled(concluded.map((each) => this.seed(each)));
    for (const one of all) if (one.status === 'rejected') throw one.reason;
    return concluded.length === batch;
  }

  private async seed({ pool, playerId, search }: ConcludedSearch): Promise<void> {
    // Whatever the state of the others' searches: their results since then tell whom this player met.
    const about = await searchesAbout(playerId, search, (ids) => this.store.searches(pool, ids));
    const sameUnits = [...about].filter(([, { from, to }]) => from === search.from && to === search.to);
    const { mu, sigma } = conclude(search, playerId, new Map(sameUnits));
    try {
      const [rating] = await this.ratings.ratingsOf(pool, [playerId]);
      if (!startedFrom(search, rating?.start)) {
        await this.drop(pool, playerId, 'the pool has another start now, so the search is in other units');
        return;
      }
      const eventId = this.ids.derive('cal', JSON.stringify([pool, playerId]));
      const { of: matches, wins: won } = search;
      const reason = [message('rating.calibrated', { matches, won, mu, sigma })];
      await this.ratings.seed(pool, playerId, { mu, sigma }, eventId, reason);
      await this.store.seeded(pool, playerId, this.clock.now());
    } catch (error) {
      if (!(error instanceof MusterError) || error instanceof RatingUnavailable) throw error;
      await this.drop(pool, playerId, error.message);
    }
  }

  private async drop(pool: string, playerId: string, why: string): Promise<void> {
    await this.store.dropped(pool, playerId, this.clock.now());
    this.dropped(pool, playerId, why);
  }
}

function idsOf(players: readonly { readonly playerId: string }[]): string[] {
  return players.map((player) => player.playerId);
}

/** A player whose rating was set, for instance by an operator, is not a newcomer, even without matches. */
function isNewcomer({ mu, sigma, matches, start }: PlayerRating): boolean {
  return matches === 0 && start !== undefined && start.sigma > 0 && mu === start.mu && sigma === start.sigma;
}

/** The range of newcomers' levels: three standard deviations to either side of the mean. */
function rangeOf({ mu, sigma }: SkillBelief): { from: number; to: number } {
  return { from: mu - 3 * sigma, to: mu + 3 * sigma };
}

/** Whether a search has the units of a pool with this start. Units change when the pool's model changes. */
function startedFrom({ from, to }: Search, start: SkillBelief | undefined): boolean {
  if (!start) return false;
  const now = rangeOf(start);
  const nothing = 1e-6 * (to - from);
  return Math.abs(now.from - from) <= nothing && Math.abs(now.to - to) <= nothing;
}

function probe(search: Search): Probe {
  const { matches, of } = search;
  return {
    level: search.probe,
    calibration: { match: searchDone(search) ? of : matches + 1, of },
  };
}
