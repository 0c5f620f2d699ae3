import {
  UnknownPool,
  type Clock,
  type RatingPool,
  type SkillBelief,
  type StoredRating,
} from '@muster/domain';
import { meanWeight } from '@muster/skill';
import { stateAt } from '../core/current.js';
import { opened } from '../core/open-pool.js';
import type { PostgresRatings } from '../core/ratings.store.js';
import type { PostgresBots } from './bots.store.js';
import { poolFor } from './pool-choice.js';
import type { Answer, Game, Question } from './session.js';

/** The distance from the start value to weight 0 or 100, in start uncertainties. */
const reach = 3;
/** The maximum number of bots of a pool in the mean. */
const maxBots = 10_000;
/** The time for which the list of pools is cached. */
const poolsCacheMs = 1_000;

/** Models whose ratings are weights from 0 to 100. */
const weightModels = new Set(['log-weights', 'log-weights-scores', 'log-weights-kills']);

/**
 * A rating as a weight from 0 to 100, relative to its pool: the start value has weight 50, so that the default of a new
 * player keeps its meaning, and each start uncertainty is a sixth of the range. Log weights are returned as they are.
 * The weight depends on no other player's rating, so it changes only when its player has played. Scaling to the best
 * and worst of the pool would give the two players of a new pool 0 and 100 after one match, and change every weight
 * whenever one of those two plays.
 *
 * @param start the pool's belief about a new player
 */
export function weightOf(model: string, { mu }: SkillBelief, start: SkillBelief): number {
  const weight = weightModels.has(model) ? mu : 50 + (50 * (mu - start.mu)) / (reach * start.sigma);
  return Math.min(100, Math.max(0, weight));
}

/**
 * Weights of players and bots, for servers that balance teams themselves. Ratings are not cached; the store batches
 * concurrent reads.
 */
export class Weights {
  private pools: { readonly atMs: number; readonly read: Promise<readonly RatingPool[]> } | null = null;

  constructor(
    private readonly ratings: Pick<PostgresRatings, 'pools' | 'pool' | 'of'>,
    private readonly bots: Pick<PostgresBots, 'of'>,
    private readonly clock: Clock,
  ) {}

  /** Answers a question of the line protocol. An unknown game becomes a reply. */
  async answer(question: Question): Promise<Answer> {
    const { kind, game } = question;
    try {
      if (kind === 'meanbot') return await this.meanBot(game);
      return { weight: await this[kind](game, question.id) };
    } catch (error) {
      if (error instanceof UnknownPool) return { refused: error.message };
      throw error;
    }
  }

  /** @returns null if the player has no rating @throws UnknownPool */
  async player(game: Game, playerId: string): Promise<number | null> {
    return (await this.known(game, playerId)).weight;
  }

  /** The weight of a bot; the mean of the pool's bots if it has no rating. @throws UnknownPool */
  async bot(game: Game, botId: string): Promise<number> {
    const { pool, weight } = await this.known(game, botId);
    return weight ?? (await this.meanOf(pool)).weight;
  }

  /** The mean over the pool's bots; 50 without any. @throws UnknownPool */
  async meanBot(game: Game): Promise<{ weight: number; count: number }> {
    return this.meanOf(await this.ratings.pool(await this.poolOf(game)));
  }

  private async known(
    game: Game,
    playerId: string,
  ): Promise<{ readonly pool: RatingPool; readonly weight: number | null }> {
    const { pool, ratings } = await this.ratings.of(await this.poolOf(game), [playerId]);
    return { pool, weight: weightsOf(pool, ratings, this.clock.now()).get(playerId) ?? null };
  }

  private async meanOf(pool: RatingPool): Promise<{ weight: number; count: number }> {
    const bots = weightsOf(pool, await this.bots.of(pool, maxBots), this.clock.now());
    return { weight: meanWeight([...bots.values()]), count: bots.size };
  }

  private async poolOf({ type, mutators }: Game): Promise<string> {
    return poolFor(await this.readPools(), type, mutators).name;
  }

  private readPools(): Promise<readonly RatingPool[]> {
    const nowMs = this.clock.now();
    if (this.pools && Math.abs(nowMs - this.pools.atMs) < poolsCacheMs) return this.pools.read;
    const read = this.ratings.pools();
    const held = { atMs: nowMs, read };
    this.pools = held;
    // A failed read is not cached: the next call tries again.
    read.catch(() => {
      if (this.pools === held) this.pools = null;
    });
    return read;
  }
}

/** Weights by player id, of players with a rating. */
function weightsOf(
  pool: RatingPool,
  ratings: ReadonlyMap<string, StoredRating>,
  now: number,
): Map<string, number> {
  const open = opened(pool);
  const { model, rules, start } = open;
  const weights = new Map<string, number>();
  for (const [playerId, rating] of ratings) {
    const belief = model.model.belief(stateAt(open, pool.seasons, rating, now));
    // After a reset a rating equals the start.
    const isUnrated = rating.matches === 0 && belief.mu === start.mu && belief.sigma === start.sigma;
    if (!isUnrated) weights.set(playerId, weightOf(rules.model, belief, start));
  }
  return weights;
}
