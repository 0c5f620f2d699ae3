import type { Sql } from '@muster/db';
import { grouped, type RatingPool, type Signal } from '@muster/domain';
import {
  alternateLog,
  alternateSignal,
  likeliestOlder,
  mostAccounts,
  mostHolders,
  newcomerMatches,
  signalThresholds,
  type NewcomerWatch,
  type OlderAccount,
  type OwnHabit,
  type WatchedMatch,
} from '@muster/skill';

/** New accounts whose habits are compared by one statement. */
const newcomersAtOnce = 50;
/** The likeliest older accounts that are looked at of a new one. */
const mostCandidates = 20;
/** Changes of a new account's rating that are searched for matches with another: its first matches, and what else changed it. */
const mostChanges = 2 * newcomerMatches;
/**
 * A count is used for this long for each account that it found, in milliseconds, so a large one for ten minutes: it walks as many
 * entries of an index. An older, smaller one accuses less.
 */
const usedMsPerAccount = 60;

/** A new account after a match. */
export interface Sighting {
  readonly playerId: string;
  readonly watch: NewcomerWatch;
  readonly match: Pick<WatchedMatch, 'matchId' | 'sequence'>;
}

/** Remembers how many accounts of a pool report a kind of habit. */
export class HabitCounts {
  private readonly known = new Map<string, { readonly players: number; readonly at: number }>();

  async of(
    tx: Sql,
    pool: string,
    kinds: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, number>> {
    const key = (kind: string): string => `${pool} ${kind}`;
    const fresh = (kind: string): boolean => {
      const count = this.known.get(key(kind));
      return count !== undefined && now - count.at < usedMsPerAccount * count.players;
    };
    const missing = kinds.filter((kind) => !fresh(kind));
    if (missing.length > 0) {
      // A game has a few kinds; one that invents them must not fill the memory.
      if (this.known.size > 10_000) this.known.clear();
      for (const { kind, players } of await countsOf(tx, pool, missing))
        this.known.set(key(kind), { players, at: now });
    }
    return new Map(kinds.map((kind) => [kind, this.known.get(key(kind))?.players ?? 0]));
  }
}

/** A signal for each match of a new account after which it looks like an older one: the one that it looks most like. */
export async function alternates(
  tx: Sql,
  pool: RatingPool,
  newcomers: readonly Sighting[],
  counts: HabitCounts,
  now: number,
): Promise<Signal[]> {
  const byPlayer = [...grouped(newcomers, ({ playerId }) => playerId)];
  const signals: Signal[] = [];
  for (let i = 0; i < byPlayer.length; i += newcomersAtOnce)
    signals.push(...(await alike(tx, pool, new Map(byPlayer.slice(i, i + newcomersAtOnce)), counts, now)));
  return signals;
}

async function alike(
  tx: Sql,
  pool: RatingPool,
  newcomers: ReadonlyMap<string, readonly Sighting[]>,
  counts: HabitCounts,
  now: number,
): Promise<Signal[]> {
  const own = await ownHabits(tx, pool.name, [...newcomers.keys()]);
  if (own.length === 0) return [];
  const players = await counts.of(tx, pool.name, [...new Set(own.map(({ kind }) => kind))], now);
  const compared = [...grouped(own, ({ player_id: id }) => id)].flatMap(([newcomer, rows]): Compared[] => {
    const habits = rows.map(({ kind, code, holders }) => ({
      kind,
      code,
      players: players.get(kind) ?? 0,
      holders: holders.length,
    }));
    const sightings = newcomers.get(newcomer) ?? [];
    const candidates = candidatesOf(newcomer, rows, habits, sightings);
    return candidates.length === 0
      ? []
      : [{ newcomer, sightings, habits, since: firstSeen(rows), candidates }];
  });
  if (compared.length === 0) return [];
  const accounts = await olderAccounts(tx, pool, compared);
  return compared.flatMap(({ newcomer, sightings, habits }) =>
    sightings.flatMap(({ watch, match }) => {
      const older = likeliestOlder(habits, watch, accounts.get(newcomer) ?? [], signalThresholds.alternate);
      if (!older) return [];
      const pair = { newcomer, older: older.playerId, own: habits, habits: older.habits, watch };
      return [alternateSignal(pair, match)];
    }),
  );
}

interface Compared {
  readonly newcomer: string;
  readonly sightings: readonly Sighting[];
  readonly habits: readonly OwnHabit[];
  /** When the game first told any of its habits. */
  readonly since: number;
  readonly candidates: readonly string[];
}

interface HabitRow {
  player_id: string;
  kind: string;
  code: string;
  first_seen_at: Date;
}

interface OwnRow extends HabitRow {
  /** Who has the code, the account itself among them; one more than `mostHolders` at most. */
  holders: string[];
}

/** The accounts with equal codes that may have enough evidence, the likeliest first. What differs only takes evidence away. */
function candidatesOf(
  newcomer: string,
  rows: readonly OwnRow[],
  habits: readonly OwnHabit[],
  sightings: readonly Sighting[],
): string[] {
  const equal = new Map<string, Map<string, string>>();
  for (const { kind, code, holders } of rows) {
    if (holders.length > mostHolders) continue;
    for (const id of holders)
      if (id !== newcomer) equal.set(id, (equal.get(id) ?? new Map()).set(kind, code));
  }
  const strongest = sightings.reduce<Sighting | undefined>(
    (best, each) => (best && best.watch.evidence.log >= each.watch.evidence.log ? best : each),
    undefined,
  );
  if (!strongest) return [];
  return [...equal]
    .map(([id, codes]) => ({ id, log: alternateLog(habits, codes, strongest.watch) }))
    .filter(({ log }) => log >= Math.log(signalThresholds.alternate))
    .toSorted((a, b) => b.log - a.log)
    .slice(0, mostCandidates)
    .map(({ id }) => id);
}

async function olderAccounts(
  tx: Sql,
  { name, generation }: RatingPool,
  compared: readonly Compared[],
): Promise<ReadonlyMap<string, OlderAccount[]>> {
  const ids = [...new Set(compared.flatMap(({ candidates }) => candidates))];
  const rows = grouped(await habitsOf(tx, name, ids), ({ player_id: id }) => id);
  const pairs = compared.flatMap(({ newcomer, candidates }) =>
    candidates.map((older) => ({ newcomer, older })),
  );
  const facts = await factsOf(tx, name, generation, pairs);
  return new Map(
    compared.map(({ newcomer, since }) => [
      newcomer,
      facts.flatMap((pair): OlderAccount[] => {
        if (pair.newcomer !== newcomer) return [];
        const habits = rows.get(pair.older) ?? [];
        return [
          {
            playerId: pair.older,
            habits: new Map(habits.map(({ kind, code }) => [kind, code])),
            isOlder: !pair.is_new || firstSeen(habits) < since,
            hasMet: pair.met,
            isJudged: pair.judged,
          },
        ];
      }),
    ]),
  );
}

const firstSeen = (rows: readonly HabitRow[]): number =>
  Math.min(...rows.map(({ first_seen_at: at }) => at.getTime()));

/** The habits of accounts, and who shares them. */
function ownHabits(tx: Sql, pool: string, playerIds: readonly string[]): Promise<OwnRow[]> {
  return tx.$queryRaw<OwnRow[]>`
    SELECT own.player_id, own.kind, own.code, own.first_seen_at, ARRAY(
      SELECT other.player_id FROM player_habit AS other
      WHERE other.pool = ${pool} AND other.kind = own.kind AND other.code = own.code LIMIT ${mostHolders + 1}::int) AS holders
    FROM player_habit AS own WHERE own.pool = ${pool} AND own.player_id = ANY(ARRAY(SELECT unnest(${[...playerIds]}::text[])))
    ORDER BY own.player_id, own.kind`;
}

function countsOf(
  tx: Sql,
  pool: string,
  kinds: readonly string[],
): Promise<{ kind: string; players: number }[]> {
  return tx.$queryRaw<{ kind: string; players: number }[]>`
    SELECT kind, (SELECT count(*)::int FROM (
      SELECT FROM player_habit WHERE pool = ${pool} AND player_habit.kind = asked.kind LIMIT ${mostAccounts}::int) AS counted) AS players
    FROM unnest(${[...kinds]}::text[]) AS asked(kind)`;
}

function habitsOf(tx: Sql, pool: string, playerIds: readonly string[]): Promise<HabitRow[]> {
  return tx.$queryRaw<HabitRow[]>`
    SELECT player_id, kind, code, first_seen_at FROM player_habit
    WHERE pool = ${pool} AND player_id = ANY(ARRAY(SELECT unnest(${[...playerIds]}::text[])))`;
}

interface PairRow {
  newcomer: string;
  older: string;
  met: boolean;
  judged: boolean;
  is_new: boolean;
}

/** Whether two accounts were in one match, whether an operator has judged them, and whether the other one is new as well. */
function factsOf(
  tx: Sql,
  pool: string,
  generation: number,
  pairs: readonly { readonly newcomer: string; readonly older: string }[],
): Promise<PairRow[]> {
  const newcomers = pairs.map(({ newcomer }) => newcomer);
  const older = pairs.map((pair) => pair.older);
  return tx.$queryRaw<PairRow[]>`
    SELECT newcomer, older, EXISTS (
        SELECT FROM (
          SELECT event_id FROM rating_change WHERE pool = ${pool} AND generation = ${generation}::int AND player_id = newcomer
          ORDER BY sequence LIMIT ${mostChanges}::int) AS own
        JOIN rating_change AS common ON common.pool = ${pool} AND common.generation = ${generation}::int AND common.kind = 'match'
          AND common.event_id = own.event_id AND common.player_id = older) AS met,
      EXISTS (
        SELECT FROM integrity_case WHERE players @> ARRAY[newcomer, older] AND pool = ${pool} AND kind = 'alternate'
          AND state = 'closed') AS judged,
      EXISTS (
        SELECT FROM integrity_watch WHERE pool = ${pool} AND kind = 'player' AND subject = older
          AND generation = ${generation}::int AND jsonb_typeof(state->'newcomer') = 'object') AS is_new
    FROM unnest(${newcomers}::text[], ${older}::text[]) AS pair(newcomer, older)`;
}
