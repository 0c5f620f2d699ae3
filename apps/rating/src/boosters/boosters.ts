import type { GrantBooster } from '@muster/contracts';
import {
  BoosterNotFound,
  BoosterRefused,
  IdempotencyKeyReused,
  Unsolvable,
  type BoosterRules,
  type Clock,
  type Ids,
  type RatingPool,
  type StoredRating,
  type UsableBooster,
} from '@muster/domain';
import { boosterTarget, type BoosterTarget } from '@muster/skill';
import { hiddenFor, standingAt, unrated } from '../core/current.js';
import { opened } from '../core/open-pool.js';
import type { PostgresRatings } from '../core/ratings.store.js';
import type { Booster, PostgresBoosters } from './boosters.store.js';

/** Grants, lists and revokes boosters, and says where one leads. Their matches are counted where matches are rated. */
export class Boosters {
  constructor(
    private readonly store: PostgresBoosters,
    private readonly ratings: Pick<PostgresRatings, 'pool' | 'of'>,
    private readonly clock: Clock,
    private readonly ids: Pick<Ids, 'make' | 'derive'>,
  ) {}

  /**
   * Grants a booster that its player can use now.
   *
   * @throws UnknownPool
   * @throws BoosterRefused when the pool has no boosters, the player has an open one, or the division is not within reach
   * @throws IdempotencyKeyReused when the event id stands for another booster
   */
  async grant(name: string, body: GrantBooster, by: string): Promise<Booster> {
    const { playerId, division, reason, eventId } = body;
    const { pool, ratings } = await this.ratings.of(name, [playerId]);
    const boosterId =
      eventId === undefined ? this.ids.make('bst') : this.ids.derive('bst', JSON.stringify([name, eventId]));
    // A repeat gets the same answer, whatever has changed since.
    const before = eventId === undefined ? null : await this.store.one(name, boosterId);
    if (before) return asked(before, body);
    const rules = rulesOf(pool);
    const matches = body.matches ?? rules.matches;
    if (matches > rules.matches)
      throw new BoosterRefused(
        `A booster of "${name}" has at most ${rules.matches} matches, not ${matches}.`,
        { pool: name },
      );
    targetOf(pool, rules, ratings.get(playerId) ?? unrated, division, this.clock.now());
    const { kFactor } = rules;
    const booster = { boosterId, pool: name, playerId, division, matches, kFactor, by, reason };
    const result = await this.store.grant(booster, this.clock.now());
    if (result.outcome === 'has-one')
      throw new BoosterRefused(
        `${playerId} has a booster for ${result.booster.division} with matches left; it is used or revoked first.`,
        { pool: name, boosterId: result.booster.boosterId },
      );
    return result.outcome === 'again' ? asked(result.booster, body) : result.booster;
  }

  /** A player's boosters, newest first. @throws UnknownPool */
  async list(name: string, playerId: string, limit: number): Promise<Booster[]> {
    await this.ratings.pool(name);
    return this.store.ofPlayer(name, playerId, limit);
  }

  /** Ends a booster: no match counts with it from now on. A repeat changes nothing. @throws UnknownPool, BoosterNotFound */
  async revoke(name: string, boosterId: string, reason: string, by: string): Promise<Booster> {
    await this.ratings.pool(name);
    const booster = await this.store.revoke(name, boosterId, by, reason, this.clock.now());
    if (!booster)
      throw new BoosterNotFound(
        `"${name}" has no booster ${boosterId}; GET /v1/pools/${name}/boosters lists those of a player.`,
        { pool: name },
      );
    return booster;
  }

  /**
   * The open booster of a player, and where it leads from the player's present division.
   *
   * @throws UnknownPool
   * @throws BoosterRefused when there is none, or it leads nowhere now
   */
  async usable(name: string, playerId: string): Promise<UsableBooster> {
    const [{ pool, ratings }, booster] = await Promise.all([
      this.ratings.of(name, [playerId]),
      this.store.open(name, playerId),
    ]);
    const rules = rulesOf(pool);
    if (!booster)
      throw new BoosterRefused(`${playerId} has no booster with matches left; queue without one.`, {
        pool: name,
      });
    const { boosterId, division } = booster;
    const rating = ratings.get(playerId) ?? unrated;
    return { boosterId, division, ...targetOf(pool, rules, rating, division, this.clock.now()) };
  }
}

/** @throws BoosterRefused when the pool has none */
function rulesOf({ name, rules }: RatingPool): BoosterRules {
  if (!rules.boosters)
    throw new BoosterRefused(
      `"${name}" has no boosters; an operator allows them with POST /v1/pools/${name}/rules.`,
      { pool: name },
    );
  return rules.boosters;
}

/** @throws BoosterRefused when the division is not within reach, or the player's own is still hidden */
function targetOf(
  pool: RatingPool,
  { divisions: most }: BoosterRules,
  rating: StoredRating,
  division: string,
  now: number,
): BoosterTarget {
  const open = opened(pool);
  const { seasons } = pool;
  const { division: own, seasonMatches } = standingAt(open, seasons, rating, now);
  const { hidden, left } = hiddenFor(open, seasons, rating.matches, seasonMatches);
  if (hidden)
    throw new BoosterRefused(
      `The player's division is hidden for ${left} more ${left === 1 ? 'match' : 'matches'}; a booster leads from a division that is shown.`,
      { pool: pool.name },
    );
  try {
    return boosterTarget(open.divisions, open.start, own, division, most);
  } catch (error) {
    if (!(error instanceof Unsolvable)) throw error;
    throw new BoosterRefused(error.message, { pool: pool.name });
  }
}

/** The booster that a repeat asks for. @throws IdempotencyKeyReused when the request was another one */
function asked(booster: Booster, { playerId, division, matches, reason }: GrantBooster): Booster {
  const isSame =
    booster.playerId === playerId &&
    booster.division === division &&
    booster.reason === reason &&
    (matches === undefined || booster.matches === matches);
  if (isSame) return booster;
  throw new IdempotencyKeyReused('This eventId was used for another booster; choose a new one.');
}
