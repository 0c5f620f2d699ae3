import type { Clock, LedgerStore, RatingPool, SkillBelief, StoredRating } from '@muster/domain';
import { meanWeight } from '@muster/skill';
import { opened, type OpenPool } from '../pools/open-pool.js';
import { poolFor } from './pool-choice.js';
import { stateOf } from '../ledger/rater.js';

/** What a question about a weight is asked in: it chooses the pool. */
export interface PlayedGame {
  readonly type: string;
  readonly mutators: readonly string[];
}

/** A mean weight, and of how many bots it is. */
export interface MeanBot {
  readonly weight: number;
  readonly count: number;
}

/** How far from the start value, in start uncertainties, a rating has weight 0 or 100. */
const reach = 3;
/** More bots than this of one pool are not looked at. */
const mostBots = 10_000;
/** For so long the list of pools may be what it was. */
const poolsFreshMs = 1_000;

/** Their ratings are weights from 0 to 100 already. */
const weightModels = new Set(['log-weights', 'log-weights-scores', 'log-weights-kills']);

/**
 * A rating as a weight from 0 to 100, in the pool's own terms: its start value weighs 50, so that a stranger's default keeps its
 * meaning, and each start uncertainty is a sixth of the whole. Log weights are what they are. It depends on nobody else's rating,
 * so that a weight moves only when its player has played; stretching it to the best and worst of the pool would give the two
 * players of a new pool 0 and 100 after one match, and move everybody whenever one of those two plays.
 *
 * @param start what the pool believes of a stranger
 */
export function weightOf(model: string, { mu }: SkillBelief, start: SkillBelief): number {
  const weight = weightModels.has(model) ? mu : 50 + (50 * (mu - start.mu)) / (reach * start.sigma);
  return Math.min(100, Math.max(0, weight));
}

/**
 * Weights of players and bots, for servers that balance teams themselves. Each is read when it is asked for; the store reads
 * together what is asked at once.
 */
export class Weights {
  private pools: { readonly atMs: number; readonly read: Promise<readonly RatingPool[]> } | null = null;

  constructor(
    private readonly ledger: Pick<LedgerStore, 'pools' | 'pool' | 'ratings' | 'bots'>,
    private readonly clock: Clock,
  ) {}

  /** @returns null when the pool knows nothing of the player @throws UnknownPool */
  async player(game: PlayedGame, playerId: string): Promise<number | null> {
    return (await this.known(game, playerId)).weight;
  }

  /** The mean bot's weight for one that the pool does not know. @throws UnknownPool */
  async bot(game: PlayedGame, botId: string): Promise<number> {
    const { pool, weight } = await this.known(game, botId);
    return weight ?? (await this.meanOf(pool)).weight;
  }

  /** Over the bots that the pool knows; 50 of none. @throws UnknownPool */
  async meanBot(game: PlayedGame): Promise<MeanBot> {
    return this.meanOf(await this.ledger.pool(await this.poolOf(game)));
  }

  private async known(
    game: PlayedGame,
    playerId: string,
  ): Promise<{ readonly pool: RatingPool; readonly weight: number | null }> {
    const { pool, ratings } = await this.ledger.ratings(await this.poolOf(game), [playerId]);
    return { pool, weight: weigh(opened(pool), ratings).get(playerId) ?? null };
  }

  private async meanOf(pool: RatingPool): Promise<MeanBot> {
    const bots = weigh(opened(pool), await this.ledger.bots(pool, mostBots));
    return { weight: meanWeight([...bots.values()]), count: bots.size };
  }

  private async poolOf({ type, mutators }: PlayedGame): Promise<string> {
    return poolFor(await this.readPools(), type, mutators).name;
  }

  private readPools(): Promise<readonly RatingPool[]> {
    const nowMs = this.clock.now();
    if (this.pools && Math.abs(nowMs - this.pools.atMs) < poolsFreshMs) return this.pools.read;
    const read = this.ledger.pools();
    const held = { atMs: nowMs, read };
    this.pools = held;
    // A read that failed is not kept: the next one who asks tries again.
    read.catch(() => {
      if (this.pools === held) this.pools = null;
    });
    return read;
  }
}

/** Weights by player id, of those about whom something is known. */
function weigh(
  { model, rules, start }: OpenPool,
  ratings: ReadonlyMap<string, StoredRating>,
): Map<string, number> {
  const weights = new Map<string, number>();
  for (const [playerId, rating] of ratings) {
    const belief = model.model.belief(stateOf(model, rating));
    // A rating that was reset is a stranger's again.
    const isStrange = rating.matches === 0 && belief.mu === start.mu && belief.sigma === start.sigma;
    if (!isStrange) weights.set(playerId, weightOf(rules.model, belief, start));
  }
  return weights;
}
