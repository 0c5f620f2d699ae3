import { textOf } from '@muster/contracts';
import type { Message, Explanation, Ticket, TicketPlayer } from '@muster/domain';

import { ticketFields as field } from '../generated/scripts.js';

/**
 * The immutable fields of a ticket as the scripts store them: a list, since names would take most of the space, and without
 * the id, which is the key. The scripts read the first six (see apps/queue/lua/include/ticket.lua).
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
  return asciiJson(text);
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

/** Ids and texts in turn. */
export function readTickets(flat: readonly string[]): Ticket[] {
  return rowsOf(flat, 'id', 'text').map(({ id, text }) => readTicket(id, text));
}

/** The rows of an answer that has a value for each of these names, in turn. */
export function rowsOf<Name extends string>(
  flat: readonly string[],
  ...names: readonly Name[]
): Record<Name, string>[] {
  return Array.from({ length: flat.length / names.length }, (_, row) => {
    const values = names.map((name, i) => [name, flat[row * names.length + i]]);
    return Object.fromEntries(values) as Record<Name, string>;
  });
}

/** Joins the pieces of `fixed` in a ticket's hash. */
export function joinPieces(hash: Readonly<Record<string, string>>): string {
  let text = '';
  for (let piece = 1; ; piece++) {
    const more = hash[`${field.fixed}${piece}`];
    if (more === undefined) return text;
    text += more;
  }
}

/** A reason in the form that scripts take: the text, then its messages as JSON after a unit separator. */
export function encodeReason(explanation: Explanation): string {
  return typeof explanation === 'string'
    ? explanation
    : `${textOf(explanation)}\u001F${asciiJson(explanation)}`;
}

/** JSON that may be cut anywhere: each character takes one byte. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007F-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The messages of a ticket's latest event, from the pieces of `messages` in its hash; null when it has none. */
export function readMessagesOf(hash: Readonly<Record<string, string>>, seq: number): Message[] | null {
  const [whole, of, pieces] = /^(\d+):(\d+):/.exec(hash[`${field.messages}1`] ?? '') ?? [];
  if (whole === undefined || Number(of) !== seq) return null;
  let text = '';
  for (let piece = 1; piece <= Number(pieces); piece++) text += hash[`${field.messages}${piece}`] ?? '';
  return JSON.parse(text.slice(whole.length)) as Message[];
}

function isEmpty(value: object): boolean {
  return Object.values(value).every((each) => each === undefined);
}
