import { type LinesPanel, linesPlot } from '@muster/plot';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { migratedDatabase, TestPostgres } from '../../support/database.js';
import { percentile } from '../../support/percentile.js';
import type { Extent } from '../../support/synthetic-history.js';
import { savePlots } from '../live/plots.js';
import { grid } from '../table.js';
import { Calls } from './history/calls.js';
import { fillAtOnce, gigabytes } from './history/fill.js';
import type { Part, PartReport, ScaleSettings } from './part.js';
import { createDb, type Db } from '../../support/prisma.js';

/** As many matches as fill the pages: an empty answer costs less than a full one. */
const empty: Extent = { matches: 5_000, players: 200, recent: 5_000 };
/** Matches of 30 days, whose sessions retention leaves, and players at most. */
const keptShare = 0.1;
const mostPlayers = 100_000;
/** Disk for each match while its history is made, in bytes. */
const bytesEach = 3_300;
const warmUpRounds = 300;
/** Retention deletes from the empty system what there is: so often there is something. */
const retentionRounds = 300;
const aim = 1.5;
/** The working set of the calls fits into memory; the history does not. */
const serverSettings = ['shared_buffers=2GB', 'maintenance_work_mem=512MB', 'max_wal_size=2GB'];

/** A call at one length of history. */
export interface Row {
  readonly matches: number;
  readonly call: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p50Ratio: number;
  readonly p99Ratio: number;
}

const head = `History: the stores of the services on one connection, call after call, on a long history and beside it on an empty
system (5,000 matches, which fill its pages). Both are in one Postgres and take turns call by call, so both feel the same load. It
writes without waiting for the disk, which makes ratios larger: the wait is the same on both. One call a connection; HTTP and gRPC are
not in it. Of the newest tenth of the matches there are sessions, commands, results and verdicts, as retention leaves them.`;

/** What calls cost as history grows. */
export const history: Part = {
  name: 'history',
  about: 'calls on 1 and 10 million matches and 100,000 ratings',
  async measure(settings, say): Promise<PartReport> {
    await refuseWithoutRoom(Math.max(...settings.matches));
    const postgres = await TestPostgres.start({ settings: serverSettings });
    try {
      const rows: Row[] = [];
      const sizes: string[] = [];
      for (const matches of settings.matches) {
        const { rows: found, size } = await compared(postgres.url, matches, settings, say);
        rows.push(...found);
        sizes.push(size);
      }
      if (settings.plots !== undefined) await savePlots(settings.plots, { 'history.svg': plotOf(rows) });
      return { text: [head, ...sizes, tableOf(rows)].join('\n\n'), json: { history: rows } };
    } finally {
      await postgres.stop();
    }
  },
};

async function refuseWithoutRoom(matches: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  const needed = matches * bytesEach;
  if (bavail * bsize < needed)
    throw new Error(
      `${matches} matches need ${(needed / 1e9).toFixed(0)} GB below ${tmpdir()}: give fewer --matches.`,
    );
}

async function compared(
  url: string,
  matches: number,
  { rounds }: ScaleSettings,
  say: (text: string) => void,
): Promise<{ rows: Row[]; size: string }> {
  const extent = {
    matches,
    players: Math.min(mostPlayers, Math.ceil(matches / 10)),
    recent: Math.ceil(matches * keptShare),
  };
  const sides = [await side(url, empty, () => undefined), await side(url, extent, say)] as const;
  const [base, grown] = sides;
  try {
    for (let round = -warmUpRounds; round < rounds; round += 1) {
      if (round % 200 === 0) say(`  round ${round}`);
      // Who is first changes, so that neither has the other's caches always.
      for (const each of round % 2 === 0 ? sides : [grown, base])
        await each.calls.round(warmUpRounds + round, round >= 0);
    }
    for (let round = 0; round < retentionRounds; round += 1)
      for (const each of sides) await each.calls.retain(round >= 10);
    const size = `${matches.toLocaleString('en-US')} matches of ${extent.players.toLocaleString('en-US')} players: ${(await gigabytes(grown.db)).toFixed(1)} GB, made in ${grown.seconds.toFixed(0)} s.`;
    return { rows: rowsOf(matches, base.calls.times, grown.calls.times), size };
  } finally {
    for (const each of sides) await each.drop();
  }
}

interface Side {
  readonly db: Db;
  readonly calls: Calls;
  /** Of making it. */
  readonly seconds: number;
  drop(): Promise<void>;
}

async function side(url: string, extent: Extent, say: (text: string) => void): Promise<Side> {
  say(`${extent.matches.toLocaleString('en-US')} matches:`);
  const start = performance.now();
  const own = await migratedDatabase(url);
  const db = createDb(own, { maxConnections: 1 });
  await fillAtOnce(db, extent, say);
  const calls = new Calls(db, extent);
  say(`  ${(await gigabytes(db)).toFixed(1)} GB; totals`);
  await calls.prepare();
  return {
    db,
    calls,
    seconds: (performance.now() - start) / 1_000,
    async drop() {
      await db.$disconnect();
      const admin = createDb(url, { maxConnections: 1 });
      await admin.$executeRawUnsafe(`DROP DATABASE "${new URL(own).pathname.slice(1)}"`);
      await admin.$disconnect();
    },
  };
}

type Times = ReadonlyMap<string, readonly number[]>;

const digits = (value: number): number => Number(value.toPrecision(3));

function rowsOf(matches: number, base: Times, grown: Times): Row[] {
  return [...grown].map(([call, times]) => {
    const [p50, p99] = [percentile(times, 50), percentile(times, 99)];
    const before = base.get(call) ?? [];
    return {
      matches,
      call,
      p50Ms: digits(p50),
      p99Ms: digits(p99),
      p50Ratio: digits(p50 / percentile(before, 50)),
      p99Ratio: digits(p99 / percentile(before, 99)),
    };
  });
}

function tableOf(rows: readonly Row[]): string {
  const columns = ['matches', 'call', 'p50 ms', 'p99 ms', 'p50 ratio', 'p99 ratio', `p99 ≤ ${aim}×`];
  const lines = rows.map(({ matches, call, p50Ms, p99Ms, p50Ratio, p99Ratio }) => [
    matches.toLocaleString('en-US'),
    call,
    `${p50Ms}`,
    `${p99Ms}`,
    `${p50Ratio}`,
    `${p99Ratio}`,
    p99Ratio <= aim ? 'met' : 'missed',
  ]);
  return grid(columns, lines);
}

/** Ratios by the number of matches: of the call that grows most, of the median call, and of the call that grows least. */
export function plotOf(rows: readonly Row[]): string {
  const sizes = [...new Set(rows.map(({ matches }) => matches))].toSorted((a, b) => a - b);
  const lines: [string, number][] = [
    ['highest of all calls', 100],
    ['median', 50],
    ['lowest', 0],
  ];
  const panel = (title: string, of: (row: Row) => number): LinesPanel => ({
    title,
    lines: lines.map(([name, share]) => ({
      name,
      dots: true,
      points: [
        { x: empty.matches, y: 1 },
        ...sizes.map((x) => ({
          x,
          y: percentile(rows.filter(({ matches }) => matches === x).map(of), share),
        })),
      ],
    })),
    guide: [{ y: aim, label: 'aim' }],
  });
  return linesPlot({
    title: 'Latency of calls against an empty system, by the length of history',
    x: { label: 'matches', kind: 'log' },
    panels: [panel('p50, ratio', (row) => row.p50Ratio), panel('p99, ratio', (row) => row.p99Ratio)],
  });
}
