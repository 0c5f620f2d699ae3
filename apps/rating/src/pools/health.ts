import type { PoolHealth } from '@muster/contracts';
import type { LedgerStore } from '@muster/domain';
import { poolHealth } from '@muster/skill';
import type { Tuning } from '../placement/tuning.js';
import { opened } from './open-pool.js';

/** Reads the quality of a pool's predictions over time. */
export class ReadHealth {
  constructor(
    private readonly ledger: LedgerStore,
    private readonly tuning: Pick<Tuning, 'proposals'>,
  ) {}

  /** @throws UnknownPool */
  async of(name: string, matches: number, periods: number): Promise<PoolHealth> {
    const pool = await this.ledger.pool(name);
    const history = await this.ledger.rated(pool, matches);
    const proposals = await this.tuning.proposals(pool);
    const {
      overall,
      deciles,
      periods: parts,
    } = poolHealth(history.before, history.matches, periods, opened(pool).start.sigma);
    return {
      pool: name,
      version: pool.version,
      generation: pool.generation,
      ...(proposals.length > 0 ? { proposals } : {}),
      players: parts.at(-1)?.players ?? history.before.newcomers,
      overall,
      deciles: [...deciles],
      periods: [...parts],
    };
  }
}
