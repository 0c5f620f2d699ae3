import type {
  AnswerOf,
  AssignmentView,
  AvoidList,
  BodyOf,
  MyPartyView,
  MyRatingView,
  PartyView,
  PenaltyList,
  QueryOf,
  TicketView,
} from '@muster/contracts';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { Caller, pause } from './caller.js';
import { MusterProblem } from './problem.js';

export type TicketRequest = BodyOf<'createTicket'>;

/** One entry of a ticket's story. Resume from its `seq`. */
export interface TicketNewsItem {
  readonly ticketId: string;
  readonly seq: number;
  readonly at: number;
  readonly state: TicketView['state'];
  readonly reason: string;
  readonly matchId?: string;
  readonly matchState?: TicketView['matchState'];
  readonly assignment?: AssignmentView;
  /** Until when to accept the match; absent when nobody is asked. */
  readonly acceptBy?: number;
  readonly closed: boolean;
}

/** The ticket came to an end without an assignment. */
export class TicketEnded extends Error {
  constructor(readonly news: Pick<TicketNewsItem, 'ticketId' | 'state' | 'reason'>) {
    super(`Ticket ${news.ticketId} ${news.state}: ${news.reason}`);
    this.name = 'TicketEnded';
  }
}

/** What a game client needs: queue up, wait, leave. */
export class PlayerClient {
  private readonly caller: Caller;

  /** @param token the player's token from the game's login; a function is asked at every call */
  constructor(options: { url: string; token: string | (() => string | Promise<string>) }) {
    const { token } = options;
    this.caller = new Caller(options.url, typeof token === 'string' ? () => token : token);
  }

  /** Queues up. Safe under lost answers: the same idempotency key is the same ticket. */
  enqueue(
    request: TicketRequest,
    idempotencyKey: string = crypto.randomUUID(),
    signal?: AbortSignal,
  ): Promise<TicketView> {
    return this.caller.call('createTicket', {
      body: request,
      headers: { 'idempotency-key': idempotencyKey },
      signal,
    });
  }

  /**
   * Consents to be queued by a leader. Give them the pass.
   *
   * @param canPlay roles that this player can play in that queue
   * @param client this player's build, which must be the leader's, and platform
   */
  async partyPass(
    leader: string,
    canPlay: readonly string[] = [],
    client: Pick<BodyOf<'createPartyPass'>, 'build' | 'platform' | 'crossPlay'> = {},
  ): Promise<string> {
    const body = { leader, canPlay: [...canPlay], ...client };
    return (await this.caller.call('createPartyPass', { body })).pass;
  }

  /** Founds a party that this player leads. Others join it; then `enqueue` with its `partyId` queues all of them. */
  createParty(): Promise<PartyView> {
    return this.caller.call('createParty');
  }

  /** The player's party, and the invitations that they may take up. */
  party(): Promise<MyPartyView> {
    return this.caller.call('myParty');
  }

  /** Invites a player to the party that this one leads. */
  invite(partyId: string, playerId: string): Promise<PartyView> {
    return this.caller.call('inviteToParty', { params: { partyId }, body: { playerId } });
  }

  /** Takes up an invitation: the leader may queue this player from now on. */
  joinParty(partyId: string, brings: BodyOf<'joinParty'> = {}): Promise<PartyView> {
    return this.caller.call('joinParty', { params: { partyId }, body: brings });
  }

  /** Leaves a party, or puts a member out of it. @returns what is left of it; null when it has ended */
  async leaveParty(partyId: string, playerId: string): Promise<PartyView | null> {
    return (await this.caller.call('leaveParty', { params: { partyId, playerId } })).party;
  }

  /** Ends the party that this player leads. */
  async endParty(partyId: string): Promise<void> {
    await this.caller.call('endParty', { params: { partyId } });
  }

  /** Whom the player avoids. */
  avoided(): Promise<AvoidList> {
    return this.caller.call('listAvoided');
  }

  /** Keeps the player off matches, or off teams, with somebody. */
  avoid(playerId: string, scope: 'match' | 'team'): Promise<AvoidList> {
    return this.caller.call('avoidPlayer', { params: { playerId }, body: { scope } });
  }

  stopAvoiding(playerId: string): Promise<AvoidList> {
    return this.caller.call('stopAvoiding', { params: { playerId } });
  }

  /** Complains of a team-mate, or commends one, after a match. @returns false when that was said before */
  async reportBehaviour(matchId: string, said: BodyOf<'reportBehaviour'>): Promise<boolean> {
    return (await this.caller.call('reportBehaviour', { params: { matchId }, body: said })).counted;
  }

  /** How team-mates find this player, in a word. */
  async behaviour(): Promise<AnswerOf<'myBehaviour'>['word']> {
    return (await this.caller.call('myBehaviour')).word;
  }

  read(ticketId: string): Promise<TicketView> {
    return this.caller.call('readTicket', { params: { ticketId } });
  }

  /**
   * The ticket that holds this player now, or null. For a client that lost everything: while a match lasts it has the address
   * and a fresh join token.
   */
  async current(): Promise<TicketView | null> {
    return this.caller.call('myTicket').catch(notFoundIsNull);
  }

  /**
   * Leaves the queue, or a match that finds no server.
   *
   * @returns false when the ticket stays: its match has a server, or may not be left yet
   */
  async cancel(ticketId: string): Promise<boolean> {
    try {
      await this.caller.call('cancelTicket', { params: { ticketId } });
      return true;
    } catch (error) {
      if (error instanceof MusterProblem && error.code === 'ticket-already-matched') return false;
      throw error;
    }
  }

  /** Accepts the match that was found, in queues with a ready check: see `acceptBy`. */
  accept(ticketId: string): Promise<TicketView> {
    return this.caller.call('acceptMatch', { params: { ticketId } });
  }

  /** Declines it: the ticket ends, and the player may have to wait before they queue again. */
  decline(ticketId: string): Promise<TicketView> {
    return this.caller.call('declineMatch', { params: { ticketId } });
  }

  /** What the player was penalised for, and when they may queue again. */
  penalties(): Promise<PenaltyList> {
    return this.caller.call('myPenalties');
  }

  /** The matches that the player was in, the newest first. @param query `cursor` is the `next` of the page before */
  matches(query: QueryOf<'myMatches'> = {}): Promise<AnswerOf<'myMatches'>> {
    return this.caller.call('myMatches', { query });
  }

  /** The player's division in a pool; null while it is hidden. */
  rating(pool = 'default'): Promise<MyRatingView> {
    return this.caller.call('myRating', { query: { pool } });
  }

  /**
   * Every state of a ticket from `after` on, until its last. Reconnects and resumes by itself and misses nothing; where
   * streams are blocked it falls back to long polls.
   */
  async *follow(
    ticketId: string,
    options: { after?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<TicketNewsItem> {
    let seq = options.after ?? 0;
    let failures = 0;
    while (!options.signal?.aborted) {
      try {
        const flows = (): void => void (failures = 0);
        for await (const news of failures >= 3
          ? this.poll(ticketId, seq, options.signal)
          : this.stream(ticketId, seq, flows, options.signal)) {
          if (news === null) return;
          failures = 0;
          if (news.seq <= seq) continue;
          seq = news.seq;
          yield news;
          if (news.closed) return;
        }
      } catch (error) {
        if (options.signal?.aborted || (error instanceof MusterProblem && error.status < 500)) throw error;
        failures++;
      }
      await pause(50 + 100 * Math.min(failures, 20), options.signal);
    }
  }

  /** Waits for the assignment. @throws TicketEnded when there will be none */
  async waitForAssignment(ticketId: string, signal?: AbortSignal): Promise<AssignmentView> {
    for await (const news of this.follow(ticketId, { signal })) {
      if (news.assignment) return news.assignment;
      if (news.closed) throw new TicketEnded(news);
    }
    throw new TicketEnded({ ticketId, state: 'failed', reason: 'nobody waited any more' });
  }

  /**
   * Queues up and waits for the assignment. Should the coordinator have forgotten the ticket (a store without a disk was
   * lost), it is handed in again under the same idempotency key.
   */
  async play(
    request: TicketRequest,
    signal?: AbortSignal,
  ): Promise<{ ticketId: string; assignment: AssignmentView }> {
    const idempotencyKey = crypto.randomUUID();
    for (;;) {
      const { ticketId } = await this.enqueue(request, idempotencyKey, signal);
      try {
        return { ticketId, assignment: await this.waitForAssignment(ticketId, signal) };
      } catch (error) {
        if (!(error instanceof MusterProblem) || error.code !== 'ticket-not-found') throw error;
      }
    }
  }

  /** Events as they come, or null when there will be none. @param flows called when the stream shows that it is not blocked */
  private async *stream(
    ticketId: string,
    after: number,
    flows: () => void,
    signal?: AbortSignal,
  ): AsyncGenerator<TicketNewsItem | null> {
    const response = await this.caller.request('streamTicket', {
      params: { ticketId },
      headers: { accept: 'text/event-stream', ...(after > 0 ? { 'last-event-id': String(after) } : {}) },
      signal,
    });
    if (response.status === 204) yield null;
    if (!response.body) return;
    // A stream begins with a comment. One that was heard and then cut is resumed: a poll would skip states.
    const parser = new EventSourceParserStream({ onComment: flows });
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(parser);
    const reader = events.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        if (value.event === 'ticket') yield JSON.parse(value.data) as TicketNewsItem;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  /** States only, not every event: what long polls can give. */
  private async *poll(
    ticketId: string,
    after: number,
    signal?: AbortSignal,
  ): AsyncGenerator<TicketNewsItem | null> {
    const ticket = await this.caller.call('readTicket', {
      params: { ticketId },
      query: { after, waitSeconds: 20 },
      signal,
    });
    if (ticket.seq > after) yield ticket;
    else if (ticket.closed) yield null;
  }
}

function notFoundIsNull(error: unknown): null {
  if (error instanceof MusterProblem && error.status === 404) return null;
  throw error;
}
