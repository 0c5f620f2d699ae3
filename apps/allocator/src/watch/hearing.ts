import {
  allHearSince,
  ranWithoutPause,
  type Clock,
  type ClockReading,
  type HearingLimits,
  type ReplicaHearing,
  type ServerIdentity,
} from '@muster/domain';
import type { PostgresHearing, UnwrittenHeartbeat } from './hearing.store.js';

/** Rows of replicas that never returned are deleted after this time. */
const replicaRetentionMs = 3_600_000;

/**
 * Shares of the silence limit. A heartbeat that says nothing new is not recorded within the first one after a recorded
 * one, and within the second one its time is written with a renewal. A heartbeat is therefore missing in the store for at
 * most the second share, one renewal, and the tolerance of a late renewal: less than the silence limit in all.
 */
const [heldShare, carriedShare] = [0.4, 0.55];

/** How long after a recorded heartbeat of a server those that say the same are not recorded. */
export const heldMs = (silenceMs: number): number => heldShare * silenceMs;

/** How long after a recorded heartbeat of a server the time of a later one is written at the latest, by a renewal. */
export const carriedMs = (silenceMs: number): number => carriedShare * silenceMs;

/** A received heartbeat that is not written yet. */
interface Unwritten extends UnwrittenHeartbeat {
  /** When the last written heartbeat of the server was received, if this one waits for a renewal. */
  readonly recordedAt: number | undefined;
}

/**
 * Tracks since when this and every other replica has received heartbeats without a gap. Each replica renews its row
 * several times within the silence limit. A stalled process, a stalled store or a clock jump leaves a gap that this
 * replica and the others see.
 */
export class Hearing {
  private before: ClockReading | null = null;
  private replicas: readonly ReplicaHearing[] = [];
  private readonly unwritten = new Map<string, Unwritten>();

  constructor(
    private readonly store: PostgresHearing,
    private readonly replicaId: string,
    private readonly limits: HearingLimits & { readonly carriedMs: number; readonly silenceMs: number },
    private readonly clock: Clock,
    /** Reads the process's own clocks. */
    private readonly read: () => ClockReading,
  ) {}

  /**
   * Notes a heartbeat.
   *
   * @param recordedAt when the last written heartbeat of the server was received, if this one is not to be written by
   * itself: a renewal writes its time after `carriedMs`
   * @returns a function to call once the heartbeat is written; until then each renewal carries it
   */
  received({ serverId, incarnation }: ServerIdentity, recordedAt?: number): () => void {
    const at = this.clock.now();
    const beat = { serverId, incarnation, at, silentBefore: at - this.limits.silenceMs, recordedAt };
    this.unwritten.set(serverId, beat);
    return () => {
      if (this.unwritten.get(serverId) === beat) this.unwritten.delete(serverId);
    };
  }

  /** Renews this replica's row, writes the pending heartbeats, and reads the rows of the other replicas. */
  async renew(): Promise<void> {
    const reading = this.read();
    const renewed = this.before === null || !ranWithoutPause(this.before, reading, this.limits.toleranceMs);
    const replicas = await this.write(renewed, this.limits.carriedMs);
    // Only a renewal that succeeded counts: after a failed one, the next sees the gap.
    this.before = reading;
    this.replicas = replicas;
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
    if (this.unwritten.size > 0) await this.write(false, 0);
    await this.store.forgetReplica(this.replicaId, this.clock.now() - replicaRetentionMs);
  }

  /** @param afterMs heartbeats of servers of which one was recorded later than this long ago stay unwritten */
  private async write(renewed: boolean, afterMs: number): Promise<ReplicaHearing[]> {
    const now = this.clock.now();
    const beats = [...this.unwritten.values()].filter(
      ({ recordedAt }) => recordedAt === undefined || Math.abs(now - recordedAt) >= afterMs,
    );
    const { toleranceMs } = this.limits;
    const replicas = await this.store.hear(this.replicaId, renewed, beats, toleranceMs, now);
    for (const beat of beats)
      if (this.unwritten.get(beat.serverId) === beat) this.unwritten.delete(beat.serverId);
    return replicas;
  }

  private lasting(replicas: readonly ReplicaHearing[], now: number): number {
    // A stale row of its own means that this process lacks current data. Only other replicas can be judged gone.
    const own = this.replicas.find(({ replicaId }) => replicaId === this.replicaId);
    if (!own || now - own.seenAt > this.limits.toleranceMs || now < own.seenAt) return 0;
    const since = allHearSince(replicas, now, this.limits);
    return since === null ? 0 : Math.max(0, now - since);
  }
}
