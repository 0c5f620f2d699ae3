import { textOf, viewsOf, type RequestBackfill, type SeatFilled } from '@muster/contracts';
import {
  BackfillNotFound,
  BackfillRefused,
  IdempotencyKeyReused,
  NotAllowed,
  SessionWithdrawn,
  type BackfillFound,
  type BackfillView,
  type Clock,
  type Ids,
  type PlacementTimeouts,
  type ServerIdentity,
} from '@muster/domain';
import { notHosted } from '../match-life/not-hosted.js';
import type { Hearing } from '../watch/hearing.js';
import { commandsOf, type Notifier } from '../watch/wake-ups.js';
import { type DueWork, isDue } from '../watch/due.js';
import type { PostgresBackfillStore } from './backfills.store.js';

const batch = 100;

/** Backfill requests of servers. */
export class Backfills {
  constructor(
    private readonly store: PostgresBackfillStore,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    private readonly ids: Ids,
    /** Relays the jobs of a commit immediately. */
    private readonly afterCommit: () => void,
    /** `answerMs`: the time in which a server must admit the players. */
    private readonly timeouts: Pick<PlacementTimeouts, 'answerMs'>,
    private readonly hearing: Pick<Hearing, 'ownMs'>,
    private readonly due: DueWork,
  ) {}

  /**
   * @param idempotencyKey a repeat of the same request for the session with the same key returns the first answer
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
          'This Idempotency-Key was sent with another backfill request of the session; use a new one.',
          { sessionId },
        );
      case 'withdrawn':
        throw new SessionWithdrawn(`The session is ${result.state}, not live: players cannot join it.`, {
          sessionId,
        });
      case 'refused':
        throw new BackfillRefused(textOf(result.reason), {
          sessionId,
          detailMessages: viewsOf(result.reason),
        });
      default:
        throw notHosted(result.outcome, server, sessionId, 'request players');
    }
  }

  /** @throws BackfillNotFound, NotAllowed */
  async read(sessionId: string, backfillId: string, serverId: string): Promise<BackfillView> {
    return backfillOf(await this.store.find(sessionId, backfillId, serverId), backfillId);
  }

  /** @throws BackfillNotFound, NotAllowed */
  async withdraw(sessionId: string, backfillId: string, serverId: string): Promise<BackfillView> {
    const result = await this.store.withdraw(sessionId, backfillId, serverId, this.clock.now());
    this.afterCommit();
    return backfillOf(result, backfillId);
  }

  /** Records that a ticket took seats, and wakes the server. */
  async seatFilled(filled: SeatFilled): Promise<void> {
    const serverId = await this.store.seatFilled(filled, this.clock.now());
    this.afterCommit();
    if (serverId !== null) this.notifier.wake(commandsOf(serverId));
  }

  /**
   * Withdraws seats that a server did not confirm in time, and ends requests whose deadline or match is over.
   *
   * @returns whether more may be due
   */
  async sweep(): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.due.look();
    // A server whose answers could not arrive did not fail to answer.
    const { answerMs } = this.timeouts;
    const answersCouldArrive = this.hearing.ownMs(now) >= answerMs;
    const late =
      answersCouldArrive && isDue(due.seatsSentAt, now - answerMs)
        ? await this.store.withdrawSeats(now - answerMs, batch)
        : [];
    const ended =
      due.backfillOrphaned || isDue(due.backfillExpiresAt, this.clock.now())
        ? await this.store.endOverdue(this.clock.now(), batch)
        : [];
    if (late.length === 0 && ended.length === 0) return false;
    this.due.forget();
    this.afterCommit();
    return late.length === batch || ended.length === batch;
  }
}

function backfillOf(result: BackfillFound, backfillId: string): BackfillView {
  if (result.outcome === 'found') return result.backfill;
  if (result.outcome === 'not-yours') throw new NotAllowed('The session is hosted by another server.');
  throw new BackfillNotFound(`The session has no request ${backfillId}.`, { backfillId });
}
