import type {
  AnswerOf,
  AssignmentView,
  AvoidList,
  BodyOf,
  MessageView,
  MyRatingView,
  PartyView,
  QueryOf,
  TicketView,
} from '@muster/contracts';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { Caller, pause } from './caller.js';
import { callsOf, type CallsOf } from './calls.js';
import { methodsOf } from './methods.js';
import { MusterProblem } from './problem.js';
import { isUnreachable, isTransient, pauseMs, type CallLimits } from './retry.js';
import { silenceOf } from './streams/silence.js';

/** A stream sends a comment every five seconds; one that is silent for this time is closed and resumed. */
const streamSilenceMs = 20_000;

/** Answers about a ticket that the coordinator does not know any more. */
const forgotten = new Set(['ticket-lost', 'ticket-not-found']);

export type TicketRequest = BodyOf<'createTicket'>;

/** One event of a ticket. Resume from its `seq`. */
export interface TicketNewsItem {
  readonly ticketId: string;
  readonly seq: number;
  readonly at: number;
  readonly state: TicketView['state'];
  readonly reason: string;
  /** The messages of the reason, for a game that translates them; see docs/messages.md. */
  readonly reasonMessages?: readonly MessageView[];
  readonly matchId?: string;
  readonly matchState?: TicketView['matchState'];
  readonly assignment?: AssignmentView;
  /** The deadline for accepting the match; absent without a ready check. */
  readonly acceptBy?: number;
  readonly closed: boolean;
}

/** The ticket ended without an assignment. */
export class TicketEnded extends Error {
  constructor(readonly news: Pick<TicketNewsItem, 'ticketId' | 'state' | 'reason' | 'reasonMessages'>) {
    super(`Ticket ${news.ticketId} ${news.state}: ${news.reason}`);
    this.name = 'TicketEnded';
  }
}

/** A client for game clients: queue, wait, leave. */
export class PlayerClient {
  /** Every call of the endpoint table that a player may make, by its name. */
  readonly calls: CallsOf<'player' | 'anyone'>;
  private readonly caller: Caller;
  private readonly method = methodsOf(() => this.caller);

  /**
   * @param token the player's token from the game's login; a function is called for every attempt
   * @param patienceMs how long unanswered calls are retried; five minutes by default
   */
  constructor(options: {
    url: string;
    token: string | (() => string | Promise<string>);
    patienceMs?: number;
  }) {
    const { token, patienceMs } = options;
    this.caller = new Caller(options.url, typeof token === 'string' ? () => token : token, patienceMs);
    this.calls = callsOf(['player', 'anyone'], (_name, make) => make(this.caller));
  }

  /** Queues. Safe to repeat: the same idempotency key gives the same ticket. */
  enqueue(
    request: TicketRequest,
    idempotencyKey: string = crypto.randomUUID(),
    limits: CallLimits = {},
  ): Promise<TicketView> {
    return this.caller.call('createTicket', {
      body: request,
      headers: { 'idempotency-key': idempotencyKey },
      ...limits,
    });
  }

  /**
   * Consents to be queued by a leader, who needs the returned pass.
   *
   * @param canPlay roles that this player can play in that queue
   * @param client this player's build, which must equal the leader's, and platform
   */
  async partyPass(
    leader: string,
    canPlay: readonly string[] = [],
    client: Pick<BodyOf<'createPartyPass'>, 'build' | 'platform' | 'crossPlay'> = {},
    limits: CallLimits = {},
  ): Promise<string> {
    const body = { leader, canPlay: [...canPlay], ...client };
    return (await this.caller.call('createPartyPass', { body, ...limits })).pass;
  }

  /** Creates a party that this player leads. Others join it; then `enqueue` with its `partyId` queues all members. */
  readonly createParty = this.method('createParty');

  /** The player's party and open invitations. */
  readonly party = this.method('myParty');

  /** Invites a player to the party that this one leads. */
  invite(partyId: string, playerId: string, limits: CallLimits = {}): Promise<PartyView> {
    return this.caller.call('inviteToParty', { params: { partyId }, body: { playerId }, ...limits });
  }

  /** Accepts an invitation: from now on the leader may queue this player. */
  readonly joinParty = this.method('joinParty', 'partyId');

  /** Declines the invitation of this player, or withdraws one to the party that this player leads. */
  async declineInvitation(partyId: string, playerId: string, limits: CallLimits = {}): Promise<void> {
    await this.caller.call('declineInvitation', { params: { partyId, playerId }, ...limits });
  }

  /** Passes the party that this player leads to another member. */
  passParty(partyId: string, playerId: string, limits: CallLimits = {}): Promise<PartyView> {
    return this.caller.call('passParty', { params: { partyId }, body: { playerId }, ...limits });
  }

  /** Leaves a party, or removes a member. @returns the party afterwards, or null if it has ended */
  async leaveParty(partyId: string, playerId: string, limits: CallLimits = {}): Promise<PartyView | null> {
    return (await this.caller.call('leaveParty', { params: { partyId, playerId }, ...limits })).party;
  }

  /** Ends the party that this player leads. */
  async endParty(partyId: string, limits: CallLimits = {}): Promise<void> {
    await this.caller.call('endParty', { params: { partyId }, ...limits });
  }

  /** The players whom this player avoids. */
  readonly avoided = this.method('listAvoided');

  /** Avoids a player in matches, or in teams. */
  avoid(playerId: string, scope: 'match' | 'team', limits: CallLimits = {}): Promise<AvoidList> {
    return this.caller.call('avoidPlayer', { params: { playerId }, body: { scope }, ...limits });
  }

  readonly stopAvoiding = this.method('stopAvoiding', 'playerId');

  /** Reports or commends a team-mate after a match, or reports an opponent for cheating. @returns false for a repeat */
  async reportBehaviour(
    matchId: string,
    said: BodyOf<'reportBehaviour'>,
    limits: CallLimits = {},
  ): Promise<boolean> {
    return (await this.caller.call('reportBehaviour', { params: { matchId }, body: said, ...limits }))
      .counted;
  }

  /** The player's own behaviour rating, as a word. */
  async behaviour(limits: CallLimits = {}): Promise<AnswerOf<'myBehaviour'>['word']> {
    return (await this.caller.call('myBehaviour', limits)).word;
  }

  read(ticketId: string, limits: CallLimits = {}): Promise<TicketView> {
    return this.caller.call('readTicket', { params: { ticketId }, ...limits });
  }

  /**
   * The player's open ticket, or null. For a client that lost its state: during a match it has the address and a new
   * join token.
   */
  async current(limits: CallLimits = {}): Promise<TicketView | null> {
    return this.caller.call('myTicket', limits).catch(notFoundIsNull);
  }

  /**
   * Leaves the queue, or a match that finds no server, whose server is silent, or that lasts too long.
   *
   * @returns false if the ticket stays: its match has a server, or may not be left yet
   */
  async cancel(ticketId: string, limits: CallLimits = {}): Promise<boolean> {
    try {
      await this.caller.call('cancelTicket', { params: { ticketId }, ...limits });
      return true;
    } catch (error) {
      if (error instanceof MusterProblem && error.code === 'ticket-already-matched') return false;
      throw error;
    }
  }

  /** Accepts the match, in queues with a ready check; see `acceptBy`. */
  readonly accept = this.method('acceptMatch', 'ticketId');

  /** Declines the match: the ticket ends, and the player may have to wait before queueing again. */
  readonly decline = this.method('declineMatch', 'ticketId');

  /** The player's penalties, and when they may queue again. */
  readonly penalties = this.method('myPenalties');

  /** The player's matches, newest first; `cursor` is the `next` of the previous page */
  readonly matches = this.method('myMatches');

  /** The player's boosters in a pool, newest first. A ticket with `booster: true` uses one. */
  boosters(pool = 'default', limits: CallLimits = {}): Promise<AnswerOf<'myBoosters'>> {
    return this.caller.call('myBoosters', { query: { pool }, ...limits });
  }

  /** The seasons of a pool, newest first: announced, running and ended. */
  seasons(pool = 'default', limits: CallLimits = {}): Promise<AnswerOf<'listSeasons'>> {
    return this.caller.call('listSeasons', { params: { pool }, ...limits });
  }

  /** Final standings of an ended season, by rank or of some players. */
  seasonStandings(
    number: number,
    pool = 'default',
    query: QueryOf<'readSeasonStandings'> = {},
    limits: CallLimits = {},
  ): Promise<AnswerOf<'readSeasonStandings'>> {
    return this.caller.call('readSeasonStandings', { params: { pool, number }, query, ...limits });
  }

  /** Ranks of a pool: the top, those around a player, or those of some players, such as friends. */
  leaderboard(
    pool = 'default',
    query: QueryOf<'readLeaderboard'> = {},
    limits: CallLimits = {},
  ): Promise<AnswerOf<'readLeaderboard'>> {
    return this.caller.call('readLeaderboard', { params: { pool }, query, ...limits });
  }

  /** The state of the player's requests about their own data. */
  readonly data = this.method('myData');

  /** Asks for a copy of everything that is stored of the player. */
  requestExport(limits: CallLimits = {}): Promise<AnswerOf<'requestMyData'>> {
    return this.caller.call('requestMyData', limits);
  }

  /** Asks for the player to be erased. */
  requestErasure(limits: CallLimits = {}): Promise<AnswerOf<'requestMyErasure'>> {
    return this.caller.call('requestMyErasure', limits);
  }

  /** Withdraws a request that waits. */
  readonly withdrawDataRequest = this.method('withdrawDataRequest', 'kind');

  /** The player's division in a pool; null while it is hidden. */
  rating(pool = 'default', limits: CallLimits = {}): Promise<MyRatingView> {
    return this.caller.call('myRating', { query: { pool }, ...limits });
  }

  /** The changes of the player's rating, newest first, in divisions. */
  readonly ratingHistory = this.method('myRatingHistory');

  /**
   * Yields every state of a ticket after `after`, until its last. Reconnects and resumes without gaps; where streams
   * are blocked it falls back to long polls, which skip states that another has followed.
   *
   * @throws the last error if no call is answered for the time for retries
   */
  async *follow(
    ticketId: string,
    options: CallLimits & { after?: number } = {},
  ): AsyncGenerator<TicketNewsItem> {
    const { after = 0, patienceMs = this.caller.patienceMs, signal } = options;
    let seq = after;
    let failures = 0;
    // Streams that delivered nothing: an intermediary buffers them. An unavailable coordinator is no reason to poll,
    // which skips states.
    let blocked = 0;
    let heardAt = performance.now();
    let hasFlowed = false;
    let waitMs = 50;
    const again = (inMs: number): void => void (waitMs = inMs);
    const flows = (): void => {
      [failures, blocked, hasFlowed] = [0, 0, true];
      heardAt = performance.now();
    };
    while (!signal?.aborted) {
      waitMs = 50;
      hasFlowed = false;
      try {
        for await (const news of blocked >= 3
          ? this.poll(ticketId, seq, flows, signal)
          : this.stream(ticketId, seq, { flows, again }, signal)) {
          if (news === null) return;
          flows();
          if (news.seq <= seq) continue;
          seq = news.seq;
          yield news;
          if (news.closed) return;
        }
        if (!hasFlowed) blocked++;
      } catch (error) {
        if (signal?.aborted || !isTransient(error)) throw error;
        failures++;
        if (!hasFlowed && !isUnreachable(error)) blocked++;
        waitMs = pauseMs(failures, error, Math.random());
        if (performance.now() + waitMs > heardAt + patienceMs) throw error;
      }
      await pause(waitMs, signal);
    }
  }

  /** Waits for the assignment. @throws TicketEnded if the ticket ends without one */
  async waitForAssignment(ticketId: string, limits: CallLimits = {}): Promise<AssignmentView> {
    for await (const news of this.follow(ticketId, limits)) {
      if (news.assignment) return news.assignment;
      if (news.closed) throw new TicketEnded(news);
    }
    throw new TicketEnded({ ticketId, state: 'failed', reason: 'nobody waited any more' });
  }

  /**
   * Queues and waits for the assignment. If the coordinator lost the ticket (a store without persistence failed), it is
   * created again under the same idempotency key.
   */
  async play(
    request: TicketRequest,
    limits: CallLimits = {},
  ): Promise<{ ticketId: string; assignment: AssignmentView }> {
    const idempotencyKey = crypto.randomUUID();
    for (;;) {
      const { ticketId } = await this.enqueue(request, idempotencyKey, limits);
      try {
        return { ticketId, assignment: await this.waitForAssignment(ticketId, limits) };
      } catch (error) {
        if (!(error instanceof MusterProblem) || !forgotten.has(error.code)) throw error;
      }
    }
  }

  /** Yields events, or null at the end. @param flows called when the stream delivers data @param again when to reconnect */
  private async *stream(
    ticketId: string,
    after: number,
    { flows, again }: { readonly flows: () => void; readonly again: (inMs: number) => void },
    signal?: AbortSignal,
  ): AsyncGenerator<TicketNewsItem | null> {
    const response = await this.caller.request('streamTicket', {
      params: { ticketId },
      headers: { accept: 'text/event-stream', ...(after > 0 ? { 'last-event-id': String(after) } : {}) },
      signal,
      patienceMs: 0,
    });
    if (response.status === 204) yield null;
    if (!response.body) return;
    // A stream begins with a comment. One that delivered data and was then cut is resumed, because a poll would skip
    // states.
    const silence = silenceOf(streamSilenceMs, () => void reader.cancel().catch(() => undefined));
    const parser = new EventSourceParserStream({
      onComment: () => {
        silence.heard();
        flows();
      },
    });
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(parser);
    const reader = events.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        silence.heard();
        if (value.event === 'ticket') yield JSON.parse(value.data) as TicketNewsItem;
        if (value.event === 'come-again') again((JSON.parse(value.data) as { inMs: number }).inMs);
      }
    } finally {
      silence.end();
      await reader.cancel().catch(() => undefined);
    }
  }

  /** Yields states but not every event, which long polls do not return. */
  private async *poll(
    ticketId: string,
    after: number,
    flows: () => void,
    signal?: AbortSignal,
  ): AsyncGenerator<TicketNewsItem | null> {
    const ticket = await this.caller.call('readTicket', {
      params: { ticketId },
      query: { after, waitSeconds: 20 },
      signal,
      patienceMs: 0,
    });
    flows();
    if (ticket.seq > after) yield ticket;
    else if (ticket.closed) yield null;
  }
}

function notFoundIsNull(error: unknown): null {
  if (error instanceof MusterProblem && error.status === 404) return null;
  throw error;
}
