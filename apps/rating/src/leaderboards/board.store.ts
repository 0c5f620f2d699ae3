import type {
  BoardBuild,
  BoardEntry,
  BoardName,
  BoardPage,
  BoardPlace,
  BoardProgress,
  BoardQuestion,
  KeptBoard,
} from './board.js';
import type { LedgerEnd } from './ledger-feed.store.js';
import { scriptRunner, type RedisConnection, type ScriptRunner } from '@muster/redis';
import * as scripts from '../generated/scripts.js';

/** Players in one call of a script. */
const entriesAtOnce = 500;
const sweptAtOnce = 1_000;

/**
 * Boards in Redis; `lua/include/board.lua` describes their keys. They are copies of the ratings: a board that was lost is made
 * again. One process at a time keeps the board of a pool; a stalled one can write nothing once another took over.
 */
export class RedisBoards {
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

  /**
   * @param now milliseconds since the epoch; who has not played for too long by then is taken off
   * @returns null while there is no board of the pool; asking is what gets it made
   */
  async read({ pool, region }: BoardName, question: BoardQuestion, now: number): Promise<BoardPage | null> {
    const [season, players, ...rows] = await scripts.readBoard(this.run, {
      pool,
      region: region ?? '',
      now,
      ...argsOf(question),
    });
    if (season === 'none' || season === undefined) return null;
    return { season: Number(season), players: Number(players), places: placesOf(rows) };
  }

  /** The pools with a board, and when each was last asked for, to a minute. */
  async asked(): Promise<{ pool: string; at: number }[]> {
    const flat = await this.redis.zrange(`${this.root}:boards`, '0', '-1', 'WITHSCORES');
    const found: { pool: string; at: number }[] = [];
    for (let i = 0; i + 1 < flat.length; i += 2) found.push({ pool: flat[i] ?? '', at: Number(flat[i + 1]) });
    return found;
  }

  /** Takes or renews the right to keep a board. @returns null while another process has it */
  async keep(pool: string): Promise<KeptBoard | null> {
    const [outcome, live = '', next = '', ...fields] = await scripts.keepBoard(this.run, {
      pool,
      owner: this.owner,
      ttlMs: this.leaseMs,
    });
    if (outcome !== 'kept') return null;
    return { live: buildOf(live, fields), next: buildOf(next, fields.slice(5)) };
  }

  /** Begins to make a board, which is filled when what it awaits is final. @returns false when another process has taken over */
  async begin(
    pool: string,
    { id, madeFor, awaited }: Pick<BoardBuild, 'id' | 'madeFor' | 'awaited'>,
    season: number,
  ): Promise<boolean> {
    const [outcome] = await scripts.beginBoard(this.run, {
      pool,
      owner: this.owner,
      build: id,
      madeFor,
      fence: endText(awaited),
      season,
    });
    return outcome === 'begun';
  }

  /**
   * Writes entries, and how far the build is with them. A prefix of the entries may be written when it fails.
   *
   * @returns false when another process has taken over
   */
  async write(
    pool: string,
    build: BoardBuild,
    entries: readonly BoardEntry[],
    done: BoardProgress,
  ): Promise<boolean> {
    const before = progressArgs(build);
    const after = progressArgs({ ...build, ...done });
    for (let i = 0; i === 0 || i < entries.length; i += entriesAtOnce) {
      const [outcome] = await scripts.writeBoard(this.run, {
        pool,
        owner: this.owner,
        build: build.id,
        ...(i + entriesAtOnce < entries.length ? before : after),
        entries: entries.slice(i, i + entriesAtOnce).flatMap(entryArgs),
      });
      if (outcome !== 'written') return false;
    }
    return true;
  }

  /** Puts a finished build in the place of the one that is read. */
  async finish(pool: string, build: string): Promise<void> {
    await scripts.finishBoard(this.run, { pool, owner: this.owner, build });
  }

  /** Takes off some of the players who have not played for too long. @returns whether there may be more */
  async sweep(pool: string, build: string, now: number): Promise<boolean> {
    const limit = sweptAtOnce;
    const [count] = await scripts.sweepBoard(this.run, { pool, owner: this.owner, build, now, limit });
    return Number(count) === limit;
  }

  /** Removes the board unless it was asked for since. */
  async drop(pool: string, askedBefore: number): Promise<boolean> {
    const [outcome] = await scripts.dropBoard(this.run, { pool, owner: this.owner, askedBefore });
    return outcome === 'dropped';
  }
}

function argsOf(
  question: BoardQuestion,
): Pick<scripts.ReadBoardArgs, 'kind' | 'first' | 'players' | 'limit'> {
  const { kind } = question;
  switch (kind) {
    case 'top':
      return { kind, first: question.from, players: [], limit: question.limit };
    case 'around':
      return { kind, first: 1, players: [question.playerId], limit: question.limit };
    case 'players':
      return { kind, first: 1, players: [...new Set(question.playerIds)], limit: question.playerIds.length };
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

const progressArgs = ({
  through,
  safe,
  seen,
  awaited,
}: BoardBuild): Pick<scripts.WriteBoardArgs, 'through' | 'safe' | 'seen' | 'fence'> => ({
  through,
  safe,
  seen,
  fence: endText(awaited),
});

function entryArgs({ playerId, mu, region, leavesAt }: BoardEntry): string[] {
  return [playerId, mu === null ? '' : String(mu), region ?? '', leavesAt === null ? '' : String(leavesAt)];
}
