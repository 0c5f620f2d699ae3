import type { Clock } from '@muster/domain';
import { LRUCache } from 'lru-cache';
import type { PostgresPlayerNames } from './names.store.js';

/** Names that were stored a short while ago are not stored again: a client tells the same one with every call. */
const remembered = 50_000;
const rememberedMs = 600_000;

/** The display names of players: the last that a token or a server told. */
export class Names {
  private readonly stored: LRUCache<string, { readonly name: string; readonly at: number }>;

  constructor(
    private readonly store: Pick<PostgresPlayerNames, 'of' | 'note'>,
    private readonly clock: Clock,
  ) {
    this.stored = new LRUCache({ max: remembered });
  }

  of(playerIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.store.of(playerIds);
  }

  /** The name of a player; null: none is known. */
  async nameOf(playerId: string): Promise<string | null> {
    return (await this.of([playerId])).get(playerId) ?? null;
  }

  /** @returns how many were told */
  async note(names: Readonly<Record<string, string>>): Promise<number> {
    const told = Object.entries(names);
    const now = this.clock.now();
    const fresh = told.filter(([playerId, name]) => !this.isStored(playerId, name, now));
    if (fresh.length > 0) await this.store.note(new Map(fresh));
    for (const [playerId, name] of fresh) this.stored.set(playerId, { name, at: now });
    return told.length;
  }

  /** Notes the name in a player's token, if it has one. */
  async noteVouched({
    playerId,
    name,
  }: {
    readonly playerId: string;
    readonly name?: string;
  }): Promise<void> {
    if (name !== undefined) await this.note({ [playerId]: name });
  }

  private isStored(playerId: string, name: string, now: number): boolean {
    const known = this.stored.get(playerId);
    return known?.name === name && now - known.at < rememberedMs;
  }
}
