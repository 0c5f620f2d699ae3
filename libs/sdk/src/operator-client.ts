import type { AnswerOf, BodyOf, MatchView, QueryOf, RecordHead, RecordLine } from '@muster/contracts';
import { Caller } from './caller.js';

/** What operators' tools need. */
export class OperatorClient {
  private readonly caller: Caller;

  constructor(options: { url: string; operatorKey: string }) {
    this.caller = new Caller(options.url, () => options.operatorKey);
  }

  matches(query: QueryOf<'listMatches'> = {}): Promise<AnswerOf<'listMatches'>> {
    return this.caller.call('listMatches', { query });
  }

  match(matchId: string): Promise<MatchView> {
    return this.caller.call('readMatch', { params: { matchId } });
  }

  ticket(ticketId: string): Promise<AnswerOf<'readTicket'>> {
    return this.caller.call('readTicket', { params: { ticketId } });
  }

  /** A page of the servers; `next` is the `cursor` of the next one. */
  servers(query: QueryOf<'listServers'> = {}): Promise<AnswerOf<'listServers'>> {
    return this.caller.call('listServers', { query });
  }

  /** The queues with the rules in force. */
  queues(): Promise<AnswerOf<'listQueues'>> {
    return this.caller.call('listQueues');
  }

  /** The versions of a queue's rules, newest first. */
  rules(queue: string, query: QueryOf<'listRules'> = {}): Promise<AnswerOf<'listRules'>> {
    return this.caller.call('listRules', { params: { queue }, query });
  }

  /** Puts rules in force, as a new version. */
  applyRules(queue: string, body: BodyOf<'applyRules'>): Promise<AnswerOf<'applyRules'>> {
    return this.caller.call('applyRules', { params: { queue }, body });
  }

  waiting(queue: string): Promise<AnswerOf<'listWaiting'>> {
    return this.caller.call('listWaiting', { params: { queue } });
  }

  /**
   * How the waiting of a queue's tickets went lately: first what the record is of, then its tickets, in no order; one may come
   * twice.
   */
  async *record(
    queue: string,
    query: QueryOf<'readRecord'> = {},
  ): AsyncGenerator<RecordHead | RecordLine, void, undefined> {
    const { body } = await this.caller.request('readRecord', { params: { queue }, query });
    if (!body) return;
    let rest = '';
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as RecordHead | RecordLine;
    }
  }

  /** A player's behaviour score, and what it is made of. */
  behaviour(playerId: string): Promise<AnswerOf<'readBehaviour'>> {
    return this.caller.call('readBehaviour', { params: { playerId } });
  }

  /** What a player was penalised for, and when they may queue again. */
  penalties(playerId: string): Promise<AnswerOf<'readPenalties'>> {
    return this.caller.call('readPenalties', { params: { playerId } });
  }

  /** Forgives a penalty: it counts no more. */
  forgive(playerId: string, penaltyId: string): Promise<AnswerOf<'forgivePenalty'>> {
    return this.caller.call('forgivePenalty', { params: { playerId, penaltyId } });
  }

  conflicts(): Promise<AnswerOf<'listConflicts'>> {
    return this.caller.call('listConflicts');
  }

  ratings(pool: string, query: QueryOf<'listRatings'> = {}): Promise<AnswerOf<'listRatings'>> {
    return this.caller.call('listRatings', { params: { pool }, query });
  }

  /** Splits players into even teams, with proof; nothing is stored. */
  split(body: BodyOf<'splitTeams'>): Promise<AnswerOf<'splitTeams'>> {
    return this.caller.call('splitTeams', { body });
  }

  /** The best two teams of every size, the others on the bench. */
  splits(body: BodyOf<'splitPool'>): Promise<AnswerOf<'splitPool'>> {
    return this.caller.call('splitPool', { body });
  }

  /** The fewest swaps that make two teams even enough. */
  rebalance(body: BodyOf<'rebalanceTeams'>): Promise<AnswerOf<'rebalanceTeams'>> {
    return this.caller.call('rebalanceTeams', { body });
  }

  createPool(body: BodyOf<'createPool'>): Promise<AnswerOf<'createPool'>> {
    return this.caller.call('createPool', { body });
  }

  pools(): Promise<AnswerOf<'listPools'>> {
    return this.caller.call('listPools');
  }

  pool(pool: string): Promise<AnswerOf<'readPool'>> {
    return this.caller.call('readPool', { params: { pool } });
  }

  models(): Promise<AnswerOf<'listModels'>> {
    return this.caller.call('listModels');
  }

  /** Changes a pool's rules from now on. */
  changePool(pool: string, body: BodyOf<'changePool'>): Promise<AnswerOf<'changePool'>> {
    return this.caller.call('changePool', { params: { pool }, body });
  }

  /** Has a pool's whole history rated anew, in the background. */
  rebuildPool(pool: string, body: BodyOf<'rebuildPool'>): Promise<AnswerOf<'rebuildPool'>> {
    return this.caller.call('rebuildPool', { params: { pool }, body });
  }

  rebuilds(pool: string): Promise<AnswerOf<'listRebuilds'>> {
    return this.caller.call('listRebuilds', { params: { pool } });
  }

  poolHealth(pool: string, query: QueryOf<'readPoolHealth'> = {}): Promise<AnswerOf<'readPoolHealth'>> {
    return this.caller.call('readPoolHealth', { params: { pool }, query });
  }

  /** The same drawn as SVG. */
  async poolHealthPlot(pool: string, query: QueryOf<'drawPoolHealth'> = {}): Promise<string> {
    const response = await this.caller.request('drawPoolHealth', { params: { pool }, query });
    return response.text();
  }

  /** The calibrated chance of each team; nothing is stored. */
  predict(pool: string, body: BodyOf<'predictMatch'>): Promise<AnswerOf<'predictMatch'>> {
    return this.caller.call('predictMatch', { params: { pool }, body });
  }

  rating(pool: string, playerId: string): Promise<AnswerOf<'readRating'>> {
    return this.caller.call('readRating', { params: { pool, playerId } });
  }

  ratingHistory(
    pool: string,
    playerId: string,
    query: QueryOf<'readRatingHistory'> = {},
  ): Promise<AnswerOf<'readRatingHistory'>> {
    return this.caller.call('readRatingHistory', { params: { pool, playerId }, query });
  }

  setRating(pool: string, playerId: string, body: BodyOf<'setRating'>): Promise<AnswerOf<'setRating'>> {
    return this.caller.call('setRating', { params: { pool, playerId }, body });
  }

  /** Makes a player a stranger again. */
  resetRating(
    pool: string,
    playerId: string,
    query: QueryOf<'resetRating'> = {},
  ): Promise<AnswerOf<'resetRating'>> {
    return this.caller.call('resetRating', { params: { pool, playerId }, query });
  }

  /** Takes a match out of the ratings. */
  voidMatch(matchId: string, reason: string): Promise<AnswerOf<'voidMatch'>> {
    return this.caller.call('voidMatch', { params: { matchId }, body: { reason } });
  }

  /** Rates a match that the coordinator did not form. */
  reportMatch(body: BodyOf<'reportMatch'>): Promise<AnswerOf<'reportMatch'>> {
    return this.caller.call('reportMatch', { body });
  }
}
