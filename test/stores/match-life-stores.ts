import type { FillResult, FormedMatch, FormResult, SeatFill, VoidResult } from '@muster/domain';
import { PostgresMatchStore } from '../../apps/assignment/src/forming/match.store.js';
import { RatingStores } from '../support/rating-stores.js';
import { allocatorStores, type AllocatorStores } from './allocator-stores.js';
import type { MatchLifeView } from './match-life/view.js';
import type { Db } from '../support/prisma.js';

/** Makes stores that are empty except for the pool `ladder`. */
export type CreateMatchLife = () => Promise<MatchLifeStores>;

/** The stores of three services over one database, as the suites of a match's life take them. */
export class MatchLifeStores {
  readonly allocator: AllocatorStores;
  private readonly matches: PostgresMatchStore;
  private readonly ledger: RatingStores;

  constructor(private readonly db: Db) {
    this.allocator = allocatorStores(db);
    this.matches = new PostgresMatchStore(db);
    this.ledger = new RatingStores(db);
  }

  form(match: FormedMatch): Promise<FormResult> {
    return this.matches.form(match);
  }

  seat(seat: SeatFill, now: number): Promise<FillResult> {
    return this.matches.seat(seat, now);
  }

  /** Rates by a model that accepts any match of two teams. */
  async rateMatch(matchId: string, now: number) {
    return (await this.ledger.matches.rate(matchId, now)).outcome;
  }

  async voidMatch(matchId: string, now: number): Promise<VoidResult['outcome']> {
    const said = { by: 'olga', reason: 'a test', rebuildId: `rebuild of ${matchId}` };
    return (await this.ledger.matches.void(matchId, said, now)).outcome;
  }

  async view(): Promise<MatchLifeView> {
    const [row] = await this.db.$queryRaw<{ view: Row }[]>`
      SELECT jsonb_build_object(
        'matches', (SELECT jsonb_agg(jsonb_build_array(id, state)) FROM match),
        'servers', (SELECT jsonb_agg(jsonb_build_array(id, jsonb_build_object('state', state, 'slots', slots))) FROM server),
        'sessions', (SELECT jsonb_agg(jsonb_build_object('sessionId', id, 'matchId', match_id, 'serverId', server_id,
          'ordinal', slot_ordinal, 'state', state) ORDER BY reserved_at, id) FROM session),
        'commands', (SELECT jsonb_agg(jsonb_build_object('serverId', server_id, 'seq', seq, 'sessionId', session_id,
          'kind', kind, 'state', state, 'proposalId', payload->>'proposalId') ORDER BY server_id, seq) FROM command),
        'players', (SELECT jsonb_agg(jsonb_build_object('matchId', match_id, 'playerId', player_id, 'team', team,
          'ticketId', ticket_id, 'left', left_at IS NOT NULL)) FROM match_player),
        'backfills', (SELECT jsonb_agg(jsonb_build_object('backfillId', id, 'matchId', match_id, 'team', team,
          'state', state, 'seatsLeft', seats_left)) FROM backfill),
        'livePlayers', (SELECT jsonb_agg(jsonb_build_array(player_id, match_id)) FROM live_player),
        'waiting', (SELECT jsonb_agg(match_id) FROM placement),
        'results', (SELECT jsonb_agg(match_id) FROM result),
        'conflicts', (SELECT jsonb_agg(match_id) FROM result_conflict),
        'ratings', (SELECT jsonb_agg(event_id) FROM rating_event WHERE kind = 'match'),
        'jobs', (SELECT jsonb_agg(jsonb_build_object('queue', queue, 'jobId', job_id, 'payload', payload) ORDER BY id) FROM outbox)
      ) AS view`;
    const view = row?.view;
    return {
      matches: new Map(view?.matches),
      servers: new Map(view?.servers),
      sessions: view?.sessions ?? [],
      commands: view?.commands ?? [],
      players: view?.players ?? [],
      backfills: view?.backfills ?? [],
      livePlayers: new Map(view?.livePlayers),
      waiting: view?.waiting ?? [],
      results: view?.results ?? [],
      conflicts: view?.conflicts ?? [],
      ratings: view?.ratings ?? [],
      jobs: view?.jobs ?? [],
    };
  }
}

/** The view as one statement reads it: maps are lists of pairs, and what is empty is null. */
type Row = {
  readonly [Key in keyof MatchLifeView]:
    | (MatchLifeView[Key] extends ReadonlyMap<infer Name, infer Value>
        ? readonly (readonly [Name, Value])[]
        : MatchLifeView[Key])
    | null;
};
