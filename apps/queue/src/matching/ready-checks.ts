import { readProposalJob } from '@muster/contracts';
import {
  message,
  NothingToAccept,
  type Clock,
  type Message,
  type TicketRecord,
  type TicketStore,
  type UnansweredTicket,
} from '@muster/domain';
import type { Hearing } from './hearing.js';
import type { Jobs } from './matcher.js';
import type { ReadTickets } from '../core/read-tickets.js';
import type { QueueSettings } from '../settings.js';
import type { Penalties } from '../standing/penalties.js';

const atOnce = 100;
const oldPlace = message('ticket.back-in-queue');

/**
 * Players accept or decline the match that was found for them.
 *
 * Redis decides each in one step: all players have accepted, or the match fails and certain players are to blame. The
 * process that gets this answer does the rest, or another one if it died: the reconciler of proposals finds a job that was
 * not sent, and blame stays in the store until its penalties are written.
 */
export class ReadyChecks {
  constructor(
    private readonly store: Pick<TicketStore, 'accept' | 'decline' | 'overdueReadyChecks' | 'endReadyCheck'>,
    private readonly tickets: Pick<ReadTickets, 'read'>,
    private readonly penalties: Pick<Penalties, 'isMass' | 'preview' | 'settle'>,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    /** Whether players could be heard: no silence is penalised otherwise. */
    private readonly hearing: Hearing,
    private readonly settings: Pick<QueueSettings, 'PROPOSAL_LEASE_MS'>,
  ) {}

  /** Accepts a match; the last acceptance sends it to assignment. @throws TicketNotFound, NothingToAccept */
  async accept(ticketId: string, playerId: string): Promise<TicketRecord> {
    await this.tickets.read(ticketId, playerId);
    const everybody = [message('ready-check.complete')];
    const result = await this.store.accept(
      ticketId,
      playerId,
      everybody,
      this.settings.PROPOSAL_LEASE_MS,
      this.clock.now(),
    );
    if (result.outcome === 'complete') {
      const { queue, payload } = readProposalJob(result.job);
      await this.jobs.send(queue, [{ jobId: result.matchId, payload }]);
    }
    if (result.outcome === 'too-late') throw nothingToAccept(result.state);
    return this.tickets.read(ticketId, playerId);
  }

  /** @throws TicketNotFound, NothingToAccept */
  async decline(ticketId: string, playerId: string): Promise<TicketRecord> {
    const { queue, players } = await this.tickets.read(ticketId, playerId);
    const now = this.clock.now();
    const alone = players.length === 1;
    const comes = await this.penalties.preview(playerId, { kind: 'declined', queue, at: now });
    const outcome = message('penalty.outcome', { you: alone, playerId, ...comes });
    const words = alone
      ? message('ready-check.you-declined', { outcome })
      : message('ready-check.member-declined', { playerId, outcome });
    const others = [message('ready-check.other-declined'), oldPlace];
    const result = await this.store.decline(ticketId, playerId, [words], others, now);
    if (result.outcome === 'too-late') throw nothingToAccept(result.state);
    await this.penalties.settle();
    return this.tickets.read(ticketId, playerId);
  }

  /**
   * Ends overdue ready checks, except after an outage, and writes pending penalties. Idempotent and safe to run
   * concurrently.
   *
   * @returns whether more may be pending
   */
  async sweep(): Promise<boolean> {
    const overdue =
      (await this.hearing.listen((deafMs) =>
        this.store.overdueReadyChecks(this.clock.now(), atOnce, deafMs),
      )) ?? [];
    for (const { matchId, asked, unanswered } of overdue) {
      const silent = unanswered.flatMap(({ playerIds }) => playerIds).length;
      // One ticket may be silent for a reason of its own, also the only one that was asked.
      const excused =
        unanswered.length > 1 && this.penalties.isMass(unanswered[0]?.queue ?? '', silent, asked);
      const words = new Map<string, readonly Message[]>();
      for (const ticket of unanswered)
        words.set(ticket.ticketId, [
          excused ? message('ready-check.most-were-silent', { silent, asked }) : await this.silence(ticket),
        ]);
      const others = [message('ready-check.other-silent'), oldPlace];
      await this.store.endReadyCheck(matchId, words, others, this.clock.now(), excused);
    }
    return (await this.penalties.settle()) || overdue.length === atOnce;
  }

  /** Message of a ticket that ends for want of an answer: a single player is addressed, members of a party are named. */
  private async silence({ ticketId, queue, playerIds }: UnansweredTicket): Promise<Message> {
    const offence = { kind: 'declined' as const, queue, at: this.clock.now() };
    const { players } = await this.tickets.read(ticketId, null);
    const you = players.length === 1;
    const outcomes = await Promise.all(
      playerIds.map(async (playerId) =>
        message('penalty.outcome', {
          you,
          playerId,
          ...(await this.penalties.preview(playerId, offence)),
        }),
      ),
    );
    const [outcome] = outcomes;
    return you && outcome
      ? message('ready-check.you-were-silent', { outcome })
      : message('ready-check.members-were-silent', { players: playerIds, outcomes });
  }
}

function nothingToAccept(state: string): NothingToAccept {
  return new NothingToAccept(
    `There is no match to accept or decline: the ticket is ${state}, and nobody is asked (any more).`,
    { state },
  );
}
