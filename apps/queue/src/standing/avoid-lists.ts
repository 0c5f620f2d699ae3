import {
  AvoidListFull,
  PlayerTwice,
  type Avoided,
  type AvoidedByList,
  type AvoidEntry,
  type Clock,
} from '@muster/domain';
import type { PostgresAvoidStore } from './avoid.store.js';

export interface AvoidListAnswer {
  readonly avoided: AvoidEntry[];
  readonly limit: number;
}

/** The players that a player avoids. A list is visible to its owner alone. */
export class AvoidLists {
  constructor(
    private readonly store: Pick<PostgresAvoidStore, 'put' | 'remove' | 'list'>,
    /** Most entries of one list. */
    private readonly limit: number,
    private readonly clock: Clock,
  ) {}

  async list(playerId: string): Promise<AvoidListAnswer> {
    return { avoided: await this.store.list(playerId), limit: this.limit };
  }

  /** @throws AvoidListFull; PlayerTwice when a player would avoid themselves */
  async put(playerId: string, avoided: Avoided): Promise<AvoidListAnswer> {
    if (avoided.playerId === playerId) throw new PlayerTwice('You cannot avoid yourself.', { playerId });
    const outcome = await this.store.put(playerId, avoided, this.limit, this.clock.now());
    if (outcome === 'full')
      throw new AvoidListFull(
        `Your list has ${this.limit} players, which is as many as it may have; take one off first.`,
        { limit: this.limit },
      );
    return this.list(playerId);
  }

  async remove(playerId: string, avoidedId: string): Promise<AvoidListAnswer> {
    await this.store.remove(playerId, avoidedId);
    return this.list(playerId);
  }
}

/**
 * The players to keep away from a ticket: those its players avoid, and those who avoid them. Members of one party have
 * agreed to play together. If one entry excludes a player from the match and another from the team, the match wins.
 *
 * @param around the store's entries for each player @param entries the newest entries of each list that count
 */
export function avoidedByTicket(
  playerIds: readonly string[],
  around: ReadonlyMap<string, readonly AvoidedByList[]>,
  entries = Infinity,
): Avoided[] {
  const scopes = new Map<string, Avoided['scope']>();
  for (const each of playerIds)
    for (const { playerId, scope, place } of around.get(each) ?? [])
      if (place < entries && !playerIds.includes(playerId) && scopes.get(playerId) !== 'match')
        scopes.set(playerId, scope);
  return [...scopes].map(([playerId, scope]) => ({ playerId, scope }));
}
