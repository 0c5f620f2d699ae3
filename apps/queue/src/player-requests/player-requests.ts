import type { MyData } from '@muster/contracts';
import { DataRequestsOff, type Clock, type PlayerRequestKind } from '@muster/domain';
import type { PostgresPlayerRequests } from './player-requests.store.js';

/** What players may ask for about their own data, and the state of it. The operator says which requests are taken. */
export class PlayerRequests {
  constructor(
    private readonly store: Pick<PostgresPlayerRequests, 'of' | 'ask' | 'withdraw'>,
    private readonly taken: readonly PlayerRequestKind[],
    private readonly clock: Clock,
  ) {}

  async of(playerId: string): Promise<MyData> {
    const requests = await this.store.of(playerId);
    return {
      playerId,
      taken: [...this.taken],
      requests: requests.map((request) => ({
        ...request,
        state: request.doneAt === null ? ('waiting' as const) : ('done' as const),
      })),
    };
  }

  /** Idempotent. @throws DataRequestsOff where the operator does not take such requests */
  async ask(playerId: string, kind: PlayerRequestKind): Promise<MyData> {
    if (!this.taken.includes(kind))
      throw new DataRequestsOff(
        `This Muster takes no requests for an ${kind} from players; ask the operator of the game.`,
        { kind },
      );
    await this.store.ask(playerId, kind, this.clock.now());
    return this.of(playerId);
  }

  /** Withdraws a request that waits. Idempotent. */
  async withdraw(playerId: string, kind: PlayerRequestKind): Promise<MyData> {
    await this.store.withdraw(playerId, kind);
    return this.of(playerId);
  }
}
