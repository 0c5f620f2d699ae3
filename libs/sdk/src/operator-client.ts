import type { AnswerOf, BodyOf, MatchView, QueryOf } from '@muster/contracts';
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

  servers(): Promise<AnswerOf<'listServers'>> {
    return this.caller.call('listServers');
  }

  waiting(queue: string): Promise<AnswerOf<'listWaiting'>> {
    return this.caller.call('listWaiting', { params: { queue } });
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

  /** Rates a match that the coordinator did not form. */
  reportMatch(body: BodyOf<'reportMatch'>): Promise<AnswerOf<'reportMatch'>> {
    return this.caller.call('reportMatch', { body });
  }
}
