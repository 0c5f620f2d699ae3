import type { AnswerOf, BodyOf, MatchView, QueryOf, RecordHead, RecordLine } from '@muster/contracts';
import { Caller } from './caller.js';
import { callsOf, type CallsOf } from './calls.js';
import type { CallLimits } from './retry.js';

/** A client for operators' tools. Its methods are the usual calls; `calls` has every one. */
export class OperatorClient {
  /** Every call of the endpoint table that an operator may make, by its name. */
  readonly calls: CallsOf<'operator' | 'anyone'>;
  private readonly caller: Caller;

  /** @param patienceMs how long unanswered calls are retried; five minutes by default */
  constructor(options: { url: string; operatorKey: string; patienceMs?: number }) {
    this.caller = new Caller(options.url, () => options.operatorKey, options.patienceMs);
    this.calls = callsOf(['operator', 'anyone'], (_name, make) => make(this.caller));
  }

  matches(query: QueryOf<'listMatches'> = {}, limits: CallLimits = {}): Promise<AnswerOf<'listMatches'>> {
    return this.caller.call('listMatches', { query, ...limits });
  }

  match(matchId: string, limits: CallLimits = {}): Promise<MatchView> {
    return this.caller.call('readMatch', { params: { matchId }, ...limits });
  }

  ticket(ticketId: string, limits: CallLimits = {}): Promise<AnswerOf<'readTicket'>> {
    return this.caller.call('readTicket', { params: { ticketId }, ...limits });
  }

  /** A page of servers; `next` is the `cursor` of the next page. */
  servers(query: QueryOf<'listServers'> = {}, limits: CallLimits = {}): Promise<AnswerOf<'listServers'>> {
    return this.caller.call('listServers', { query, ...limits });
  }

  /** Slots by build and region: used, free, overloaded, wanted and on their way. */
  capacity(limits: CallLimits = {}): Promise<AnswerOf<'readCapacity'>> {
    return this.caller.call('readCapacity', limits);
  }

  /** The job queues, with the number of their jobs by state. */
  jobQueues(limits: CallLimits = {}): Promise<AnswerOf<'listJobQueues'>> {
    return this.caller.call('listJobQueues', limits);
  }

  /** Dead letters of a job queue, newest first. */
  deadJobs(
    jobQueue: string,
    query: QueryOf<'listDeadJobs'> = {},
    limits: CallLimits = {},
  ): Promise<AnswerOf<'listDeadJobs'>> {
    return this.caller.call('listDeadJobs', { params: { jobQueue }, query, ...limits });
  }

  deadJob(jobQueue: string, jobId: string, limits: CallLimits = {}): Promise<AnswerOf<'readDeadJob'>> {
    return this.caller.call('readDeadJob', { params: { jobQueue, jobId }, ...limits });
  }

  /** Retries a dead letter. */
  retryDeadJob(jobQueue: string, jobId: string, limits: CallLimits = {}): Promise<AnswerOf<'retryDeadJob'>> {
    return this.caller.call('retryDeadJob', { params: { jobQueue, jobId }, ...limits });
  }

  /** Deletes a dead letter. */
  dropDeadJob(jobQueue: string, jobId: string, limits: CallLimits = {}): Promise<AnswerOf<'dropDeadJob'>> {
    return this.caller.call('dropDeadJob', { params: { jobQueue, jobId }, ...limits });
  }

  /** The queues with the rules in force. */
  queues(limits: CallLimits = {}): Promise<AnswerOf<'listQueues'>> {
    return this.caller.call('listQueues', limits);
  }

  /** The versions of a queue's rules, newest first. */
  rules(
    queue: string,
    query: QueryOf<'listRules'> = {},
    limits: CallLimits = {},
  ): Promise<AnswerOf<'listRules'>> {
    return this.caller.call('listRules', { params: { queue }, query, ...limits });
  }

  /** Applies rules, as a new version. */
  applyRules(
    queue: string,
    body: BodyOf<'applyRules'>,
    limits: CallLimits = {},
  ): Promise<AnswerOf<'applyRules'>> {
    return this.caller.call('applyRules', { params: { queue }, body, ...limits });
  }

  waiting(queue: string, limits: CallLimits = {}): Promise<AnswerOf<'listWaiting'>> {
    return this.caller.call('listWaiting', { params: { queue }, ...limits });
  }

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
  behaviour(playerId: string, limits: CallLimits = {}): Promise<AnswerOf<'readBehaviour'>> {
    return this.caller.call('readBehaviour', { params: { playerId }, ...limits });
  }

  /** A player's penalties, and when they may queue again. */
  penalties(playerId: string, limits: CallLimits = {}): Promise<AnswerOf<'readPenalties'>> {
    return this.caller.call('readPenalties', { params: { playerId }, ...limits });
  }

  /** Forgives a penalty. */
  impose(playerId: string, penaltyId: string, limits: CallLimits = {}): Promise<AnswerOf<'imposePenalty'>> {
    return this.caller.call('imposePenalty', { params: { playerId, penaltyId }, ...limits });
  }

  forgive(playerId: string, penaltyId: string, limits: CallLimits = {}): Promise<AnswerOf<'forgivePenalty'>> {
    return this.caller.call('forgivePenalty', { params: { playerId, penaltyId }, ...limits });
  }

  conflicts(limits: CallLimits = {}): Promise<AnswerOf<'listConflicts'>> {
    return this.caller.call('listConflicts', limits);
  }

  ratings(
    pool: string,
    query: QueryOf<'listRatings'> = {},
    limits: CallLimits = {},
  ): Promise<AnswerOf<'listRatings'>> {
    return this.caller.call('listRatings', { params: { pool }, query, ...limits });
  }

  /** Splits players into even teams, with a proof; nothing is stored. */
  split(body: BodyOf<'splitTeams'>, limits: CallLimits = {}): Promise<AnswerOf<'splitTeams'>> {
    return this.caller.call('splitTeams', { body, ...limits });
  }

  /** The best two teams of every size, the others on the bench. */
  splits(body: BodyOf<'splitPool'>, limits: CallLimits = {}): Promise<AnswerOf<'splitPool'>> {
    return this.caller.call('splitPool', { body, ...limits });
  }

  /** The fewest swaps that make two teams even enough. */
  rebalance(body: BodyOf<'rebalanceTeams'>, limits: CallLimits = {}): Promise<AnswerOf<'rebalanceTeams'>> {
    return this.caller.call('rebalanceTeams', { body, ...limits });
  }

  createPool(body: BodyOf<'createPool'>, limits: CallLimits = {}): Promise<AnswerOf<'createPool'>> {
    return this.caller.call('createPool', { body, ...limits });
  }

  pools(limits: CallLimits = {}): Promise<AnswerOf<'listPools'>> {
    return this.caller.call('listPools', limits);
  }

  pool(pool: string, limits: CallLimits = {}): Promise<AnswerOf<'readPool'>> {
    return this.caller.call('readPool', { params: { pool }, ...limits });
  }

  models(limits: CallLimits = {}): Promise<AnswerOf<'listModels'>> {
    return this.caller.call('listModels', limits);
  }

  /** Changes a pool's rules from now on. */
  changePool(
    pool: string,
    body: BodyOf<'changePool'>,
    limits: CallLimits = {},
  ): Promise<AnswerOf<'changePool'>> {
    return this.caller.call('changePool', { params: { pool }, body, ...limits });
  }

  /** Rebuilds a pool's ratings from its whole history, in the background. */
  rebuildPool(
    pool: string,
    body: BodyOf<'rebuildPool'>,
    limits: CallLimits = {},
  ): Promise<AnswerOf<'rebuildPool'>> {
    return this.caller.call('rebuildPool', { params: { pool }, body, ...limits });
  }

  rebuilds(pool: string, limits: CallLimits = {}): Promise<AnswerOf<'listRebuilds'>> {
    return this.caller.call('listRebuilds', { params: { pool }, ...limits });
  }

  poolHealth(
    pool: string,
    query: QueryOf<'readPoolHealth'> = {},
    limits: CallLimits = {},
  ): Promise<AnswerOf<'readPoolHealth'>> {
    return this.caller.call('readPoolHealth', { params: { pool }, query, ...limits });
  }

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
  predict(
    pool: string,
    body: BodyOf<'predictMatch'>,
    limits: CallLimits = {},
  ): Promise<AnswerOf<'predictMatch'>> {
    return this.caller.call('predictMatch', { params: { pool }, body, ...limits });
  }

  rating(pool: string, playerId: string, limits: CallLimits = {}): Promise<AnswerOf<'readRating'>> {
    return this.caller.call('readRating', { params: { pool, playerId }, ...limits });
  }

  ratingHistory(
    pool: string,
    playerId: string,
    query: QueryOf<'readRatingHistory'> = {},
    limits: CallLimits = {},
  ): Promise<AnswerOf<'readRatingHistory'>> {
    return this.caller.call('readRatingHistory', { params: { pool, playerId }, query, ...limits });
  }

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
  resetRating(
    pool: string,
    playerId: string,
    query: QueryOf<'resetRating'> = {},
    limits: CallLimits = {},
  ): Promise<AnswerOf<'resetRating'>> {
    return this.caller.call('resetRating', { params: { pool, playerId }, query, ...limits });
  }

  /** Ranks of a pool: the top, those around a player, or those of some players. */
  leaderboard(
    pool: string,
    query: QueryOf<'readLeaderboard'> = {},
    limits: CallLimits = {},
  ): Promise<AnswerOf<'readLeaderboard'>> {
    return this.caller.call('readLeaderboard', { params: { pool }, query, ...limits });
  }

  /** Tells the display names of players. */
  namePlayers(
    names: Readonly<Record<string, string>>,
    limits: CallLimits = {},
  ): Promise<AnswerOf<'namePlayers'>> {
    return this.caller.call('namePlayers', { body: { names: { ...names } }, ...limits });
  }

  /** The seasons of a pool, newest first. */
  seasons(pool: string, limits: CallLimits = {}): Promise<AnswerOf<'listSeasons'>> {
    return this.caller.call('listSeasons', { params: { pool }, ...limits });
  }

  /** What the next season would do to ratings and divisions. */
  previewSeason(
    pool: string,
    body: BodyOf<'previewSeason'> = {},
    limits: CallLimits = {},
  ): Promise<AnswerOf<'previewSeason'>> {
    return this.caller.call('previewSeason', { params: { pool }, body, ...limits });
  }

  /** Begins the next season, or announces it. */
  beginSeason(
    pool: string,
    number: number,
    body: BodyOf<'beginSeason'> = {},
    limits: CallLimits = {},
  ): Promise<AnswerOf<'beginSeason'>> {
    return this.caller.call('beginSeason', { params: { pool, number }, body, ...limits });
  }

  /** Withdraws the announcement of a season. */
  withdrawSeason(pool: string, number: number, limits: CallLimits = {}): Promise<AnswerOf<'withdrawSeason'>> {
    return this.caller.call('withdrawSeason', { params: { pool, number }, ...limits });
  }

  /** Final standings of an ended season. */
  seasonStandings(
    pool: string,
    number: number,
    query: QueryOf<'readSeasonStandings'> = {},
    limits: CallLimits = {},
  ): Promise<AnswerOf<'readSeasonStandings'>> {
    return this.caller.call('readSeasonStandings', {
      params: { pool, number },
      query,
      ...limits,
    });
  }

  /** Grants a player a booster. A repeat with the same `eventId` changes nothing. */
  grantBooster(
    pool: string,
    body: BodyOf<'grantBooster'>,
    limits: CallLimits = {},
  ): Promise<AnswerOf<'grantBooster'>> {
    return this.caller.call('grantBooster', { params: { pool }, body, ...limits });
  }

  /** A player's boosters, newest first. */
  boosters(
    pool: string,
    query: QueryOf<'listBoosters'>,
    limits: CallLimits = {},
  ): Promise<AnswerOf<'listBoosters'>> {
    return this.caller.call('listBoosters', { params: { pool }, query, ...limits });
  }

  /** Revokes a booster: no match is rated with it from then on. */
  revokeBooster(
    pool: string,
    boosterId: string,
    query: QueryOf<'revokeBooster'> = {},
    limits: CallLimits = {},
  ): Promise<AnswerOf<'revokeBooster'>> {
    return this.caller.call('revokeBooster', { params: { pool, boosterId }, query, ...limits });
  }

  /** Cases that signals of integrity opened, newest first. */
  cases(query: QueryOf<'listCases'> = {}, limits: CallLimits = {}): Promise<AnswerOf<'listCases'>> {
    return this.caller.call('listCases', { query, ...limits });
  }

  case(caseId: string, limits: CallLimits = {}): Promise<AnswerOf<'readCase'>> {
    return this.caller.call('readCase', { params: { caseId }, ...limits });
  }

  /** Closes a case with a verdict. */
  closeCase(
    caseId: string,
    body: BodyOf<'closeCase'>,
    limits: CallLimits = {},
  ): Promise<AnswerOf<'closeCase'>> {
    return this.caller.call('closeCase', { params: { caseId }, body, ...limits });
  }

  /** Whether a pool places newcomers by their stats, and why. */
  placement(pool: string, limits: CallLimits = {}): Promise<AnswerOf<'readPlacement'>> {
    return this.caller.call('readPlacement', { params: { pool }, ...limits });
  }

  /** Remembers that the rules of a pool were tuned on its present history. */
  rememberTuning(pool: string, limits: CallLimits = {}): Promise<AnswerOf<'rememberTuning'>> {
    return this.caller.call('rememberTuning', { params: { pool }, ...limits });
  }

  /** Voids a match: it no longer counts for ratings. */
  voidMatch(
    matchId: string,
    reason: string,
    { penalties, ...limits }: CallLimits & Pick<BodyOf<'voidMatch'>, 'penalties'> = {},
  ): Promise<AnswerOf<'voidMatch'>> {
    return this.caller.call('voidMatch', { params: { matchId }, body: { reason, penalties }, ...limits });
  }

  /** Ends a match that has no result: its players are free at once, and its server is told. */
  endMatch(
    matchId: string,
    body: BodyOf<'endMatch'>,
    limits: CallLimits = {},
  ): Promise<AnswerOf<'endMatch'>> {
    return this.caller.call('endMatch', { params: { matchId }, body, ...limits });
  }

  /** Rates a match that the coordinator did not form. */
  reportMatch(body: BodyOf<'reportMatch'>, limits: CallLimits = {}): Promise<AnswerOf<'reportMatch'>> {
    return this.caller.call('reportMatch', { body, ...limits });
  }
}
