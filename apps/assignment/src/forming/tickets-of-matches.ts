import type { AskedTicket, JudgedTicket, LivePage, LiveTickets } from '@muster/domain';

/** The most matches or tickets of one answer. */
const mostAtOnce = 1_000;

/** Tells the queue which tickets are in matches, some at a time. */
export class TicketsOfMatches implements LiveTickets {
  constructor(private readonly store: LiveTickets) {}

  page(after: string, limit: number, formedSince: number): Promise<LivePage> {
    return this.store.page(after, Math.min(Math.max(1, limit), mostAtOnce), formedSince);
  }

  judge(tickets: readonly AskedTicket[]): Promise<readonly JudgedTicket[]> {
    return this.store.judge(tickets.slice(0, mostAtOnce));
  }
}
