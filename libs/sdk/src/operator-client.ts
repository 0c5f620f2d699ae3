import {
  endpointOf,
  type AnswerOf,
  type BodyOf,
  type EndpointName,
  type ProblemCode,
  type QueryOf,
  type RecordHead,
  type RecordLine,
} from '@muster/contracts';
import { Caller } from './caller.js';
import { callsOf, type CallNameOf, type CallsOf } from './calls.js';
import { MusterProblem } from './problem.js';
import { followEvents, type FollowedEvent, type FollowOptions } from './streams/follow-events.js';
import { methodsOf } from './methods.js';
import type { CallLimits } from './retry.js';

/** The parts of a request that was checked elsewhere. */
export interface UncheckedRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A client for operators' tools. Its methods are the usual calls; `calls` has every one. */
export class OperatorClient {
  /** Every call of the endpoint table that an operator may make, by its name. */
  readonly calls: CallsOf<'operator' | 'anyone'>;
  private readonly caller: Caller;
  private readonly method = methodsOf(() => this.caller);

  /** @param patienceMs how long unanswered calls are retried; five minutes by default */
  constructor(options: { url: string; operatorKey: string; patienceMs?: number }) {
    this.caller = new Caller(options.url, () => options.operatorKey, options.patienceMs);
    this.calls = callsOf(['operator', 'anyone'], (_name, make) => make(this.caller));
  }

  /**
   * Makes a call by its name, for tools that are built from the endpoint table and check requests by its schemas.
   *
   * @returns the parsed answer, or the response where it is not JSON
   */
  send(name: CallNameOf<'operator' | 'anyone'>, request: UncheckedRequest): Promise<unknown>;
  send(name: EndpointName, request: object): Promise<unknown> {
    return endpointOf(name).answer ? this.caller.call(name, request) : this.caller.request(name, request);
  }

  readonly matches = this.method('listMatches');

  readonly match = this.method('readMatch', 'matchId');

  ticket(ticketId: string, limits: CallLimits = {}): Promise<AnswerOf<'readTicket'>> {
    return this.caller.call('readTicket', { params: { ticketId }, ...limits });
  }

  /** A page of tickets, by queue, state, player and age; `next` is the `cursor` of the next page. */
  readonly tickets = this.method('listTickets');

  /** Ends a ticket that waits or is asked to accept a match, with a reason for its players. */
  readonly cancelTicket = this.method('cancelTicketAs', 'ticketId');

  /** The ticket that holds a player. */
  readonly ticketOf = this.method('readTicketOf', 'playerId');

  /** The party of a player, and their invitations. */
  readonly partyOf = this.method('readPartyOf', 'playerId');

  /** A page of servers; `next` is the `cursor` of the next page. */
  readonly servers = this.method('listServers');

  /** Drains the servers of a region or a build that are registered now. */
  readonly drainServers = this.method('drainServers');

  readonly undrainServers = this.method('undrainServers');

  /** Slots by build and region: used, free, overloaded, wanted and on their way. */
  readonly capacity = this.method('readCapacity');

  /** The name and the role that this client's key or token has. */
  readonly whoAmI = this.method('whoAmI');

  /** Operator keys, newest first. */
  readonly keys = this.method('listKeys');

  /** Creates an operator key. The answer is the only place that shows it. */
  readonly createKey = this.method('createKey');

  readonly revokeKey = this.method('revokeKey', 'keyId');

  /** Keys with which the servers of a fleet register, newest first, with what their servers use. */
  readonly fleetKeys = this.method('listFleetKeys');

  /** Creates a key of a fleet. The answer is the only place that shows it. */
  readonly createFleetKey = this.method('createFleetKey');

  /** Replaces all caps of a fleet's key. */
  readonly changeFleetKey = this.method('changeFleetKey', 'keyId');

  readonly revokeFleetKey = this.method('revokeFleetKey', 'keyId');

  /** A code that signs in once, with the role of this client's key or token, within ten minutes. */
  readonly createSignInCode = this.method('createSignInCode');

  /** A link to the dashboard that signs in once, with such a code. */
  async dashboardLink(): Promise<{ readonly link: string; readonly expiresAt: number }> {
    const { code, expiresAt } = await this.createSignInCode();
    // A browser sends what follows # to nobody, so no log has the code.
    return { link: `${this.caller.url}/dashboard#code=${code}`, expiresAt };
  }

  /** Exchanges a code for a key of twelve hours. The key of this client plays no part. */
  readonly signIn = this.method('signIn');

  /** A page of changes by operators, newest first. */
  readonly audit = this.method('listAudit');

  /** The job queues, with the number of their jobs by state. */
  readonly jobQueues = this.method('listJobQueues');

  /** Dead letters of a job queue, newest first. */
  readonly deadJobs = this.method('listDeadJobs', 'jobQueue');

  readonly deadJob = this.method('readDeadJob', 'jobQueue', 'jobId');

  /** Retries a dead letter. */
  readonly retryDeadJob = this.method('retryDeadJob', 'jobQueue', 'jobId');

  /** Deletes a dead letter. */
  readonly dropDeadJob = this.method('dropDeadJob', 'jobQueue', 'jobId');

  /** Yields events as they happen; reconnects and resumes without gaps. */
  followEvents(options: FollowOptions = {}): AsyncGenerator<FollowedEvent> {
    return followEvents(this.caller, options);
  }

  /** Addresses that events are sent to. */
  readonly webhooks = this.method('listWebhooks');

  /** Sends events to an address from now on. The answer has the secret that signs them. */
  readonly createWebhook = this.method('createWebhook');

  readonly webhook = this.method('readWebhook', 'webhookId');

  readonly changeWebhook = this.method('changeWebhook', 'webhookId');

  readonly deleteWebhook = this.method('deleteWebhook', 'webhookId');

  /** Sends nothing for now; events are kept. */
  readonly pauseWebhook = this.method('pauseWebhook', 'webhookId');

  readonly resumeWebhook = this.method('resumeWebhook', 'webhookId');

  /** Makes a new secret; the one before signs as well for a while. */
  readonly rotateWebhookSecret = this.method('rotateWebhookSecret', 'webhookId');

  /** Sends a message to a webhook now. */
  readonly testWebhook = this.method('testWebhook', 'webhookId');

  /** Deliveries to a webhook, newest first. */
  readonly deliveries = this.method('listDeliveries', 'webhookId');

  /** Retries dead letters of a webhook. */
  readonly retryDeliveries = this.method('retryDeliveries', 'webhookId');

  /** The queues with the rules in force. */
  readonly queues = this.method('listQueues');

  /** Pauses a queue: it takes no tickets and forms no matches. */
  readonly pauseQueue = this.method('pauseQueue', 'queue');

  readonly resumeQueue = this.method('resumeQueue', 'queue');

  /** The maintenance of all queues that is announced or in force. */
  readonly maintenance = this.method('readMaintenance');

  /** Pauses all queues, now or from a time on. */
  readonly announceMaintenance = this.method('announceMaintenance');

  readonly endMaintenance = this.method('endMaintenance');

  /** The versions of a queue's rules, newest first. */
  readonly rules = this.method('listRules', 'queue');

  /** Applies rules, as a new version. */
  readonly applyRules = this.method('applyRules', 'queue');

  /** A page of the waiting tickets of a queue; `next` is the `cursor` of the next page. */
  readonly waiting = this.method('listWaiting', 'queue');

  /** How queues did, in steps of a time of the last two days. */
  readonly statistics = this.method('readStatistics');

  /**
   * The recorded waits of a queue's recent tickets: first a description of the record, then its tickets, unordered; a
   * ticket may occur twice.
   */
  async *record(
    queue: string,
    query: QueryOf<'readRecord'> = {},
    limits: CallLimits = {},
  ): AsyncGenerator<RecordHead | RecordLine, void, undefined> {
    const { body } = await this.caller.request('readRecord', { params: { queue }, query, ...limits });
    if (!body) return;
    let rest = '';
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as RecordHead | RecordLine;
    }
  }

  /** A player's behaviour score and its parts. */
  readonly behaviour = this.method('readBehaviour', 'playerId');

  /** Keeps a player from every queue until a time, or changes that. */
  readonly ban = this.method('banPlayer', 'playerId');

  readonly liftBan = this.method('liftBan', 'playerId');

  /** The bans in force, in the order of players; `next` is the `cursor` of the next page. */
  readonly bans = this.method('listBans');

  /** A player's penalties, and when they may queue again. */
  readonly penalties = this.method('readPenalties', 'playerId');

  /** A lifted penalty counts again. */
  readonly impose = this.method('imposePenalty', 'playerId', 'penaltyId');

  readonly forgive = this.method('forgivePenalty', 'playerId', 'penaltyId');

  /** Forgives the penalties of a range of time, of a queue or a region. */
  readonly forgiveAll = this.method('forgivePenalties');

  /** Results that contradicted one that counted, newest first. */
  readonly conflicts = this.method('listConflicts');

  /** Keeps the result that counted, counts the other one, or voids the match. */
  readonly decideConflict = this.method('decideConflict', 'matchId');

  readonly ratings = this.method('listRatings', 'pool');

  /** Splits players into even teams, with a proof; nothing is stored. */
  readonly split = this.method('splitTeams');

  /** The best two teams of every size, the others on the bench. */
  readonly splits = this.method('splitPool');

  /** The fewest swaps that make two teams even enough. */
  readonly rebalance = this.method('rebalanceTeams');

  readonly createPool = this.method('createPool');

  readonly pools = this.method('listPools');

  readonly pool = this.method('readPool', 'pool');

  readonly models = this.method('listModels');

  /** Changes a pool's rules from now on. */
  readonly changePool: (
    pool: string,
    body: BodyOf<'changePool'>,
    limits?: CallLimits,
  ) => Promise<AnswerOf<'changePool'>> = this.method('changePool', 'pool');

  /** Rebuilds a pool's ratings from its whole history, in the background. */
  readonly rebuildPool: (
    pool: string,
    body: BodyOf<'rebuildPool'>,
    limits?: CallLimits,
  ) => Promise<AnswerOf<'rebuildPool'>> = this.method('rebuildPool', 'pool');

  readonly rebuilds = this.method('listRebuilds', 'pool');

  readonly poolHealth = this.method('readPoolHealth', 'pool');

  /** The same as an SVG plot. */
  async poolHealthPlot(
    pool: string,
    query: QueryOf<'drawPoolHealth'> = {},
    limits: CallLimits = {},
  ): Promise<string> {
    const response = await this.caller.request('drawPoolHealth', { params: { pool }, query, ...limits });
    return response.text();
  }

  /** The calibrated chance of each team; nothing is stored. */
  readonly predict = this.method('predictMatch', 'pool');

  readonly rating = this.method('readRating', 'pool', 'playerId');

  readonly ratingHistory = this.method('readRatingHistory', 'pool', 'playerId');

  setRating(
    pool: string,
    playerId: string,
    body: BodyOf<'setRating'>,
    limits: CallLimits = {},
  ): Promise<AnswerOf<'setRating'>> {
    // A generated event id, so that repeats of the call count once.
    const identified = { ...body, eventId: body.eventId ?? crypto.randomUUID() };
    return this.caller.call('setRating', { params: { pool, playerId }, body: identified, ...limits });
  }

  /** Resets a player's rating to the start value. */
  readonly resetRating = this.method('resetRating', 'pool', 'playerId');

  /** Ranks of a pool: the top, those around a player, or those of some players. */
  readonly leaderboard = this.method('readLeaderboard', 'pool');

  /** Tells the display names of players. */
  namePlayers(
    names: Readonly<Record<string, string>>,
    limits: CallLimits = {},
  ): Promise<AnswerOf<'namePlayers'>> {
    return this.caller.call('namePlayers', { body: { names: { ...names } }, ...limits });
  }

  /** The seasons of a pool, newest first. */
  readonly seasons = this.method('listSeasons', 'pool');

  /** What the next season would do to ratings and divisions. */
  readonly previewSeason = this.method('previewSeason', 'pool');

  /** Begins the next season, or announces it. */
  readonly beginSeason = this.method('beginSeason', 'pool', 'number');

  /** Withdraws the announcement of a season. */
  readonly withdrawSeason = this.method('withdrawSeason', 'pool', 'number');

  /** Final standings of an ended season. */
  readonly seasonStandings = this.method('readSeasonStandings', 'pool', 'number');

  /** Grants a player a booster. A repeat with the same `eventId` changes nothing. */
  readonly grantBooster = this.method('grantBooster', 'pool');

  /** A player's boosters, newest first. */
  readonly boosters = this.method('listBoosters', 'pool');

  /** Revokes a booster: no match is rated with it from then on. */
  readonly revokeBooster = this.method('revokeBooster', 'pool', 'boosterId');

  /** Cases that signals of integrity opened, newest first. */
  readonly cases = this.method('listCases');

  readonly case = this.method('readCase', 'caseId');

  /** Closes a case with a verdict. */
  readonly closeCase = this.method('closeCase', 'caseId');

  /** Whether a pool places newcomers by their stats, and why. */
  readonly placement = this.method('readPlacement', 'pool');

  /** Remembers that the rules of a pool were tuned on its present history. */
  readonly rememberTuning = this.method('rememberTuning', 'pool');

  /** Voids a match: it no longer counts for ratings. */
  voidMatch(
    matchId: string,
    reason: string,
    { penalties, ...limits }: CallLimits & Pick<BodyOf<'voidMatch'>, 'penalties'> = {},
  ): Promise<AnswerOf<'voidMatch'>> {
    return this.caller.call('voidMatch', { params: { matchId }, body: { reason, penalties }, ...limits });
  }

  /** Ends a match that has no result: its players are free at once, and its server is told. */
  readonly endMatch = this.method('endMatch', 'matchId');

  /**
   * Voids a match in any state: one without a result is ended, one with a result is removed from the ratings. Repeating it is
   * safe.
   */
  async cancelMatch(
    matchId: string,
    body: Omit<BodyOf<'endMatch'>, 'as'>,
    limits: CallLimits = {},
  ): Promise<AnswerOf<'voidMatch'>> {
    const { reason, penalties } = body;
    const asResult = () => this.voidMatch(matchId, reason, { penalties, ...limits });
    try {
      return await asResult();
    } catch (error) {
      if (!isProblem(error, 'match-not-over')) throw error;
    }
    try {
      const { ended } = await this.endMatch(matchId, { ...body, as: 'void' }, limits);
      return { matchId, voided: ended, rebuild: null };
    } catch (error) {
      // Its result arrived in between.
      if (!isProblem(error, 'match-over')) throw error;
      return await asResult();
    }
  }

  /** Rates a match that the coordinator did not form. */
  readonly reportMatch = this.method('reportMatch');
}

const isProblem = (error: unknown, code: ProblemCode): boolean =>
  error instanceof MusterProblem && error.code === code;
