import type { Ticket, TicketPlayer } from '@muster/domain';

/**
 * What a ticket says for life, as the scripts keep it: a list instead of an object, since a name a value would be most of it, and
 * without its id, which is the key. The scripts read the first six (see lua/include/ticket.lua).
 */
type TicketText = [
  queue: string,
  fingerprint: string,
  enqueuedAt: number,
  expiresAt: number,
  build: string,
  players: PlayerText[],
  latencyMs: Readonly<Record<string, number>>,
  more?: Partial<Ticket>,
];
type PlayerText = [playerId: string, mu: number, sigma: number, more?: Partial<TicketPlayer>];

export function writeTicket(ticket: Ticket): string {
  const {
    ticketId: _,
    queue,
    fingerprint,
    enqueuedAt,
    expiresAt,
    build,
    players,
    latencyMs,
    ...more
  } = ticket;
  const members = players.map(({ playerId, mu, sigma, ...rest }): PlayerText =>
    isEmpty(rest) ? [playerId, mu, sigma] : [playerId, mu, sigma, rest],
  );
  const text: TicketText = [queue, fingerprint, enqueuedAt, expiresAt, build, members, latencyMs];
  if (!isEmpty(more)) text.push(more);
  return JSON.stringify(text);
}

export function readTicket(ticketId: string, text: string): Ticket {
  const [queue, fingerprint, enqueuedAt, expiresAt, build, players, latencyMs, more] = JSON.parse(
    text,
  ) as TicketText;
  return {
    ticketId,
    queue,
    build,
    players: players.map(([playerId, mu, sigma, rest]) => ({ playerId, mu, sigma, ...rest })),
    latencyMs,
    enqueuedAt,
    expiresAt,
    fingerprint,
    ...more,
  };
}

/** Of ids and texts in turn. */
export function readTickets(flat: readonly string[]): Ticket[] {
  const found: Ticket[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) found.push(readTicket(flat[i] ?? '', flat[i + 1] ?? ''));
  return found;
}

/** The pieces `f1`, `f2`, … of a ticket's hash, put together. */
export function joinPieces(hash: Readonly<Record<string, string>>): string {
  let text = '';
  for (let piece = 1; ; piece++) {
    const more = hash[`f${piece}`];
    if (more === undefined) return text;
    text += more;
  }
}

function isEmpty(value: object): boolean {
  return Object.values(value).every((each) => each === undefined);
}
