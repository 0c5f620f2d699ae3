import { Redis } from 'ioredis';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fleet } from '../../support/fleet.js';
import { createDb, type Db } from '../../support/prisma.js';
import { Stack } from '../../support/stack.js';
import { fillRatings } from '../million/fill.js';
import { cpuBetween, cpuSecondsOf } from '../queue/cpu.js';
import type { Plan, Told } from './arrived.js';
import type { Fate, Outcome } from './report.js';

export interface OverloadOptions {
  readonly queue: string;
  readonly playersPerMatch: number;
  /** Processes of each service. */
  readonly replicas: number;
  readonly single: boolean;
  readonly drainSeconds: number;
  readonly seed: number;
  /** The most matches that run at once. */
  readonly mostMatches: number;
  readonly say: (text: string) => void;
}

const build = 'overload';
const region = 'local';
const slotsPerServer = 100;
const playMs = 3_000;
/** How long the last results may take until they are in the ratings. */
const ratedWithinMs = 30_000;

/** A running system with game servers, to which loads are offered one after the other. */
export class Overload {
  private players = 0;

  private constructor(
    private readonly stack: Stack,
    private readonly db: Db,
    private readonly redis: Redis,
    private readonly fleet: Fleet,
    private readonly options: OverloadOptions,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(options: OverloadOptions): Promise<Overload> {
    const dataDir = await mkdtemp(join(tmpdir(), 'muster-overload-'));
    // The account of PostgreSQL must be able to pass.
    await chmod(dataDir, 0o755);
    const processes = options.single ? ['--single'] : ['--replicas', String(options.replicas)];
    const stack = await Stack.start([...processes, '--log-level', 'warn'], { dataDir });
    const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
    const redis = new Redis(stack.run.redisUrl);
    const fleet = new Fleet({
      url: stack.url,
      serverKey: stack.run.serverKey,
      servers: Math.max(4, Math.ceil(options.mostMatches / slotsPerServer)),
      slots: slotsPerServer,
      build,
      region,
      matchMs: () => playMs,
      ranks: (teams) => teams.map((_, t) => t + 1),
    });
    const end = async (): Promise<void> => {
      await fleet.stop();
      redis.disconnect();
      await db.$disconnect();
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    };
    const overload = new Overload(stack, db, redis, fleet, options, end);
    await overload.rateModel();
    await fleet.start();
    return overload;
  }

  stop(): Promise<void> {
    return this.end();
  }

  private async rateModel(): Promise<void> {
    const { queues } = await this.stack.operator.queues();
    const rules = queues.find(({ name }) => name === this.options.queue);
    if (!rules) throw new Error(`There is no queue "${this.options.queue}".`);
    await this.stack.operator.setRating(rules.pool, 'model', {
      mu: 25,
      sigma: 1.5,
      reason: 'Bench: the model of the others.',
    });
  }

  /** Offers tickets at a rate, waits until what came of them is settled, and reads it. */
  async offer(rate: number, seconds: number): Promise<Outcome> {
    const { options, stack } = this;
    const first = this.players;
    // More than the arrivals of any Poisson process of this rate.
    const most = Math.ceil(rate * seconds * 1.1 + 1_000);
    this.players += most;
    await fillRatings(this.db, 'model', 'come-', most, first);
    const plan: Plan = {
      dataDir: stack.dataDir,
      port: Number(new URL(stack.url).port),
      queue: options.queue,
      build,
      region,
      first,
      rate,
      seconds,
      seed: options.seed + first,
    };
    const pids = await stack.pids();
    const played = await this.play(plan, pids);
    await sleep(options.drainSeconds * 1_000);
    const unrated = await this.awaitRated();
    const outcome = {
      rate,
      seconds,
      ...played,
      unrated,
      fates: await this.fates(played.beginMs),
      serversLost: await this.serversLost(),
    };
    return { ...outcome, lost: await this.lostOf(outcome) };
  }

  private async play(
    plan: Plan,
    pids: Readonly<Record<string, number>>,
  ): Promise<Pick<Outcome, 'beginMs' | 'arrived' | 'later' | 'cpuSeconds' | 'loadCpuSeconds' | 'first'>> {
    const child = fork(new URL('generator.js', import.meta.url), { serialization: 'advanced' });
    const next = async (): Promise<Told> => {
      const [told] = (await once(child, 'message', { signal: ending.signal })) as [Told];
      return told;
    };
    const ending = new AbortController();
    child.once('exit', () => ending.abort(new Error('The load generator has ended.')));
    child.send(plan);
    const begins = await next();
    if (begins.kind !== 'begins') throw new Error('The load generator ended before it began.');
    const heard = next();
    const waitMs = begins.epochMs - Date.now();
    await sleep(Math.max(0, waitMs));
    const [cpuBefore, own] = [cpuSecondsOf(pids), process.cpuUsage()];
    await sleep(plan.seconds * 1_000);
    const cpuSeconds = cpuBetween(cpuBefore, cpuSecondsOf(pids));
    const { user, system } = process.cpuUsage(own);
    const ended = await heard;
    if (ended.kind !== 'ended') throw new Error('The load generator began twice.');
    return {
      beginMs: begins.epochMs,
      first: plan.first,
      arrived: ended.arrived,
      later: ended.later,
      cpuSeconds,
      loadCpuSeconds: ended.cpuSeconds + (user + system) / 1e6,
    };
  }

  /** Waits until every acknowledged result is in the ratings. @returns those that are not, in the end */
  private async awaitRated(): Promise<number> {
    for (const end = Date.now() + ratedWithinMs; ; await sleep(500)) {
      const reported = this.fleet.report.reported.size;
      const [row] = await this.db.$queryRaw<{ rated: number }[]>`
        SELECT count(*)::int AS rated FROM match WHERE state = 'rated'`;
      const left = reported - (row?.rated ?? 0);
      if (left <= 0 || Date.now() > end) return Math.max(0, left);
    }
  }

  private async fates(beginMs: number): Promise<ReadonlyMap<string, Fate>> {
    const rows = await this.db.$queryRaw<
      { player: string; ticketId: string; formedAt: Date; placedAt: Date | null; ratedMs: number | null }[]
    >`
      SELECT player_id AS player, ticket_id AS "ticketId", match.formed_at AS "formedAt", placed_at AS "placedAt",
        extract(epoch FROM closed_at - ended_at)::float8 * 1000 AS "ratedMs"
      FROM match_player JOIN match ON match.id = match_id
      WHERE match.formed_at >= ${new Date(beginMs)} AND player_id LIKE 'come-%'`;
    return new Map(
      rows.map(({ ticketId, player, formedAt, placedAt, ratedMs }) => [
        ticketId,
        {
          player: Number(player.slice('come-'.length)),
          formedMs: formedAt.getTime() - beginMs,
          placedMs: placedAt && placedAt.getTime() - beginMs,
          ratedMs,
        },
      ]),
    );
  }

  /** Acknowledged tickets that have no match and do not wait for one either. */
  private async lostOf({ arrived, fates }: Pick<Outcome, 'arrived' | 'fates'>): Promise<number> {
    const open = arrived.filter(({ status, ticketId }) => status === 201 && !fates.has(ticketId));
    const states: (string | null)[] = [];
    for (const { ticketId } of open)
      states.push(await this.redis.hget(`muster:{default}:ticket:${ticketId}`, 's'));
    return states.filter((state) => state === null || !['waiting', 'proposed', 'accepting'].includes(state))
      .length;
  }

  private async serversLost(): Promise<number> {
    const [row] = await this.db.$queryRaw<{ lost: number }[]>`
      SELECT count(*)::int AS lost FROM server WHERE state <> 'ready'`;
    return row?.lost ?? 0;
  }
}
