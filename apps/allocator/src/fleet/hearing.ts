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

/** Rows of replicas that never returned are deleted after this time. */
const replicaRetentionMs = 3_600_000;

/**
 * Tracks since when this and every other replica has received heartbeats without a gap. Each replica renews its row
 * several times within the silence limit. A stalled process, a stalled store or a clock jump leaves a gap that this
 * replica and the others see.
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

  /**
   * Records a heartbeat. @returns a function to call once the heartbeat is written; until then each renewal carries it
   */
  received({ serverId, incarnation }: ServerIdentity): () => void {
    const beat = { serverId, incarnation, at: this.clock.now() };
    this.unwritten.set(serverId, beat);
    return () => {
      if (this.unwritten.get(serverId) === beat) this.unwritten.delete(serverId);
    };
  }

  /** Renews this replica's row, writes the pending heartbeats, and reads the rows of the other replicas. */
  async renew(): Promise<void> {
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
    // Only a renewal that succeeded counts: after a failed one, the next sees the gap.
    this.before = reading;
    this.replicas = replicas;
    for (const beat of beats)
      if (this.unwritten.get(beat.serverId) === beat) this.unwritten.delete(beat.serverId);
  }

  /** How long this replica has received heartbeats without a gap, in milliseconds. */
  ownMs(now: number): number {
    return this.lasting(
      this.replicas.filter(({ replicaId }) => replicaId === this.replicaId),
      now,
    );
  }

  /** How long all replicas have received heartbeats without a gap, in milliseconds; 0 while one is missing. */
  allMs(now: number): number {
    return Math.min(this.ownMs(now), this.lasting(this.replicas, now));
  }

  /** Deregisters this replica on a clean stop, so that the others do not wait for it. */
  async stop(): Promise<void> {
    await this.store.forgetReplica(this.replicaId, this.clock.now() - replicaRetentionMs);
  }

  private lasting(replicas: readonly ReplicaHearing[], now: number): number {
    // A stale row of its own means that this process lacks current data. Only other replicas can be judged gone.
    const own = this.replicas.find(({ replicaId }) => replicaId === this.replicaId);
    if (!own || now - own.seenAt > this.limits.toleranceMs || now < own.seenAt) return 0;
    const since = allHearSince(replicas, now, this.limits);
    return since === null ? 0 : Math.max(0, now - since);
  }
}
