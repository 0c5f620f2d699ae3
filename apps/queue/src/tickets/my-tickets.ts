import { writeReason, type MatchUpdate } from '@muster/contracts';
import {
  message,
  TicketAlreadyMatched,
  TicketNotFound,
  type Clock,
  type LeaveMatchResult,
  type TicketRecord,
  type TicketStore,
} from '@muster/domain';
import { notFound, type AbsentTickets } from '../recovery/absent-tickets.js';

/** The caller: one of the ticket's players, or (null) an operator, who may see all. */
export type Viewer = string | null;

/** How players leave a match without a server, or with a silent one. */
export interface LeaveUnplacedMatch {
  /** The allocator decides. */
  leave(matchId: string, ticketId: string): Promise<LeaveMatchResult>;
  /** Applies an update to the match's tickets at once; the same update follows as a job. */
  applyUpdate(update: MatchUpdate): Promise<void>;
}

const justEnded = 'Your match has just ended; what becomes of your ticket follows in a moment.';

/** A ticket may return to the queue, or join the next match, between two reads. */
const attempts = 3;

/** Reads and cancels tickets for their own players and operators. */
export class MyTickets {
  constructor(
    private readonly store: TicketStore,
    private readonly clock: Clock,
    /** null: no allocator is configured, and a match cannot be left. */
    private readonly leaving: LeaveUnplacedMatch | null,
    private readonly absent: Pick<AbsentTickets, 'why' | 'checkWhole'>,
  ) {}

  /**
   * @throws TicketNotFound also when the ticket is another player's: its existence is not disclosed; TicketLost,
   *   TicketsRecovering
   */
  async read(ticketId: string, viewer: Viewer): Promise<TicketRecord> {
    const record = await this.store.find(ticketId);
    if (!record) throw await this.absent.why(ticketId);
    if (viewer !== null && !record.players.some((player) => player.playerId === viewer))
      throw notFound(ticketId);
    return record;
  }

  /** The ticket that holds a player now. */
  async current(playerId: string): Promise<TicketRecord> {
    const ticketId = await this.store.ticketOf(playerId);
    if (ticketId === null) {
      await this.absent.checkWhole();
      throw new TicketNotFound('You are in no queue and in no match.');
    }
    return this.read(ticketId, playerId);
  }

  /**
   * Ends a ticket that waits, or whose match has no server, or a silent one, and may be left by now.
   *
   * @returns the cancelled ticket; the failed one when it left a match that goes on, or its match had failed
   * @throws TicketAlreadyMatched in a later state, with the time from which it may be left if known; MatchUnavailable
   */
  async cancel(ticketId: string, viewer: Viewer): Promise<TicketRecord> {
    await this.read(ticketId, viewer);
    const reason = [message(viewer === null ? 'ticket.removed-by-operator' : 'ticket.left-queue')];
    for (let attempt = 1; ; attempt++) {
      const result = await this.store.cancel(ticketId, reason, this.clock.now());
      const record = await this.read(ticketId, viewer);
      // A failed ticket is in no match any more, as the caller wants.
      if (result.outcome !== 'too-late' || record.state === 'failed') return record;
      const refusal = await this.leaveMatch(record);
      const moved = refusal === null || (await this.read(ticketId, viewer)).seq !== record.seq;
      if (!moved || attempt === attempts)
        throw refusal ?? new TicketAlreadyMatched(justEnded, { state: record.state });
    }
  }

  /** @returns why the ticket stays in its match; null when it has left or has no match */
  private async leaveMatch({ ticketId, state, matchId }: TicketRecord): Promise<TicketAlreadyMatched | null> {
    const stays = (why: string, more = {}): TicketAlreadyMatched =>
      new TicketAlreadyMatched(why, { state, ...more });
    const isInMatch = state === 'placing' || state === 'assigned';
    if (!isInMatch || matchId === undefined || !this.leaving)
      return stays(
        `The ticket is ${state}: it can be cancelled while it waits, or while its match has no server or a silent one.`,
      );
    const result = await this.leaving.leave(matchId, ticketId);
    switch (result.outcome) {
      case 'left': {
        const { ticketIds, reason } = result;
        const left = [ticketId];
        const update = { matchId, ticketIds: [...ticketIds], ...writeReason(reason) };
        if (state === 'assigned')
          await this.leaving.applyUpdate({ kind: 'abandoned', ...update, matchState: 'placed' });
        else
          await this.leaving.applyUpdate({
            kind: 'remade',
            ...update,
            failedTicketIds: left,
            leftTicketIds: left,
          });
        return null;
      }
      case 'too-soon': {
        if (result.waitMs === null)
          return stays('A server is being looked for; if none is found at once, you may leave.');
        const retryAfterSeconds = Math.ceil(result.waitMs / 1000);
        return stays(`If your match has no server by then, you may leave it in ${retryAfterSeconds} s.`, {
          retryAfterSeconds,
        });
      }
      case 'has-server':
        return stays(
          'Your match has a server, or one is being asked. A match can be left without a penalty only while it finds none, or while its server is silent.',
        );
      case 'over':
      case 'unknown':
        return stays(justEnded);
    }
  }
}
