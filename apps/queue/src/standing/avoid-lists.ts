import {
  AvoidListFull,
  PlayerTwice,
  type Avoided,
  type AvoidEntry,
  type AvoidStore,
  type Clock,
} from '@muster/domain';

export interface AvoidListAnswer {
  readonly avoided: AvoidEntry[];
  readonly limit: number;
}

/** Whom a player is kept away from. A list is its owner's alone. */
export class AvoidLists {
  constructor(
    private readonly store: Pick<AvoidStore, 'put' | 'remove' | 'list'>,
    /** Entries of one list at the most. */
    private readonly limit: number,
    private readonly clock: Clock,
  ) {}

  async list(playerId: string): Promise<AvoidListAnswer> {
    return { avoided: await this.store.list(playerId), limit: this.limit };
  }

  /** @throws AvoidListFull; PlayerTwice when somebody would avoid themselves */
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
 * Whom a ticket is to be kept away from: whom its players avoid, and who avoids them. Those who queue together have agreed to.
 * What one keeps off the match and another off the team is kept off the match.
 *
 * @param around what the store tells of each player
 */
export function avoidedByTicket(
  playerIds: readonly string[],
  around: ReadonlyMap<string, readonly Avoided[]>,
): Avoided[] {
  const scopes = new Map<string, Avoided['scope']>();
  for (const each of playerIds)
    for (const { playerId, scope } of around.get(each) ?? [])
      if (!playerIds.includes(playerId) && scopes.get(playerId) !== 'match') scopes.set(playerId, scope);
  return [...scopes].map(([playerId, scope]) => ({ playerId, scope }));
}
