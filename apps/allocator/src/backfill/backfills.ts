import { textOf, viewsOf, type RequestBackfill, type SeatFilled } from '@muster/contracts';
import {
  BackfillNotFound,
  BackfillRefused,
  IdempotencyKeyReused,
  NotAllowed,
  ServerSuperseded,
  SessionNotFound,
  SessionWithdrawn,
  type BackfillFound,
  type BackfillStore,
  type BackfillView,
  type Clock,
  type Ids,
  type ServerIdentity,
} from '@muster/domain';
import type { Hearing } from '../fleet/hearing.js';
import { commandsOf, type Notifier } from '../fleet/notifier.js';

const batch = 100;

/** Servers that somebody left ask for players. */
export class Backfills {
  constructor(
    private readonly store: BackfillStore,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    private readonly ids: Ids,
    /** Sends the jobs of a commit at once instead of at the relay's next turn. */
    private readonly afterCommit: () => void,
    /** A server has so long to let players in, in milliseconds. */
    private readonly answerMs: number,
    private readonly hearing: Pick<Hearing, 'ownMs'>,
  ) {}

  /**
   * @param idempotencyKey with the same key and session, the same request is answered the same
   * @throws SessionNotFound, SessionWithdrawn, ServerSuperseded, NotAllowed, BackfillRefused, IdempotencyKeyReused
   */
  async request(
    sessionId: string,
    server: ServerIdentity,
    body: RequestBackfill,
    idempotencyKey?: string,
  ): Promise<BackfillView> {
    const { team, seats, leavers } = body;
    const backfillId =
      idempotencyKey === undefined
        ? this.ids.make('bfl')
        : this.ids.derive('bfl', JSON.stringify([sessionId, idempotencyKey]));
    const fingerprint = this.ids.fingerprint({ team, seats, leavers: leavers.toSorted() });
    const result = await this.store.request(
      sessionId,
      server,
      { backfillId, fingerprint, team, seats, leavers },
      this.clock.now(),
    );
    this.afterCommit();
    switch (result.outcome) {
      case 'open':
      case 'again':
        return result.backfill;
      case 'reused':
        throw new IdempotencyKeyReused(
          'This Idempotency-Key was sent with another request for players of the session; use a new one.',
          { sessionId },
        );
      case 'withdrawn':
        throw new SessionWithdrawn(`The session is ${result.state}, not live: nobody can come into it.`, {
          sessionId,
        });
      case 'superseded':
        throw new ServerSuperseded(
          `${server.serverId} registered anew since; ask for players under its new registration.`,
          { sessionId },
        );
      case 'not-yours':
        throw new NotAllowed(`${server.serverId} does not host the session ${sessionId}.`);
      case 'refused':
        throw new BackfillRefused(textOf(result.reason), {
          sessionId,
          detailMessages: viewsOf(result.reason),
        });
      case 'unknown':
        throw new SessionNotFound(`There is no session ${sessionId}.`, { sessionId });
    }
  }

  /** @throws BackfillNotFound, NotAllowed */
  async read(sessionId: string, backfillId: string, serverId: string): Promise<BackfillView> {
    return found(await this.store.find(sessionId, backfillId, serverId), backfillId);
  }

  /** @throws BackfillNotFound, NotAllowed */
  async withdraw(sessionId: string, backfillId: string, serverId: string): Promise<BackfillView> {
    const result = await this.store.withdraw(sessionId, backfillId, serverId, this.clock.now());
    this.afterCommit();
    return found(result, backfillId);
  }

  /** A ticket took seats: its server is told. */
  async seatFilled(taken: SeatFilled): Promise<void> {
    const serverId = await this.store.seatFilled(taken, this.clock.now());
    this.afterCommit();
    if (serverId !== null) this.notifier.wake(commandsOf(serverId));
  }

  /**
   * Takes back tickets that a server does not answer for; ends requests whose time, or whose match, is over.
   *
   * @returns whether there may be more
   */
  async sweep(): Promise<boolean> {
    const now = this.clock.now();
    // A server that could not be heard did not fail to answer.
    const heard = this.hearing.ownMs(now) >= this.answerMs;
    const late = heard ? await this.store.withdrawSeats(now - this.answerMs, batch) : [];
    const ended = await this.store.endOverdue(this.clock.now(), batch);
    if (late.length > 0 || ended.length > 0) this.afterCommit();
    return late.length === batch || ended.length === batch;
  }
}

function found(result: BackfillFound, backfillId: string): BackfillView {
  if (result.outcome === 'found') return result.backfill;
  if (result.outcome === 'not-yours') throw new NotAllowed('The session is hosted by another server.');
  throw new BackfillNotFound(`The session has no request ${backfillId}.`, { backfillId });
}
