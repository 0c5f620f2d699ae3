import type {
  BoardBuild,
  BoardEntry,
  BoardKeeping,
  BoardName,
  BoardPage,
  BoardPlace,
  BoardProgress,
  BoardQuestion,
  KeptBoard,
  LeaderboardStore,
  LedgerEnd,
} from '@muster/domain';
import { scriptRunner, type RedisConnection, type Script, type ScriptRunner } from '@muster/redis';
import {
  beginScript,
  dropScript,
  finishScript,
  keepScript,
  readScript,
  sweepScript,
  writeScript,
} from './board-scripts.store.js';

/** Players in one call of a script. */
const entriesAtOnce = 500;
const sweptAtOnce = 1_000;

/** Boards in Redis; see `board-scripts.store.ts` for its keys. */
export class RedisBoards implements LeaderboardStore, BoardKeeping {
  private readonly run: ScriptRunner;

  constructor(
    private readonly redis: RedisConnection,
    private readonly root: string,
    /** The name of this process. */
    private readonly owner: string,
    private readonly leaseMs = 10_000,
  ) {
    this.run = scriptRunner(redis, root);
  }

  async read({ pool, region }: BoardName, question: BoardQuestion, now: number): Promise<BoardPage | null> {
    const [season, players, ...rows] = await this.run(readScript, [
      pool,
      region ?? '',
      String(now),
      ...argsOf(question),
    ]);
    if (season === 'none' || season === undefined) return null;
    return { season: Number(season), players: Number(players), places: placesOf(rows) };
  }

  async asked(): Promise<{ pool: string; at: number }[]> {
    const flat = await this.redis.zrange(`${this.root}:boards`, '0', '-1', 'WITHSCORES');
    const found: { pool: string; at: number }[] = [];
    for (let i = 0; i + 1 < flat.length; i += 2) found.push({ pool: flat[i] ?? '', at: Number(flat[i + 1]) });
    return found;
  }

  async keep(pool: string): Promise<KeptBoard | null> {
    const [outcome, live = '', next = '', ...fields] = await this.of(keepScript, pool, String(this.leaseMs));
    if (outcome !== 'kept') return null;
    return { live: buildOf(live, fields), next: buildOf(next, fields.slice(5)) };
  }

  async begin(
    pool: string,
    { id, madeFor, awaited }: Pick<BoardBuild, 'id' | 'madeFor' | 'awaited'>,
    season: number,
  ): Promise<boolean> {
    return (await this.of(beginScript, pool, id, madeFor, endText(awaited), String(season)))[0] === 'begun';
  }

  async write(
    pool: string,
    build: BoardBuild,
    entries: readonly BoardEntry[],
    done: BoardProgress,
  ): Promise<boolean> {
    const before = progressArgs(build);
    const after = progressArgs({ ...build, ...done });
    for (let i = 0; i === 0 || i < entries.length; i += entriesAtOnce) {
      const some = entries.slice(i, i + entriesAtOnce);
      const reached = i + entriesAtOnce < entries.length ? before : after;
      const [outcome] = await this.of(writeScript, pool, build.id, ...reached, ...some.flatMap(entryArgs));
      if (outcome !== 'written') return false;
    }
    return true;
  }

  async finish(pool: string, buildId: string): Promise<void> {
    await this.of(finishScript, pool, buildId);
  }

  async sweep(pool: string, buildId: string, now: number): Promise<boolean> {
    const [count] = await this.of(sweepScript, pool, buildId, String(now), String(sweptAtOnce));
    return Number(count) === sweptAtOnce;
  }

  async drop(pool: string, askedBefore: number): Promise<boolean> {
    return (await this.of(dropScript, pool, String(askedBefore)))[0] === 'dropped';
  }

  private of(script: Script, pool: string, ...args: string[]): Promise<string[]> {
    return this.run(script, [pool, this.owner, ...args]);
  }
}

function argsOf(question: BoardQuestion): string[] {
  switch (question.kind) {
    case 'top':
      return ['top', String(question.from), String(question.limit)];
    case 'around':
      return ['around', question.playerId, String(question.limit)];
    case 'players':
      return ['players', ...new Set(question.playerIds)];
  }
}

function placesOf(rows: readonly string[]): BoardPlace[] {
  const places: BoardPlace[] = [];
  for (let i = 0; i + 2 < rows.length; i += 3)
    places.push({ rank: Number(rows[i]), mu: Number(rows[i + 1]), playerId: rows[i + 2] ?? '' });
  return places.toSorted((a, b) => a.rank - b.rank);
}

function buildOf(
  id: string,
  [madeFor = '', through = '', safe = '', seen = '', fence = '']: readonly string[],
): BoardBuild | null {
  // Its hash may be lost while the board's is not.
  return id === '' || madeFor === '' ? null : { id, madeFor, through, safe, seen, awaited: endOf(fence) };
}

function endOf(text: string): LedgerEnd | null {
  const [fence, last] = text.split(' ');
  return fence && last ? { fence: BigInt(fence), last: BigInt(last) } : null;
}

const endText = (end: LedgerEnd | null): string => (end ? `${end.fence} ${end.last}` : '');

const progressArgs = ({ through, safe, seen, awaited }: BoardBuild): string[] => [
  through,
  safe,
  seen,
  endText(awaited),
];

function entryArgs({ playerId, mu, region, leavesAt }: BoardEntry): string[] {
  return [playerId, mu === null ? '' : String(mu), region ?? '', leavesAt === null ? '' : String(leavesAt)];
}
