import { Banned, TimePast, type Ban, type Clock } from '@muster/domain';
import type { PostgresBans } from './ban.store.js';

/** Players whom operators keep from queues for a time. */
export class Bans {
  constructor(
    private readonly store: Pick<PostgresBans, 'of' | 'put' | 'lift' | 'list' | 'begunSince'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Refuses players who are banned.
   *
   * @param playerIds the leader first, who reads the refusal, and of others not why
   * @throws Banned with each of them, and until when
   */
  async check(playerIds: readonly string[]): Promise<void> {
    const now = this.clock.now();
    const bans = (await this.store.of(playerIds)).filter(({ until }) => until > now);
    const [first] = bans;
    if (!first) return;
    const own = bans.find(({ playerId }) => playerId === playerIds[0]);
    const { playerId, until, reason } = own ?? first;
    const at = new Date(until).toISOString();
    throw new Banned(
      own ? `You may not queue until ${at}: ${reason}` : `${playerId} may not queue until ${at}.`,
      {
        until: Math.max(...bans.map((ban) => ban.until)),
        players: bans.map((ban) => ({ playerId: ban.playerId, until: ban.until })),
      },
    );
  }

  /** The ban of a player that is in force. */
  async of(playerId: string): Promise<Ban | null> {
    const [ban] = await this.store.of([playerId]);
    return ban && ban.until > this.clock.now() ? ban : null;
  }

  /** Bans a player, or changes their ban. Idempotent. @throws TimePast */
  async put(playerId: string, said: Pick<Ban, 'reason' | 'until' | 'by'>): Promise<Ban> {
    const since = this.clock.now();
    if (said.until <= since) throw new TimePast('`until` must be in the future.', { until: said.until });
    await this.store.put({ playerId, ...said, since });
    return (await this.of(playerId)) ?? { playerId, ...said, since };
  }

  /** @returns whether there was one */
  lift(playerId: string): Promise<boolean> {
    return this.store.lift(playerId);
  }

  /** A page of bans in force, in the order of players. */
  async list(after: string, limit: number): Promise<{ bans: Ban[]; next: string | null }> {
    const bans = await this.store.list(this.clock.now(), after, limit);
    return { bans, next: bans.length === limit ? (bans.at(-1)?.playerId ?? null) : null };
  }

  /** Bans that began within a time before now, and are in force. */
  async begunWithin(ms: number, limit: number): Promise<Ban[]> {
    const now = this.clock.now();
    return (await this.store.begunSince(now - ms, limit)).filter(({ until }) => until > now);
  }
}

/** A ban as callers see it, beside its player. */
export function banViewOf({ reason, since, until, by }: Ban): Omit<Ban, 'playerId'> {
  return { reason, since, until, by };
}
