import { NotReplicated } from '@muster/domain';
import { Cluster } from 'ioredis';
import { onLost, type RedisConnection } from './connect.js';

/** How many replicas must hold a write before it is acknowledged, and the time limit for it. */
export interface Replication {
  /** 0: a write is acknowledged when the master has it. */
  readonly replicas: number;
  readonly withinMs: number;
}

/** A connection for writes that replicas must hold. */
export interface ReplicatedConnection {
  readonly redis: RedisConnection;
  readonly replicas: Replicas;
}

/** Acknowledges writes of one connection when replicas hold them. */
export class Replicas {
  /** How often the connection was lost or a node of it. */
  private losses = 0;
  private slot: number | null = null;

  /** @param root a key with the hash tag of all keys that are written */
  constructor(
    private readonly redis: RedisConnection,
    private readonly root: string,
    private readonly replication: Replication,
  ) {
    onLost(redis, () => this.losses++);
  }

  /**
   * Writes, and waits until enough replicas hold all that was written.
   *
   * 1. The connection's server is noted.
   * 2. `write` runs.
   * 3. A mark is written after it: WAIT covers the writes of its own connection, and a repeated call may write nothing.
   * 4. WAIT counts the replicas that hold the mark, and so everything before it.
   * 5. If the connection meanwhile moved to another server, the count says nothing about step 2.
   *
   * @throws NotReplicated after the write
   */
  async hold<T>(write: () => Promise<T>): Promise<T> {
    const { replicas, withinMs } = this.replication;
    if (replicas === 0) return write();
    const server = await this.server();
    const written = await write();
    const marks = this.redis.pipeline().set(`${this.root}:mark`, 1).wait(replicas, withinMs);
    const [mark, wait] = (await marks.exec()) ?? [];
    const error = mark?.[0] ?? wait?.[0];
    if (error) throw error;
    const count = Number(wait?.[1]);
    if (count < replicas)
      throw new NotReplicated(
        `Redis has the change, but ${count} of ${replicas} required replicas confirmed it within ${withinMs} ms. Repeat the same call: it changes nothing twice.`,
      );
    if ((await this.server()) !== server)
      throw new NotReplicated(
        'Redis failed over after the change, which may be lost. Repeat the same call: it changes nothing twice.',
      );
    return written;
  }

  private async server(): Promise<string> {
    const { redis } = this;
    if (!(redis instanceof Cluster)) return String(this.losses);
    this.slot ??= Number(await redis.cluster('KEYSLOT', this.root));
    return `${this.losses} ${redis.slots[this.slot]?.[0]}`;
  }
}
