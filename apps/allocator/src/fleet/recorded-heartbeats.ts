import type { Heartbeat, LoadVerdict, ServerIdentity, ServerStanding } from '@muster/domain';

/** Entries of servers that fell silent are deleted after this time. */
const keptMs = 60_000;

/** The last recorded heartbeat of a server, and its answer. */
interface Recorded {
  readonly incarnation: number;
  readonly sessions: readonly string[] | undefined;
  readonly load: LoadVerdict;
  readonly at: number;
  readonly standing: ServerStanding;
}

/**
 * The last heartbeats that this process recorded. A heartbeat that says the same soon after is answered from here: the
 * renewal of the hearing writes its time if no later one is recorded.
 */
export class RecordedHeartbeats {
  /** Oldest first. */
  private readonly last = new Map<string, Recorded>();

  /** @param heldMs the time after a recorded heartbeat during which one that says the same is not recorded */
  constructor(private readonly heldMs: number) {}

  /** @returns the recorded heartbeat that this one repeats; null if this one has to be recorded */
  repeated(
    { serverId, incarnation }: ServerIdentity,
    { sessions, load = 'under' }: Heartbeat,
    now: number,
  ): Pick<Recorded, 'at' | 'standing'> | null {
    const recorded = this.last.get(serverId);
    if (recorded?.incarnation !== incarnation) return null;
    const agoMs = now - recorded.at;
    const isRecent = agoMs >= 0 && agoMs < this.heldMs;
    return isRecent && recorded.load === load && namesSame(recorded.sessions, sessions) ? recorded : null;
  }

  record(
    { serverId, incarnation }: ServerIdentity,
    { sessions, load = 'under' }: Heartbeat,
    at: number,
    standing: ServerStanding,
  ): void {
    this.last.delete(serverId);
    this.last.set(serverId, { incarnation, sessions, load, at, standing });
    for (const [id, oldest] of this.last) {
      if (at - oldest.at < keptMs) break;
      this.last.delete(id);
    }
  }

  /** Whether the last recorded heartbeat of the server was above a limit of load, or about it. */
  wasLoaded(serverId: string): boolean {
    return (this.last.get(serverId)?.load ?? 'under') !== 'under';
  }

  /** The next heartbeat of the server is recorded: its standing changed. */
  forget(serverId: string): void {
    this.last.delete(serverId);
  }
}

function namesSame(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a === b || (a?.length === b?.length && a !== undefined && a.every((id, i) => id === b?.[i]));
}
