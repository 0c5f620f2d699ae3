import { writeReason } from '@muster/contracts';
import {
  message,
  TicketAlreadyMatched,
  type Clock,
  type Message,
  type TicketRecord,
  type TicketStore,
} from '@muster/domain';
import type { ReadTickets, Viewer } from '../core/read-tickets.js';
import type { AllocatorClient } from '../services/allocator.client.js';
import type { ApplyMatchUpdates } from '../updates/match-updates.js';

const justEnded = 'Your match has just ended; what becomes of your ticket follows in a moment.';

/** A ticket may return to the queue, or join the next match, between two reads. */
const attempts = 3;
/** A match is formed or refused within such a time, also when its service restarts. */
const formingSeconds = 5;

/** Players and operators end tickets. A player who leaves a match without a server asks the allocator, which frees the seat. */
export class CancelTicket {
  constructor(
    private readonly store: Pick<TicketStore, 'cancel' | 'withdraw'>,
    private readonly tickets: Pick<ReadTickets, 'read'>,
    /** null: none is configured, and a match cannot be left. */
    private readonly allocator: Pick<AllocatorClient, 'leave'> | null,
    private readonly updates: Pick<ApplyMatchUpdates, 'run'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends a ticket that waits, or whose match has no server, or a silent one, and may be left by now.
   *
   * @returns the cancelled ticket; the failed one when it left a match that goes on, or its match had failed
   * @throws TicketAlreadyMatched in a later state, with the time from which it may be left if known; MatchUnavailable
   */
  async run(ticketId: string, viewer: Viewer): Promise<TicketRecord> {
    await this.tickets.read(ticketId, viewer);
    const reason = [message(viewer === null ? 'ticket.removed-by-operator' : 'ticket.left-queue')];
    for (let attempt = 1; ; attempt++) {
      const result = await this.store.cancel(ticketId, reason, this.clock.now());
      const record = await this.tickets.read(ticketId, viewer);
      // A failed ticket is in no match any more, as the caller wants.
      if (result.outcome !== 'too-late' || record.state === 'failed') return record;
      const refusal = await this.leaveMatch(record);
      const moved = refusal === null || (await this.tickets.read(ticketId, viewer)).seq !== record.seq;
      if (!moved || attempt === attempts)
        throw refusal ?? new TicketAlreadyMatched(justEnded, { state: record.state });
    }
  }

  /**
   * An operator ends a ticket that waits or is asked to accept, and says why. Others of its match return to the queue, and nobody
   * is blamed. A ticket that is over stays as it is.
   *
   * @param settled waits until a ticket whose match is being formed waits again, or is in the match; by default nobody waits
   * @throws TicketAlreadyMatched in a match, with its id: an operator ends that match
   */
  async byOperator(
    ticketId: string,
    why: Message,
    settled?: (record: TicketRecord) => Promise<void>,
  ): Promise<TicketRecord> {
    await this.tickets.read(ticketId, null);
    const others = [message('ready-check.operator-ended'), message('ticket.back-in-queue')];
    for (let attempt = 1; ; attempt++) {
      const result = await this.store.withdraw(ticketId, [why], others, this.clock.now());
      const record = await this.tickets.read(ticketId, null);
      if (result.outcome !== 'too-late' || record.closed) return record;
      const { state, matchId } = record;
      const isInMatch = state === 'placing' || state === 'assigned';
      if (isInMatch || !settled || attempt === attempts)
        throw new TicketAlreadyMatched(
          isInMatch
            ? `The ticket is in match ${matchId}; POST /v1/matches/${matchId}/end ends it for all its players.`
            : `The ticket is ${state}: its match is being formed. Try again in ${formingSeconds} s.`,
          {
            state,
            ...(matchId === undefined ? {} : { matchId }),
            ...(isInMatch ? {} : { retryAfterSeconds: formingSeconds }),
          },
        );
      await settled(record);
    }
  }

  /** @returns why the ticket stays in its match; null when it has left or has no match */
  private async leaveMatch({ ticketId, state, matchId }: TicketRecord): Promise<TicketAlreadyMatched | null> {
    const stays = (why: string, more = {}): TicketAlreadyMatched =>
      new TicketAlreadyMatched(why, { state, ...more });
    const isInMatch = state === 'placing' || state === 'assigned';
    if (!isInMatch || matchId === undefined || !this.allocator)
      return stays(
        `The ticket is ${state}: it can be cancelled while it waits, or while its match has no server or a silent one.`,
      );
    const result = await this.allocator.leave(matchId, ticketId);
    switch (result.outcome) {
      case 'left': {
        const { ticketIds, reason } = result;
        const left = [ticketId];
        // The same update follows as a job.
        const update = { matchId, ticketIds: [...ticketIds], ...writeReason(reason) };
        if (state === 'assigned')
          await this.updates.run({ kind: 'abandoned', ...update, matchState: 'placed' });
        else
          await this.updates.run({
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
