import { sqlPart, verbatim, type SqlPart } from '@muster/db';

/** Where data of a player is stored. docs/privacy.md says what an erasure does with it. */
export interface Place {
  readonly table: string;
  /** What it is, for people. */
  readonly what: string;
  /** The player's rows, as JSON, without what belongs to others. */
  rows(playerId: string): SqlPart;
}

/** Rows by their player. */
const ofPlayer = (table: string, what: string): Place => ({
  table,
  what,
  rows: (id) =>
    sqlPart`SELECT to_jsonb(found) AS row FROM ${verbatim(table)} AS found WHERE player_id = ${id}`,
});

/** Rows by pool and player. */
const ofPools = (table: string, what: string): Place => ({
  table,
  what,
  rows: (id) => sqlPart`
    SELECT to_jsonb(found) AS row FROM rating_pool JOIN ${verbatim(table)} AS found ON pool = name WHERE player_id = ${id}`,
});

/**
 * Every table with data of players. A test compares it with the schema: a new table with players is in it, or stated to have
 * none of its own.
 */
export const places: readonly Place[] = [
  ofPools('rating', 'ratings, by pool and generation'),
  {
    table: 'rating_change',
    what: 'changes of ratings',
    rows: (id) => sqlPart`
    SELECT to_jsonb(change) AS row FROM rating_pool
    JOIN rating_change AS change ON change.pool = name AND change.generation = rating_pool.generation
    WHERE player_id = ${id} ORDER BY change.sequence`,
  },
  {
    table: 'rating_event',
    what: 'events of the ledger that name only this player',
    rows: (id) => sqlPart`
    SELECT to_jsonb(event) AS row FROM rating_pool
    JOIN rating_change AS change ON change.pool = name AND change.generation = rating_pool.generation
    JOIN rating_event AS event ON event.sequence = change.sequence
    WHERE player_id = ${id} AND change.kind <> 'match' ORDER BY event.sequence`,
  },
  {
    table: 'season_standing',
    what: 'final standings of seasons',
    rows: (id) => sqlPart`
    SELECT to_jsonb(standing) AS row FROM season JOIN season_standing AS standing
      ON standing.pool = season.pool AND standing.season = season.number
    WHERE player_id = ${id}`,
  },
  ofPools('booster', 'boosters'),
  {
    table: 'integrity_watch',
    what: 'what signals of integrity remember, without opponents',
    rows: (id) => sqlPart`
    SELECT to_jsonb(watch) #- '{state,opponents}' AS row FROM rating_pool JOIN integrity_watch AS watch ON pool = name
    WHERE kind = 'player' AND subject = ${id}`,
  },
  {
    table: 'integrity_case',
    what: 'cases of integrity, without the other player and the reasons',
    rows: (id) => sqlPart`
    SELECT to_jsonb(found) - ARRAY['subject', 'players', 'pro', 'contra', 'note'] AS row FROM integrity_case AS found
    WHERE players @> ARRAY[${id}]::text[]`,
  },
  {
    table: 'player_habit',
    what: 'kinds of habits that the game told, and when, without their codes',
    rows: (id) => sqlPart`
    SELECT to_jsonb(habit) - 'code' AS row FROM rating_pool JOIN player_habit AS habit ON pool = name WHERE player_id = ${id}`,
  },
  ofPlayer('player_name', 'the last display name'),
  {
    table: 'match_player',
    what: 'matches: team, role, waiting time, rating before, attributes of the ticket',
    rows: (id) => sqlPart`
    SELECT to_jsonb(player) || jsonb_build_object('map', match.map, 'region', match.region, 'queue', match.queue,
      'ranks', match.ranks, 'facts', match.played->'facts'->${id}::text, 'stats', match.played->'stats'->${id}::text, 'share', match.played->'shares'->${id}::text) AS row
    FROM match_player AS player JOIN match ON match.id = match_id WHERE player_id = ${id} ORDER BY player.formed_at`,
  },
  ofPlayer('live_player', 'the match that runs'),
  {
    table: 'calibration_search',
    what: 'the search for the level of a newcomer',
    rows: (id) => sqlPart`
    SELECT to_jsonb(found) AS row FROM rating_pool JOIN calibration_search AS found ON pool = name WHERE player_id = ${id}`,
  },
  {
    table: 'party',
    what: 'the party that the player leads',
    rows: (id) => sqlPart`
    SELECT to_jsonb(party) AS row FROM party JOIN party_member AS member ON party_id = party.id
    WHERE player_id = ${id} AND leader = ${id}`,
  },
  ofPlayer('party_member', 'membership of a party: latencies, roles, claims of the token'),
  ofPlayer('party_invitation', 'invitations to parties'),
  ofPlayer('avoided_player', 'the avoid-list, and being on those of others'),
  {
    table: 'behaviour_report',
    what: 'reports by the player, and about them without their authors',
    rows: (id) => sqlPart`
    SELECT to_jsonb(report) AS row FROM match_player AS player
    JOIN behaviour_report AS report ON report.match_id = player.match_id AND reporter = ${id} WHERE player_id = ${id}
    UNION ALL SELECT to_jsonb(report) - ARRAY['reporter', 'note', 'weight'] FROM behaviour_report AS report WHERE reported = ${id}`,
  },
  ofPlayer('penalty', 'penalties'),
  ofPlayer('player_ban', 'a ban from queues'),
  ofPlayer('player_request', 'requests of the player about their own data'),
  ofPlayer('legal_hold', 'a legal hold'),
  {
    table: 'audit_entry',
    what: 'changes by operators that name the player, without the operator, reasons and copies of other tables',
    rows: (id) => sqlPart`
    SELECT to_jsonb(entry) - ARRAY['who', 'key_id', 'origin', 'reason', 'asked', 'targets', 'before', 'after'] AS row FROM audit_entry AS entry
    WHERE targets @> ARRAY[${id}]::text[] ORDER BY entry.id`,
  },
];
