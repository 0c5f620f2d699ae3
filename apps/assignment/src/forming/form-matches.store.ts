import { outboxJobsOf, sentenceOf } from '@muster/contracts';
import { outboxJson, type Sql } from '@muster/db';
import { formedJobs, type FormedMatch, type FormResult } from '@muster/domain';

/** Rolls back a transaction in which players of a match turned out to be in another. */
export class PlayersHeld extends Error {
  constructor(readonly playerIds: string[]) {
    super('players are in another live match');
  }
}

/**
 * Forms matches, all or none.
 *
 * 1. Insert the verdicts: the first one wins. Matches decided before are reported as such and left unchanged.
 * 2. Store the others with their players, and enqueue their jobs through the outbox.
 * 3. Hold their players. A player who is held by another match rolls everything back.
 *
 * @returns in the order given
 * @throws PlayersHeld with the blocking players of a single match; without names when there are several matches
 */
export async function formMatches(tx: Sql, matches: readonly FormedMatch[]): Promise<FormResult[]> {
  // In the order of their ids, as the players below: transactions that need the same rows wait instead of deadlocking.
  const ids = matches.map(({ matchId }) => matchId).toSorted();
  const decided = await tx.$queryRaw<{ match_id: string }[]>`
    INSERT INTO proposal_verdict (match_id, outcome, failed_ticket_ids)
    SELECT id, 'formed', '{}' FROM unnest(${ids}::text[]) WITH ORDINALITY AS asked (id, nth) ORDER BY nth
    ON CONFLICT DO NOTHING RETURNING match_id`;
  const newIds = new Set(decided.map((row) => row.match_id));
  // A match that occurs twice breaks the primary key; tried alone, one is formed and the other finds it decided.
  const newMatches = matches.filter(({ matchId }) => newIds.has(matchId));
  const before = ids.filter((id) => !newIds.has(id));
  const verdicts =
    before.length === 0
      ? []
      : await tx.$queryRaw<{ match_id: string; outcome: string }[]>`
          SELECT match_id, outcome FROM proposal_verdict WHERE match_id = ANY(${before}::text[])`;
  const verdictOf = new Map(verdicts.map(({ match_id, outcome }) => [match_id, outcome]));
  if (newMatches.length > 0) await store(tx, newMatches);
  return matches.map(({ matchId }) =>
    newIds.has(matchId)
      ? { outcome: 'formed' }
      : { outcome: 'decided', verdict: verdictOf.get(matchId) === 'formed' ? 'formed' : 'refused' },
  );
}

/** Stores matches with their players, in one statement. @throws PlayersHeld */
async function store(tx: Sql, matches: readonly FormedMatch[]): Promise<void> {
  const players = playerRows(matches);
  const held = await tx.$queryRaw<{ player_id: string }[]>`
    WITH players AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(players)}::jsonb)
        AS row(match_id text, player_id text, team int, ticket_id text, mu float8, sigma float8, waited_ms int, role text, booster jsonb, attributes jsonb, formed_at timestamptz)
    ), formed AS (
      INSERT INTO match (id, origin, state, pool, queue, build, regions, region_openings, rules, split, why, why_messages, prediction, ranks, map, bots, proposed_at, formed_at, trace)
      SELECT id, 'queue', 'formed', pool, queue, build, regions, region_openings, rules, split, why, why_messages, prediction, '{}', map, bots, proposed_at, formed_at, trace
      FROM jsonb_to_recordset(${JSON.stringify(matchRows(matches))}::jsonb)
        AS row(id text, pool text, queue text, build text, regions text[], region_openings jsonb, rules jsonb, split jsonb, why text[], why_messages jsonb, prediction float8[],
          map text, bots int[], proposed_at timestamptz, formed_at timestamptz, trace text)
    ), rosters AS (
      INSERT INTO match_player (match_id, player_id, team, ticket_id, mu, sigma, waited_ms, role, booster, attributes, formed_at)
      SELECT match_id, player_id, team, ticket_id, mu, sigma, waited_ms, role, booster, attributes, formed_at FROM players
    ), enqueued AS (
      INSERT INTO outbox (owner, queue, job_id, payload)
      SELECT 'assignment', row.queue, row.job_id, row.payload
      FROM jsonb_to_recordset(${outboxJson(outboxJobsOf(matches.flatMap(formedJobs)))}::jsonb) AS row(queue text, job_id text, payload jsonb)
    )
    INSERT INTO live_player (player_id, match_id)
    SELECT player_id, match_id FROM players ORDER BY player_id
    ON CONFLICT DO NOTHING RETURNING player_id`;
  if (held.length !== players.length) throw await playersHeld(tx, matches);
}

/** Rows of `match`. */
function matchRows(matches: readonly FormedMatch[]) {
  return matches.map((match) => ({
    id: match.matchId,
    pool: match.pool,
    queue: match.queue,
    build: match.build,
    regions: match.regions,
    ...(match.openings ? { region_openings: match.openings } : {}),
    rules: match.rules,
    split: match.split,
    why: match.why.map(sentenceOf),
    why_messages: match.why,
    prediction: match.prediction,
    map: match.map,
    bots: match.bots,
    proposed_at: new Date(match.proposedAt),
    formed_at: new Date(match.formedAt),
    trace: match.trace,
  }));
}

/** Rows of `match_player`. */
function playerRows(matches: readonly FormedMatch[]) {
  return matches.flatMap((match) =>
    match.players.map(
      ({ playerId, team, ticketId, mu, sigma, waitedMs, role = null, booster, attributes }) => ({
        match_id: match.matchId,
        player_id: playerId,
        team,
        ticket_id: ticketId,
        mu,
        sigma,
        waited_ms: waitedMs,
        role,
        // Left out rather than null: that would be JSON's null.
        ...(booster ? { booster } : {}),
        ...(attributes ? { attributes } : {}),
        formed_at: new Date(match.formedAt),
      }),
    ),
  );
}

/** For a single match, the players who are in another; for several none are named, since each is tried alone. */
async function playersHeld(tx: Sql, [only, ...more]: readonly FormedMatch[]): Promise<PlayersHeld> {
  const playerIds = more.length > 0 || !only ? [] : only.players.map(({ playerId }) => playerId);
  const others = await tx.$queryRaw<{ player_id: string }[]>`
    SELECT player_id FROM live_player WHERE player_id = ANY(${playerIds}::text[]) AND match_id <> ${only?.matchId ?? ''}`;
  return new PlayersHeld(others.map(({ player_id }) => player_id));
}
