import type { MatchRated } from '@muster/contracts';
import {
  message,
  MusterError,
  RatingUnavailable,
  type CalibrationMatch,
  type CalibrationStore,
  type Clock,
  type ConcludedSearch,
  type Ids,
  type PlayerRating,
  type QueueRules,
  type RatingReader,
  type Said,
  type SkillBelief,
} from '@muster/domain';
import { beginSearch, conclude, probeOf, searchDone, searchesAbout, type Search } from '@muster/skill';
import { searchAfterMatch } from './calibration-evidence.js';

/** Whoever has played this many matches is calibrated no more: rating tells of no match of theirs. */
const newBelow = 60;
/** Seeded at once: one slow answer holds up nobody, and rating is not flooded. */
const batch = 20;

/** Gives players the ratings that their calibrations ended with. */
export interface Seeds {
  /**
   * @param eventId the same one counts once
   * @throws MusterError when no repeat can make it succeed; anything else when one may
   */
  seed(pool: string, playerId: string, belief: SkillBelief, eventId: string, reason: Said): Promise<void>;
}

/** The level at which a newcomer is tried out next. */
export interface Probe {
  readonly level: number;
  readonly calibration: CalibrationMatch;
}

/**
 * Calibration matches of newcomers: their level is searched for by halving (see `searchAfter`).
 *
 * 1. Whoever queues as a stranger to the pool gets a search begun. While it is open they are matched at its probe.
 * 2. Each rated match moves it, exactly once.
 * 3. The last one concludes it, together with the searches of those whom the player met, and rating is asked to give what was
 *    found: mean and uncertainty. The event's id derives from pool and player, so that asking again changes nothing, and a loop
 *    asks for all that were not asked or not answered.
 */
export class Calibrate {
  constructor(
    private readonly store: CalibrationStore<Search>,
    private readonly ratings: RatingReader,
    private readonly seeds: Seeds,
    private readonly clock: Clock,
    private readonly ids: Ids,
    /** Told of a search that ends without a rating. */
    private readonly dropped: (pool: string, playerId: string, why: string) => void,
  ) {}

  /** The probes of those who are calibrated. Asks the store only about newcomers, and not at all for a queue without calibration. */
  async probes(
    { pool, calibrationMatches: matches = 0 }: QueueRules,
    ratings: readonly PlayerRating[],
  ): Promise<ReadonlyMap<string, Probe>> {
    const newcomers = matches > 0 ? ratings.filter((rating) => rating.matches < newBelow) : [];
    if (newcomers.length === 0) return new Map();
    const open = new Map(await this.store.open(pool, idsOf(newcomers)));
    const strangers = newcomers.filter((rating) => isStranger(rating) && !open.has(rating.playerId));
    const [{ start } = {}] = strangers;
    if (start) {
      const search = beginSearch({ ...rangeOf(start), matches });
      const begun = await this.store.begin(pool, idsOf(strangers), search, this.clock.now());
      for (const [playerId, theirs] of begun) open.set(playerId, theirs);
    }
    return new Map(
      newcomers.flatMap((rating) => {
        const search = open.get(rating.playerId);
        return search && startedFrom(search, rating.start) ? [[rating.playerId, probe(search)]] : [];
      }),
    );
  }

  /** Counts a rated match for those of its players who are calibrated. @returns whether it was the last of any of them */
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
   * Has rating seed what was concluded. Safe to run again and by several at once.
   *
   * @returns whether there may be more
   * @throws what kept a seed from being given, once the others were asked for
   */
  async settle(): Promise<boolean> {
    const concluded = await this.store.concluded(batch);
    const all = await Promise.allSettled(concluded.map((each) => this.seed(each)));
    for (const one of all) if (one.status === 'rejected') throw one.reason;
    return concluded.length === batch;
  }

  private async seed({ pool, playerId, search }: ConcludedSearch<Search>): Promise<void> {
    // In whatever state the others' searches are: what they did since says whom this player met.
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
      await this.seeds.seed(pool, playerId, { mu, sigma }, eventId, reason);
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

/** Whoever was given a rating, by an operator for one, is none, even if they have not played. */
function isStranger({ mu, sigma, matches, start }: PlayerRating): boolean {
  return matches === 0 && start !== undefined && start.sigma > 0 && mu === start.mu && sigma === start.sigma;
}

/** Where newcomers come from: three standard deviations to either side of their mean. */
function rangeOf({ mu, sigma }: SkillBelief): { from: number; to: number } {
  return { from: mu - 3 * sigma, to: mu + 3 * sigma };
}

/** Whether a search is in the units of a pool that starts like this. A pool that was given another model is not. */
function startedFrom({ from, to }: Search, start: SkillBelief | undefined): boolean {
  if (!start) return false;
  const now = rangeOf(start);
  const nothing = 1e-6 * (to - from);
  return Math.abs(now.from - from) <= nothing && Math.abs(now.to - to) <= nothing;
}

function probe(search: Search): Probe {
  const { matches, of } = search;
  return {
    level: probeOf(search),
    calibration: { match: searchDone(search) ? of : matches + 1, of },
  };
}
