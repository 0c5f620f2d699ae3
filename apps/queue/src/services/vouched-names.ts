import { Batcher, type Clock } from '@muster/domain';
import { LRUCache } from 'lru-cache';
import type { RatingClient } from './rating.client.js';

/** Names of one call. */
const atOnce = 200;
/** A name that was told is not told again for this time: a player queues many times an hour. */
const rememberedMs = 600_000;
const remembered = 50_000;

/**
 * Passes the display names in players' tokens on to the rating service, which stores them. No ticket waits for it: a name that
 * could not be told is told with the player's next ticket.
 */
export class VouchedNames {
  private readonly told: LRUCache<string, { readonly name: string; readonly at: number }>;
  private readonly names: Batcher<{ playerId: string; name: string }, void>;

  constructor(
    teller: Pick<RatingClient, 'noteNames'>,
    private readonly clock: Clock,
    private readonly failed: (error: unknown) => void,
  ) {
    this.told = new LRUCache({ max: remembered });
    this.names = new Batcher(
      atOnce,
      async (names) => {
        await teller.noteNames(names);
        return names.map(() => undefined);
      },
      () => false,
    );
  }

  note({ playerId, name }: { readonly playerId: string; readonly name?: string }): void {
    if (name === undefined) return;
    const now = this.clock.now();
    const known = this.told.get(playerId);
    if (known?.name === name && now - known.at < rememberedMs) return;
    this.told.set(playerId, { name, at: now });
    this.names.submit('', { playerId, name }).catch((error: unknown) => {
      this.told.delete(playerId);
      this.failed(error);
    });
  }
}
