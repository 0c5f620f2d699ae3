import {
  allHearSince,
  ranWithoutPause,
  type Clock,
  type ClockReading,
  type HearingLimits,
  type HearingStore,
  type ReplicaHearing,
  type ServerIdentity,
} from '@muster/domain';

/** Rows of replicas that were never seen again are kept for so long. */
const forgetMs = 3_600_000;

/**
 * Since when this replica, and every other, has heard servers. Each replica tells the store several times in the time that a
 * server may be silent; what it could not do in time (its own loop stood still, the store did not answer, a clock jumped) shows
 * as a break, in its own row and to the others.
 */
export class Hearing {
  private before: ClockReading | null = null;
  private replicas: readonly ReplicaHearing[] = [];
  private readonly unwritten = new Map<string, ServerIdentity & { readonly at: number }>();

  constructor(
    private readonly store: HearingStore,
    private readonly replicaId: string,
    private readonly limits: HearingLimits,
    private readonly clock: Clock,
    /** Reads the process's own clocks. */
    private readonly read: () => ClockReading,
  ) {}

  /** A heartbeat came in. @returns to be called once it is written: until then it is handed in with the next sign of life */
  heard({ serverId, incarnation }: ServerIdentity): () => void {
    const beat = { serverId, incarnation, at: this.clock.now() };
    this.unwritten.set(serverId, beat);
    return () => {
      if (this.unwritten.get(serverId) === beat) this.unwritten.delete(serverId);
    };
  }

  /** Gives a sign of life, with the heartbeats that could not be written, and reads those of the others. */
  async tell(): Promise<void> {
    const reading = this.read();
    const renewed = this.before === null || !ranWithoutPause(this.before, reading, this.limits.toleranceMs);
    const beats = [...this.unwritten.values()];
    const { toleranceMs } = this.limits;
    const replicas = await this.store.recordHearing(
      this.replicaId,
      renewed,
      beats,
      toleranceMs,
      this.clock.now(),
    );
    // Only a sign that arrived counts: after one that failed the next finds the break.
    this.before = reading;
    this.replicas = replicas;
    for (const beat of beats)
      if (this.unwritten.get(beat.serverId) === beat) this.unwritten.delete(beat.serverId);
  }

  /** For how long this replica has heard without a break, in milliseconds. */
  ownMs(now: number): number {
    return this.lasting(
      this.replicas.filter(({ replicaId }) => replicaId === this.replicaId),
      now,
    );
  }

  /** For how long all replicas have heard without a break, in milliseconds; 0 while one of them is missing. */
  allMs(now: number): number {
    return Math.min(this.ownMs(now), this.lasting(this.replicas, now));
  }

  /** This replica ends in good order: the others need not wait for it. */
  async stop(): Promise<void> {
    await this.store.forgetReplica(this.replicaId, this.clock.now() - forgetMs);
  }

  private lasting(replicas: readonly ReplicaHearing[], now: number): number {
    // Its own row gone stale means that this process does not know how things are: gone is for others.
    const own = this.replicas.find(({ replicaId }) => replicaId === this.replicaId);
    if (!own || now - own.seenAt > this.limits.toleranceMs || now < own.seenAt) return 0;
    const since = allHearSince(replicas, now, this.limits);
    return since === null ? 0 : Math.max(0, now - since);
  }
}
