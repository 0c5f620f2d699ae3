import type { OpenSpan, Traces } from '@muster/contracts';
import type { Ticket } from '@muster/domain';

/** The traced tickets of a match, first the one whose trace the match continues: of those that waited longest, the least id. */
export function tracedOf(members: readonly Ticket[]): readonly (Ticket & { readonly trace: string })[] {
  return members
    .flatMap((ticket) => (ticket.trace === undefined ? [] : [{ ...ticket, trace: ticket.trace }]))
    .toSorted((a, b) => a.enqueuedAt - b.enqueuedAt || (a.ticketId < b.ticketId ? -1 : 1));
}

/** The spans of a match that is proposed. If it is not claimed, they are dropped. */
export interface MatchSpan {
  /** The trace of what follows. */
  readonly trace: string;
  /** The tickets are claimed. */
  end(now: number): void;
}

/**
 * Begins the spans of a match: in the trace of each ticket one for its wait, and one for the match. That continues one trace, so
 * that a ticket's way from its call to its rating is one trace. The waits of the other tickets link to it, and it to them.
 *
 * @returns null if none of its tickets is traced
 */
export function beginMatch(
  traces: Traces,
  matchId: string,
  queue: string,
  members: readonly Ticket[],
  now: number,
): MatchSpan | null {
  const waits = tracedOf(members).map(({ ticketId, trace, enqueuedAt }) =>
    traces.begin('wait', {
      parent: trace,
      since: enqueuedAt,
      attributes: { 'muster.queue': queue, 'muster.ticket.id': ticketId, 'muster.match.id': matchId },
    }),
  );
  const [lead, ...others] = waits;
  if (!lead) return null;
  const match: OpenSpan = traces.begin('match', {
    parent: lead.context,
    links: others.map(({ context }) => context),
    since: now,
    attributes: { 'muster.queue': queue, 'muster.match.id': matchId, 'muster.tickets': members.length },
  });
  for (const other of others) other.link(match.context);
  return {
    trace: match.context,
    end: (at) => {
      for (const span of [...waits, match]) span.end(at);
    },
  };
}
