import type { QueryOf, TicketView } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { indented, right, tableLines } from '@muster/command-line/terminal/table';

/** Options of `muster ticket list`. */
interface ListOptions {
  readonly queue?: string;
  readonly state?: QueryOf<'listTickets'>['state'];
  readonly player?: string;
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly limit: number;
}

const largestPage = 200;

export async function listTickets(ask: Ask, options: ListOptions): Promise<Answer> {
  const { queue, state, player, olderThan, limit } = options;
  const olderThanSeconds = olderThan === undefined ? undefined : Math.round(olderThan / 1000);
  const found = new Map<string, TicketView>();
  let cursor: string | undefined;
  do {
    const page = Math.min(largestPage, limit - found.size);
    const query = { queue, state, playerId: player, olderThanSeconds, limit: page, cursor };
    const { tickets, next } = await ask((operator) => operator.tickets(query));
    for (const ticket of tickets) found.set(ticket.ticketId, ticket);
    cursor = next ?? undefined;
  } while (cursor !== undefined && found.size < limit);
  const tickets = [...found.values()].slice(0, limit);
  const columns = ['ticket', 'queue', 'state', ...right('age'), 'players', 'reason'];
  const now = Date.now();
  return {
    json: { tickets },
    text: () =>
      tickets.length === 0
        ? ['There are no such tickets.']
        : tableLines(
            columns,
            tickets.map((ticket) => rowOf(ticket, now)),
          ),
  };
}

/** A line of the table. */
export function rowOf(
  { ticketId, queue, state, enqueuedAt, players, reason }: TicketView,
  now: number,
): string[] {
  return [ticketId, queue, state, ageOf(now - enqueuedAt), players.join(', '), reason];
}

/** An age in its largest unit: `45 s`, `12 min`, `3 h`. */
function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}

export async function showTicket(ask: Ask, ticketId: string): Promise<Answer> {
  const ticket = await ask((operator) => operator.ticket(ticketId));
  return { json: ticket, text: () => ticketText(ticket, Date.now()) };
}

function ticketText(ticket: TicketView, now: number): string[] {
  const { ticketId, queue, state, build, players, enqueuedAt, matchId, reason, waiting } = ticket;
  return [
    `${ticketId} in ${queue} is ${state}, since ${ageOf(now - ticket.at)}; enqueued ${ageOf(now - enqueuedAt)} ago`,
    ...indented([
      `players  ${players.join(', ')}`,
      `build    ${build}`,
      `reason   ${reason}`,
      ...(waiting ? [`waits    ${waiting.why}`] : []),
      ...(matchId === undefined ? [] : [`match    ${matchId}`]),
    ]),
  ];
}

export async function cancelTicket(
  ask: Ask,
  ticketId: string,
  { reason }: { readonly reason: string },
): Promise<Answer> {
  const ticket = await ask((operator) => operator.cancelTicket(ticketId, { reason }));
  const { state, players } = ticket;
  const text = `The ticket ${ticketId} of ${players.join(', ')} is ${state}: ${ticket.reason}`;
  return { json: ticket, text: () => [text] };
}
