import type { ServerIdentity } from '@muster/domain';
import { LRUCache } from 'lru-cache';
import type { PostgresTrust } from './trust.store.js';

const servers = 100_000;
/** A server that left a command unanswered meanwhile is noted as confirming again after this time. */
const confirmedMs = 60_000;

/** Notes what servers do, each thing once: most of it is known already. */
export class Trust {
  private readonly listening = new LRUCache<string, true>({ max: servers });
  private readonly confirming = new LRUCache<string, true>({ max: servers, ttl: confirmedMs });

  constructor(
    private readonly store: Pick<PostgresTrust, 'listens' | 'confirms'>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** A server asks for commands. */
  listens(server: ServerIdentity): void {
    const { serverId, incarnation } = server;
    this.once(this.listening, `${incarnation} ${serverId}`, () =>
      this.store.listens({ serverId, incarnation }),
    );
  }

  /** A server confirmed a session. */
  confirms({ serverId, incarnation }: ServerIdentity): void {
    this.once(this.confirming, `${incarnation} ${serverId}`, () => this.store.confirms(serverId));
  }

  /** Nobody waits for the note: without it the server is asked after others. */
  private once(known: LRUCache<string, true>, name: string, note: () => Promise<void>): void {
    if (known.has(name)) return;
    known.set(name, true);
    note().catch((error: unknown) => {
      known.delete(name);
      this.onError(error);
    });
  }
}
