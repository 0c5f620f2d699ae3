import type { AssignmentView, TicketView } from '@muster/contracts';
import type { PlayerClient, TicketNewsItem, TicketRequest } from '@muster/sdk';
import type { Stack } from './stack.js';

/** A queued ticket, with the clients of its players. */
export class Queued {
  constructor(
    readonly ticketId: string,
    /** The leader first. */
    readonly playerIds: readonly string[],
    readonly clients: readonly PlayerClient[],
  ) {}

  get leader(): PlayerClient {
    const [leader] = this.clients;
    if (!leader) throw new Error('a ticket has a leader');
    return leader;
  }

  /** Waits for an event of this ticket, past or future. @throws Error with its events if it ends without it */
  async until(wanted: (news: TicketNewsItem) => boolean): Promise<TicketNewsItem> {
    const story: string[] = [];
    for await (const news of this.leader.follow(this.ticketId)) {
      if (wanted(news)) return news;
      story.push(`${news.seq} ${news.state}: ${news.reason}`);
    }
    throw new Error(`the ticket ended without what was waited for:\n${story.join('\n')}`);
  }

  /** All its events, once it is closed. */
  async story(): Promise<TicketNewsItem[]> {
    const all: TicketNewsItem[] = [];
    for await (const news of this.leader.follow(this.ticketId)) all.push(news);
    return all;
  }

  async assigned(): Promise<AssignmentView> {
    const { assignment } = await this.until((news) => news.assignment !== undefined);
    if (!assignment) throw new Error('an assigned ticket has an assignment');
    return assignment;
  }

  closed(): Promise<TicketNewsItem> {
    return this.until((news) => news.closed);
  }

  read(): Promise<TicketView> {
    return this.leader.read(this.ticketId);
  }
}

/** Queues players as one ticket: alone, or as a party led by the first, with the consent of the others. */
export async function queueUp(
  stack: Stack,
  playerIds: readonly string[],
  request: TicketRequest,
): Promise<Queued> {
  const clients = await Promise.all(playerIds.map((playerId) => stack.player(playerId)));
  const [leader, ...members] = clients;
  if (!leader) throw new Error('nobody to queue');
  const partyPasses = await Promise.all(members.map((member) => member.partyPass(playerIds[0] ?? '')));
  const { ticketId } = await leader.enqueue({ ...request, partyPasses });
  return new Queued(ticketId, playerIds, clients);
}

/** Two players who meet in a match of one against one, because only they have their build. */
export async function duel(
  stack: Stack,
  build: string,
  names: readonly [string, string],
  queue = '1v1',
): Promise<[Queued, Queued]> {
  const request = { queue, build };
  const [one, other] = names;
  return [await queueUp(stack, [one], request), await queueUp(stack, [other], request)];
}
