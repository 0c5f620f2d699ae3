import {
  message,
  type Clock,
  type JudgedTicket,
  type LivePage,
  type TicketMatchState,
  type TicketStore,
} from '@muster/domain';
import type { OpenTicket, RedisTicketMemory, Restored } from '../core/ticket-memory.store.js';
import type { AssignmentClient } from '../services/assignment.client.js';

/** Matches of one page. Pages of large matches are shorter. */
const matchesAtOnce = 200;
/** The update of a match that was abandoned this recently may be on its way to its tickets, in milliseconds. Shorter
 * than the time after a loss until the last comparison begins. */
const onItsWayMs = 20_000;

const over = [message('ticket.match-over')];
const lost = [message('ticket.match-lost')];

/** What to do with an open ticket: `close` with its match, or `end` its waiting. */
export type Verdict =
  | { readonly do: 'keep' }
  | { readonly do: 'close'; readonly matchId: string; readonly matchState: TicketMatchState }
  | { readonly do: 'end' }
  | { readonly do: 'lose'; readonly matchId: string };

/**
 * Compares an open ticket with the last match that it was in.
 *
 * - A match that is over releases the ticket. Tickets of an abandoned match may wait again: those are left alone, and
 *   so are those of a match that was abandoned a moment ago, whose update follows.
 * - A ticket that waits although its match has been played was brought back by an older copy.
 * - A ticket is told to be placed after its match is stored. If its match is unknown, the database has lost it.
 *
 * @param judged its match; `none`: it was in none; undefined: nobody could say
 */
export function verdictOn(
  ticket: OpenTicket,
  judged: JudgedTicket | 'none' | undefined,
  now: number,
): Verdict {
  if (judged === 'none')
    return ticket.state === 'waiting' || ticket.matchId === null
      ? { do: 'keep' }
      : { do: 'lose', matchId: ticket.matchId };
  if (judged?.state !== 'rated' && judged?.state !== 'void' && judged?.state !== 'abandoned')
    return { do: 'keep' };
  const { state, closedAt } = judged;
  if (state === 'abandoned' && (ticket.state === 'waiting' || now - (closedAt ?? now) < onItsWayMs))
    return { do: 'keep' };
  if (ticket.state === 'waiting') return { do: 'end' };
  return { do: 'close', matchId: ticket.matchId ?? judged.matchId, matchState: state };
}

/** Makes the store of tickets agree with the matches. Every step is safe to repeat, on any replica. */
export class RestoreTickets {
  constructor(
    private readonly assignment: Pick<AssignmentClient, 'liveTickets' | 'judgeTickets'>,
    private readonly memory: Pick<RedisTicketMemory, 'restore' | 'openTickets'>,
    private readonly store: Pick<TicketStore, 'close' | 'cancel'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Restores the tickets of all running matches. The next page is read while one is restored.
   *
   * @param goesOn asked after each page
   * @returns the matches, and how many tickets were missing or behind; null when it did not go on
   */
  async restoreAll(
    goesOn: () => Promise<boolean>,
  ): Promise<{ running: ReadonlySet<string>; restored: number } | null> {
    const running = new Set<string>();
    let restored = 0;
    let next: Promise<LivePage> | null = this.assignment.liveTickets('', matchesAtOnce, 0);
    while (next !== null) {
      const page: LivePage = await next;
      next = page.last === null ? null : this.assignment.liveTickets(page.last, matchesAtOnce, 0);
      // Awaited a turn later: until then nobody would handle its failure.
      next?.catch(() => undefined);
      for (const { matchId } of page.tickets) running.add(matchId);
      restored += await this.restorePage(page, 'all');
      if (!(await goesOn())) return null;
    }
    return { running, restored };
  }

  /**
   * Restores the tickets of some running matches.
   *
   * @param after the last match of the previous page; empty for the first
   * @param which whether tickets that are behind their match are restored too
   * @param formedSince milliseconds since the epoch: only matches that were formed from then on; 0 for all
   * @returns the last match of this page, null at the end; its matches; and how many tickets were missing or behind
   */
  async restore(
    after: string,
    which: Restored,
    formedSince = 0,
  ): Promise<{ last: string | null; matchIds: readonly string[]; restored: number }> {
    const page = await this.assignment.liveTickets(after, matchesAtOnce, formedSince);
    const restored = await this.restorePage(page, which);
    return { last: page.last, matchIds: page.tickets.map(({ matchId }) => matchId), restored };
  }

  /** Closes also those whose match ended meanwhile: the update of its end did not find them. */
  private async restorePage({ tickets }: LivePage, which: Restored): Promise<number> {
    const outcomes = await Promise.all(tickets.map((ticket) => this.memory.restore(ticket, which)));
    const changed = tickets.filter((_, i) => outcomes[i] === 'created' || outcomes[i] === 'advanced');
    const judged = await this.assignment.judgeTickets(
      changed.flatMap(({ ticketId, enqueuedAt, players: [player] }) =>
        player ? [{ ticketId, enqueuedAt, playerId: player.playerId }] : [],
      ),
    );
    const now = this.clock.now();
    for (const { ticketId, matchId, state } of judged ?? [])
      if (state === 'rated' || state === 'void' || state === 'abandoned')
        await this.store.close(matchId, [ticketId], state, over, now);
    return changed.length;
  }

  /**
   * Releases some tickets whose match is over, or lost with the database.
   *
   * @param cursor '0' at first, then that of the last answer
   * @param running matches that are known to run: their tickets are left alone
   * @returns the next cursor, '0' at the end; and how many tickets were released
   */
  async release(cursor: string, running: ReadonlySet<string>): Promise<{ cursor: string; released: number }> {
    const page = await this.memory.openTickets(cursor);
    const doubtful = page.tickets.filter(({ matchId }) => matchId === null || !running.has(matchId));
    const answers = await this.assignment.judgeTickets(doubtful.map(askedOf));
    const judged = new Map(answers?.map((each) => [each.ticketId, each]));
    // A ticket that joins a match may be told so before it is in its roster.
    const known = new Set(answers?.map(({ matchId }) => matchId));
    const now = this.clock.now();
    let released = 0;
    for (const ticket of doubtful) {
      const isKnown = answers === null || known.has(ticket.matchId ?? '');
      const verdict = verdictOn(ticket, judged.get(ticket.ticketId) ?? (isKnown ? undefined : 'none'), now);
      if (verdict.do === 'keep') continue;
      released += 1;
      await this.carryOut(verdict, ticket.ticketId, now);
    }
    return { cursor: page.cursor, released };
  }

  private async carryOut(
    verdict: Exclude<Verdict, { do: 'keep' }>,
    ticketId: string,
    now: number,
  ): Promise<void> {
    if (verdict.do === 'end') await this.store.cancel(ticketId, over, now);
    else if (verdict.do === 'lose')
      await this.store.close(verdict.matchId, [ticketId], 'abandoned', lost, now);
    else await this.store.close(verdict.matchId, [ticketId], verdict.matchState, over, now);
  }
}

function askedOf({ ticketId, playerId, enqueuedAt }: OpenTicket) {
  return { ticketId, playerId, enqueuedAt };
}
