import { sqlPart, type SqlPart } from '@muster/db';

/** What an erasure does with rows: a pseudonym takes the place of the id, or they are deleted. */
type Fate = 'pseudonym' | 'deleted';

/** Where data of a player is stored. */
export interface Place {
  readonly table: string;
  /** What it is, for people. */
  readonly what: string;
  readonly fate: Fate;
  /** The player's rows, as JSON, without what belongs to others. */
  rows(playerId: string): SqlPart;
}

const place = (table: string, what: string, fate: Fate, rows: (playerId: string) => SqlPart): Place => ({
  table,
  what,
  fate,
  rows,
});

/**
 * Every table with data of players. A test compares it with the schema: a new table with players is in it, or stated to have
 * none of its own.
 */
export const places: readonly Place[] = [
  place(
    'rating',
    'ratings, by pool and generation',
    'pseudonym',
    (id) => sqlPart`
    SELECT to_jsonb(rating) AS row FROM rating_pool JOIN rating ON pool = name WHERE player_id = ${id}`,
  ),
  place(
    'rating_change',
    'changes of ratings',
    'pseudonym',
    (id) => sqlPart`
    SELECT to_jsonb(change) AS row FROM rating_pool
    JOIN rating_change AS change ON change.pool = name AND change.generation = rating_pool.generation
    WHERE player_id = ${id} ORDER BY change.sequence`,
  ),
  place(
    'rating_event',
    'events of the ledger that name only this player',
    'pseudonym',
    (id) => sqlPart`
    SELECT to_jsonb(event) AS row FROM rating_pool
    JOIN rating_change AS change ON change.pool = name AND change.generation = rating_pool.generation
    JOIN rating_event AS event ON event.sequence = change.sequence
    WHERE player_id = ${id} AND change.kind <> 'match' ORDER BY event.sequence`,
  ),
  place(
    'season_standing',
    'final standings of seasons',
    'pseudonym',
    (id) => sqlPart`
    SELECT to_jsonb(standing) AS row FROM season JOIN season_standing AS standing
      ON standing.pool = season.pool AND standing.season = season.number
    WHERE player_id = ${id}`,
  ),
  place(
    'booster',
    'boosters',
    'pseudonym',
    (id) => sqlPart`
    SELECT to_jsonb(booster) AS row FROM rating_pool JOIN booster ON pool = name WHERE player_id = ${id}`,
  ),
  place(
    'integrity_watch',
    'what signals of integrity remember, without opponents',
    'deleted',
    (id) => sqlPart`
    SELECT to_jsonb(watch) #- '{state,opponents}' AS row FROM rating_pool JOIN integrity_watch AS watch ON pool = name
    WHERE kind = 'player' AND subject = ${id}`,
  ),
  place(
    'integrity_case',
    'cases of integrity, without the other player and the reasons',
    'deleted',
    (id) => sqlPart`
    SELECT to_jsonb(found) - ARRAY['subject', 'players', 'pro', 'contra', 'note'] AS row FROM integrity_case AS found
    WHERE players @> ARRAY[${id}]::text[]`,
  ),
  place(
    'player_habit',
    'kinds of habits that the game told, and when, without their codes',
    'deleted',
    (id) => sqlPart`
    SELECT to_jsonb(habit) - 'code' AS row FROM rating_pool JOIN player_habit AS habit ON pool = name WHERE player_id = ${id}`,
  ),
  place(
    'player_name',
    'the last display name',
    'deleted',
    (id) => sqlPart`
    SELECT to_jsonb(player_name) AS row FROM player_name WHERE player_id = ${id}`,
  ),
  place(
    'match_player',
    'matches: team, role, waiting time, rating before, attributes of the ticket',
    'pseudonym',
    (id) => sqlPart`
    SELECT to_jsonb(player) || jsonb_build_object('map', match.map, 'region', match.region, 'queue', match.queue,
      'ranks', match.ranks, 'facts', match.played->'facts'->${id}::text, 'stats', match.played->'stats'->${id}::text, 'share', match.played->'shares'->${id}::text) AS row
    FROM match_player AS player JOIN match ON match.id = match_id WHERE player_id = ${id} ORDER BY player.formed_at`,
  ),
  place(
    'live_player',
    'the match that runs',
    'pseudonym',
    (id) => sqlPart`
    SELECT to_jsonb(live_player) AS row FROM live_player WHERE player_id = ${id}`,
  ),
  place(
    'calibration_search',
    'the search for the level of a newcomer',
    'deleted',
    (id) => sqlPart`
    SELECT to_jsonb(search) AS row FROM rating_pool JOIN calibration_search AS search ON pool = name WHERE player_id = ${id}`,
  ),
  place(
    'party',
    'the party that the player leads',
    'deleted',
    (id) => sqlPart`
    SELECT to_jsonb(party) AS row FROM party JOIN party_member AS member ON party_id = party.id
    WHERE player_id = ${id} AND leader = ${id}`,
  ),
  place(
    'party_member',
    'membership of a party: latencies, roles, claims of the token',
    'deleted',
    (id) => sqlPart`
    SELECT to_jsonb(member) AS row FROM party_member AS member WHERE player_id = ${id}`,
  ),
  place(
    'party_invitation',
    'invitations to parties',
    'deleted',
    (id) => sqlPart`
    SELECT to_jsonb(invitation) AS row FROM party_invitation AS invitation WHERE player_id = ${id}`,
  ),
  place(
    'avoided_player',
    'the avoid-list, and being on those of others',
    'deleted',
    (id) => sqlPart`
    SELECT to_jsonb(avoided) AS row FROM avoided_player AS avoided WHERE player_id = ${id}`,
  ),
  place(
    'behaviour_report',
    'reports by the player, and about them without their authors',
    'deleted',
    (id) => sqlPart`
    SELECT to_jsonb(report) AS row FROM match_player AS player
    JOIN behaviour_report AS report ON report.match_id = player.match_id AND reporter = ${id} WHERE player_id = ${id}
    UNION ALL SELECT to_jsonb(report) - ARRAY['reporter', 'note', 'weight'] FROM behaviour_report AS report WHERE reported = ${id}`,
  ),
  place(
    'penalty',
    'penalties',
    'deleted',
    (id) => sqlPart`
    SELECT to_jsonb(penalty) AS row FROM penalty WHERE player_id = ${id}`,
  ),
  place(
    'player_request',
    'requests of the player about their own data',
    'deleted',
    (id) => sqlPart`
    SELECT to_jsonb(request) AS row FROM player_request AS request WHERE player_id = ${id}`,
  ),
  place(
    'legal_hold',
    'a legal hold',
    'pseudonym',
    (id) => sqlPart`
    SELECT to_jsonb(hold) AS row FROM legal_hold AS hold WHERE player_id = ${id}`,
  ),
];

/** Tables that may name a player in texts or JSON of a match or a job; an erasure replaces the id there. */
export const naming: readonly string[] = [
  'match',
  'balance_order',
  'live_balance',
  'session',
  'command',
  'result',
  'result_conflict',
  'proposal_verdict',
  'outbox',
  'outbox_sent',
  'pool_rebuild',
  'season',
];
