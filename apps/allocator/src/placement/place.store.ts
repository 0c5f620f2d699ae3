import { type Db, type Sql, transact } from '@muster/db';
import {
  decideWait,
  explainPick,
  type PlacementTimeouts,
  type PlaceResult,
  policyNamed,
  rankServers,
  type UnplacedMatch,
} from '@muster/domain';
import { shortageNow } from '../scale-out/shortages.store.js';
import { carryOut } from '../match-life/changes.store.js';
import { countFreedSlots, noteUncounted } from '../slots/counts.store.js';
import { openRegionsOf, type RegionColumns } from '../slots/kinds.store.js';
import { type Candidates, candidates, wanted } from './candidates.store.js';
import { type Chosen, holdFreeServers, holdServers, reserve } from './reserve.store.js';

/** The number of matches placed in one transaction. */
export const placedAtOnce = 32;

/**
 * The transactions in which the matches of a batch are placed, one after another while matches are left. Most need one:
 * further ones are for servers that other allocators hold. The last is repeated.
 */
const passes: readonly PlacePass[] = [
  { spareServers: 8, waits: false },
  { spareServers: 64, waits: false },
  { spareServers: 64, waits: true },
];
const maxPasses = 20;

interface PlacePass {
  /** Servers of a region read beyond those that the matches need. */
  readonly spareServers: number;
  /** Whether to wait for servers that others hold. */
  readonly waits: boolean;
}

/** The time after which the database ends the transaction of an idle picker, in milliseconds. */
const pickIdleMs = 2_000;

/**
 * Reserves slots for matches. Allocators share no lock: each chooses among the servers that are the best by the matches'
 * policies and locks those it chose.
 *
 * 1. Count the slots of servers whose sessions closed, by which servers are found.
 * 2. Lock the matches' placement rows. Skip a row that another caller has locked and a match that is no longer
 * `formed`.
 * 3. Choose the best server that fits for each by its policy (`rankServers`). A match that none fits waits.
 * 4. Lock the chosen servers without waiting: one that another allocator holds, or reserved on since, gives way to one with
 * the same share of slots in use.
 * Matches that are left over are placed by further passes, which read more servers and then wait.
 * 5. Reserve: insert session rows (unique indexes guard slot and match) and the commands that create them. A match whose
 * server became full, drained, lost or registered again after the choice is placed by a further pass.
 *
 * One transaction takes all matches, so the cost of a match is a fraction of its round trips.
 *
 * @returns the results in the order of `matchIds`
 */
export async function place(
  db: Db,
  matchIds: readonly string[],
  timeouts: PlacementTimeouts,
  now: number,
): Promise<PlaceResult[]> {
  const results = new Map<string, PlaceResult>();
  let left: readonly string[] = [...new Set(matchIds)];
  // Matches that are left after the last pass stay due: the sweep tries them next.
  for (let n = 0; left.length > 0 && n < maxPasses; n++) {
    await countFreedSlots(db);
    const pass = passes[Math.min(n, passes.length - 1)] ?? { spareServers: 0, waits: true };
    const done = await transact(db, (tx) => placeIn(tx, left, pass, timeouts, now));
    for (const [matchId, result] of done.results) results.set(matchId, result);
    ({ left } = done);
  }
  return matchIds.map((id) => results.get(id) ?? { outcome: 'settled' });
}

interface Row extends Omit<UnplacedMatch, 'players' | 'policy' | 'open' | 'told'>, RegionColumns {
  openRegions: string[] | null;
  anywhere: boolean | null;
  policy: string | null;
  players: UnplacedMatch['players'] | null;
}

/** @returns the matches that this pass placed, and those that are left for the next one */
async function placeIn(
  tx: Sql,
  ids: readonly string[],
  { spareServers, waits }: PlacePass,
  timeouts: PlacementTimeouts,
  now: number,
) {
  const locked = await tx.$queryRaw<Row[]>`
    SELECT match.id AS "matchId", placement.attempts, match.queue, match.build, match.rules->>'mode' AS mode,
      match.regions, match.region_openings AS openings, match.proposed_at AS "proposedAt",
      placement.open_regions AS "openRegions", placement.anywhere,
      match.rules->>'placement' AS policy, match.map, match.bots, match.rules->'sides' AS sides,
      match.rules->'serverLabels' AS "serverLabels",
      placement.shortage,
      (SELECT jsonb_agg(jsonb_build_object('playerId', player_id, 'team', team, 'ticketId', ticket_id, 'role', role, 'booster', booster) ORDER BY player_id)
        FROM match_player WHERE match_player.match_id = match.id) AS players
    FROM placement JOIN match ON match.id = placement.match_id
    CROSS JOIN set_config('idle_in_transaction_session_timeout', ${String(pickIdleMs)}, true)
    WHERE placement.match_id = ANY(${[...ids]}::text[]) AND match.state = 'formed' AND NOT EXISTS (
      SELECT 1 FROM session WHERE session.match_id = match.id AND session.state IN ('reserved', 'live'))
    ORDER BY placement.match_id FOR UPDATE OF placement SKIP LOCKED`;
  if (locked.length === 0) return { results: [], left: [] };
  const matches = locked.map(({ regions, openings, proposedAt, openRegions: told, anywhere, ...row }) => ({
    ...row,
    open: openRegionsOf({ regions, openings, proposedAt }, now),
    told: told && anywhere !== null ? { regions: told, anywhere } : null,
    players: row.players ?? [],
    policy: policyNamed(row.policy),
  }));
  // Open sessions are read again: the statement that locked the rows may have a snapshot from before another allocator
  // committed.
  const found = await candidates(tx, matches, spareServers, timeouts, now);
  const unplaced = matches.filter(({ matchId }) => !found.open.has(matchId));
  const results: (readonly [string, PlaceResult])[] = [];
  const { chosen, none } = await hold(tx, unplaced, found, waits);
  await noteUncounted(tx, found.undercounted);
  // A server that is counted too low hides others from the index, so those may be free.
  const maybeFree = found.undercounted.length > 0;
  for (const match of maybeFree ? [] : none) results.push([match.matchId, await waitForSlot(tx, match, now)]);
  const proposedAt = new Map(locked.map((row) => [row.matchId, row.proposedAt?.getTime()]));
  for (const { matchId, sessionId, serverId, answerBy, attempts } of await reserve(
    tx,
    chosen,
    timeouts,
    now,
  )) {
    const since = proposedAt.get(matchId);
    const waitedMs = since === undefined ? null : Math.max(0, now - since);
    results.push([
      matchId,
      { outcome: 'reserved', serverId, sessionId, answerBy, attempt: attempts, waitedMs },
    ]);
  }
  const isDone = new Set(results.map(([matchId]) => matchId));
  return {
    results,
    left: unplaced.flatMap(({ matchId }) => (isDone.has(matchId) ? [] : [matchId])),
  };
}

/** @returns matches with a server that this transaction has locked, and matches that no server fits */
async function hold(
  tx: Sql,
  matches: readonly UnplacedMatch[],
  found: Candidates,
  waits: boolean,
): Promise<{ chosen: Chosen[]; none: UnplacedMatch[] }> {
  const wants = matches.map(wanted(found));
  const counted = new Map(found.servers.map((server) => [server.serverId, server.counted]));
  const held = new Set<string>();
  const busy = new Set<string>();
  for (;;) {
    const picks = rankServers(wants, found.servers, busy, found.trials);
    const free = new Set(picks.flatMap((pick) => (pick && !busy.has(pick.serverId) ? [pick.serverId] : [])));
    const further = [...free].filter((id) => !held.has(id));
    if (waits && further.length > 0) await holdServers(tx, further);
    const asChosen = Object.fromEntries(further.map((id) => [id, counted.get(id) ?? 0]));
    const locked = waits ? further : further.length > 0 ? await holdFreeServers(tx, asChosen) : [];
    for (const id of locked) held.add(id);
    for (const id of further) if (!held.has(id)) busy.add(id);
    // Each round locks servers or learns that they are busy, so the rounds end.
    if (locked.length < further.length) continue;
    return {
      chosen: matches.flatMap((match, i) => {
        const server = picks[i];
        const want = wants[i];
        return server && want && held.has(server.serverId)
          ? [{ match, server, why: explainPick(want, server) }]
          : [];
      }),
      none: matches.filter((_, i) => !picks[i]),
    };
  }
}

async function waitForSlot(tx: Sql, match: UnplacedMatch, now: number): Promise<PlaceResult> {
  return carryOut(tx, decideWait(match, await shortageNow(tx, match, now), now));
}
