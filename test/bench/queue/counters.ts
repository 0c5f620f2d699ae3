import { jobQueues } from '@muster/contracts';
import { Redis } from 'ioredis';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunFile } from '../../support/stack.js';
import { createDb, type Db } from '../../support/prisma.js';

/** What a system asked of its stores and of itself. */
export interface Counts {
  /** Commands that Redis ran, those within scripts included. */
  readonly redisCommands: number;
  /** Calls of Lua scripts, ours and those of BullMQ. */
  readonly scripts: number;
  /** SQL statements, without BEGIN and COMMIT. */
  readonly statements: number;
  /** Transactions that Postgres committed; a statement of its own is one. */
  readonly commits: number;
  /** BullMQ jobs that were added. */
  readonly jobs: number;
  readonly grpcCalls: number;
}

/** @returns the counts of a stretch, each divided by a number, with two decimals */
export function countsPer(divisor: number, before: Counts, after: Counts): Counts {
  const per = (name: keyof Counts): number =>
    Math.round((100 * (after[name] - before[name])) / divisor) / 100;
  return {
    redisCommands: per('redisCommands'),
    scripts: per('scripts'),
    statements: per('statements'),
    commits: per('commits'),
    jobs: per('jobs'),
    grpcCalls: per('grpcCalls'),
  };
}

/** Commands of this counter itself. */
const ownCommands = ['xread', 'info', 'hello', 'client'];
const pollMs = 300;
const scripts = /^(?:eval|evalsha|fcall)(?:_ro)?$/;

/** The preloaded library that counts statements. */
const library = 'pg_stat_statements';

/** Has Postgres count statements from its next start on. */
export async function prepareCounting(databaseUrl: string): Promise<void> {
  const db = createDb(databaseUrl, { maxConnections: 1 });
  try {
    await db.$executeRawUnsafe(`ALTER SYSTEM SET shared_preload_libraries = '${library}'`);
  } finally {
    await db.$disconnect();
  }
}

/** Counts the work of a running system. */
export class Counters {
  private jobs = 0;
  private stopped = false;
  private polling: Promise<void> = Promise.resolve();

  private constructor(
    private readonly redis: Redis,
    private readonly db: Db,
    private readonly grpcFolder: string,
  ) {}

  /** @param grpcFolder where the services write the numbers of their gRPC calls */
  static async start(
    { redisUrl, databaseUrl }: Pick<RunFile, 'redisUrl' | 'databaseUrl'>,
    grpcFolder: string,
  ): Promise<Counters> {
    const db = createDb(databaseUrl, { maxConnections: 1 });
    await db.$executeRawUnsafe(`CREATE EXTENSION IF NOT EXISTS ${library}`);
    const counters = new Counters(new Redis(redisUrl), db, grpcFolder);
    counters.polling = counters.followJobs();
    return counters;
  }

  async read(): Promise<Counts> {
    const [calls, statements, commits, grpcCalls] = await Promise.all([
      this.commands(),
      this.number(`SELECT coalesce(sum(calls), 0)::float8 AS n FROM ${library}
        WHERE query !~* '^(begin|commit|rollback|start transaction)'`),
      this.number(`SELECT xact_commit::float8 AS n FROM pg_stat_database WHERE datname = current_database()`),
      this.grpcCalls(),
    ]);
    const redisCommands = [...calls].reduce(
      (sum, [name, n]) => sum + (ownCommands.includes(name) ? 0 : n),
      0,
    );
    const scriptCalls = [...calls].reduce((sum, [name, n]) => sum + (scripts.test(name) ? n : 0), 0);
    return { redisCommands, scripts: scriptCalls, statements, commits, jobs: this.jobs, grpcCalls };
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.polling;
    this.redis.disconnect();
    await this.db.$disconnect();
  }

  /** Calls by command. A subcommand, such as `client|list`, counts for its command. */
  private async commands(): Promise<Map<string, number>> {
    const text = await this.redis.info('commandstats');
    const calls = new Map<string, number>();
    for (const [, name = '', n = '0'] of text.matchAll(/^cmdstat_([^|:]+)[^:]*:calls=(\d+)/gm))
      calls.set(name, (calls.get(name) ?? 0) + Number(n));
    return calls;
  }

  private async number(query: string): Promise<number> {
    const [row] = await this.db.$queryRawUnsafe<{ n: number }[]>(query);
    return row?.n ?? 0;
  }

  private async grpcCalls(): Promise<number> {
    const files = await readdir(this.grpcFolder);
    const counts = await Promise.all(files.map((file) => readFile(join(this.grpcFolder, file), 'utf8')));
    return counts.reduce((sum, text) => sum + Number(text), 0);
  }

  /** BullMQ reports each job that is added on the event stream of its queue, which it trims. */
  private async followJobs(): Promise<void> {
    const last = new Map(
      Object.values(jobQueues).map((queue) => [`muster-jobs:{default}:${queue}:events`, '0-0']),
    );
    while (!this.stopped) {
      const keys = [...last.keys()];
      const read = await this.redis.xread('STREAMS', ...keys, ...keys.map((key) => last.get(key) ?? '0-0'));
      for (const [key, entries] of read ?? []) {
        this.jobs += entries.filter(([, fields]) => fields.includes('added')).length;
        last.set(key, entries.at(-1)?.[0] ?? '0-0');
      }
      await sleep(pollMs);
    }
  }
}
