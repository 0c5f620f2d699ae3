import type { PoolRulesBody } from '@muster/contracts';
import type { Stack } from '../../support/stack.js';
import { cpuBetween, cpuSecondsOf } from '../queue/cpu.js';
import { drawMatches, factsOf, type DrawnMatch } from './history.js';
import { createDb, type Db } from '../../support/prisma.js';

/** The duration of a rebuild of a pool's history, from the request until it takes effect. */
export interface RebuildTime {
  readonly title: string;
  readonly matches: number;
  readonly seconds: number;
  readonly eventsPerSecond: number;
  /** Processor seconds of the rating service and of Postgres; null without /proc. */
  readonly cpuSeconds: { readonly rating: number; readonly postgres: number } | null;
}

const players = 10_000;
const pool = 'bench-rebuild';
const rowsAtOnce = 10_000;
const pollMs = 100;

/**
 * Fills a pool with matches of five against five by SQL, then rebuilds it by HTTP: first under its named model, which
 * fits the calibration and creates the ledger; then each match under its original version; then with a margin, and with
 * skill by side and map. Each run adds a generation to the tables of those before.
 *
 * @throws Error if a rebuild fails
 */
export async function measureRebuild(
  stack: Stack,
  matches: number,
  say: (text: string) => void,
): Promise<RebuildTime[]> {
  // The history has sides and maps: without circumstances only the last run uses them.
  const { rules } = await stack.operator.createPool({ name: pool, circumstances: [] });
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  try {
    say(`filling a pool with ${matches} matches`);
    await fill(db, matches);
    return await measureRuns(stack, db, rules.model, matches, say);
  } finally {
    await db.$disconnect();
  }
}

async function measureRuns(
  stack: Stack,
  db: Db,
  model: string,
  matches: number,
  say: (text: string) => void,
): Promise<RebuildTime[]> {
  const timed: RebuildTime[] = [];
  for (const [title, body] of [
    ['base: under the same model, learning the calibration', { model }],
    ['base, as it was: under the versions of then', {}],
    ['margin, learning the calibration', { model, parameters: { margin: 5 } }],
    [
      'sides + margin: skill by side and map, with a margin',
      { model, parameters: { margin: 5 }, aspects: { side: 0.3, map: 0.3 } },
    ],
  ] as const) {
    await settle(db);
    say(`rebuilding: ${title}`);
    const before = cpuSecondsOf(stack.run.pids);
    const seconds = await rebuild(stack, body, matches);
    const used = cpuBetween(before, cpuSecondsOf(stack.run.pids));
    const cpuSeconds = used && { rating: used['rating'] ?? NaN, postgres: used['postgres'] ?? NaN };
    timed.push({ title, matches, seconds, eventsPerSecond: Math.round(matches / seconds), cpuSeconds });
  }
  return timed;
}

/** Postgres cleans up after a million new rows for a minute; a run is not to pay for the one before. */
async function settle(db: Db): Promise<void> {
  await db.$executeRaw`VACUUM (ANALYZE) rating_change, rated_match, rating`;
  await db.$executeRaw`CHECKPOINT`;
}

async function rebuild(stack: Stack, body: PoolRulesBody, matches: number): Promise<number> {
  const startedAt = performance.now();
  const { rebuildId } = await stack.operator.rebuildPool(pool, { ...body, reason: 'A benchmark.' });
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const { rebuilds } = await stack.operator.rebuilds(pool);
    const mine = rebuilds.find((each) => each.rebuildId === rebuildId);
    if (mine?.state === 'failed') throw new Error(`the rebuild failed: ${mine.error}`);
    if (mine?.state !== 'done') continue;
    if (mine.done !== matches || mine.skipped > 0)
      throw new Error(`the rebuild rated ${mine.done - mine.skipped} of ${matches} matches`);
    return Math.round((performance.now() - startedAt) / 100) / 10;
  }
}

/** As if one match had been reported per second. */
async function fill(db: Db, count: number): Promise<void> {
  const matches = drawMatches({ name: '5v5', teams: 2, size: 5 }, players, count, 3);
  const first = Date.now() - 1_000 * count;
  for (let from = 0; from < count; from += rowsAtOnce) {
    const rows = matches.slice(from, from + rowsAtOnce).map((match, i) => ({
      event_id: `${pool}-${from + i}`,
      at: new Date(first + 1_000 * (from + i)),
      detail: detailOf(match, from + i),
    }));
    await db.$executeRaw`
      INSERT INTO rating_event (sequence, pool, kind, event_id, at, detail)
      SELECT nextval('ledger_sequence'), ${pool}, 'match', event_id, at, detail
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(event_id text, at timestamptz, detail jsonb)`;
  }
  await db.$executeRaw`ANALYZE rating_event`;
}

/** A match as the ledger has it, with the scores that a margin needs, and with sides and a map. */
function detailOf(match: DrawnMatch, i: number): object {
  const facts = factsOf(match);
  const scored = match.teams.flatMap((team, t) =>
    team.map((player, p) => {
      const { scoredFor, scoredAgainst } = facts[t]?.[p] ?? {};
      return [`p${player}`, { scoredFor, scoredAgainst }] as const;
    }),
  );
  return {
    teams: match.teams.map((team) => team.map((player) => `p${player}`)),
    ranks: match.ranks,
    played: {
      situation: { sides: ['attack', 'defence'], map: `map-${i % 8}` },
      facts: Object.fromEntries(scored),
    },
  };
}
