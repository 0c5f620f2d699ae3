import type { ServerView, SomeServers } from '@muster/contracts';
import {
  isSilent,
  judgeLoad,
  type LoadLimits,
  NotAllowed,
  ServerIdTaken,
  ServerNotFound,
  type Clock,
  type DrainedBy,
  type Heartbeat,
  type PlacementTimeouts,
  type ServerIdentity,
  type ServerRegistration,
  type ServerStanding,
} from '@muster/domain';
import { superseded } from '../commands/commands.js';
import type { Registrar } from '../enrolment/fleet-keys.store.js';
import { heldMs, type Hearing } from '../watch/hearing.js';
import { slots, type Notifier } from '../watch/wake-ups.js';
import { RecordedHeartbeats } from './recorded-heartbeats.js';
import type { PostgresFleetStore } from './servers.store.js';

/** The maximum number of builds in an answer. */
const maxBuilds = 100;
/** Servers that are drained in one transaction. */
const drainedAtOnce = 500;

/** Registers servers, records their heartbeats and removes them. */
export class Fleet {
  private readonly recorded: RecordedHeartbeats;
  /** Registrations that were refused because another address has the id. */
  refused = 0;

  constructor(
    private readonly store: PostgresFleetStore,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    readonly timeouts: PlacementTimeouts,
    /** Relays the jobs of a commit immediately. */
    private readonly afterCommit: () => void,
    private readonly hearing: Pick<Hearing, 'received' | 'allMs'>,
    private readonly limits: LoadLimits,
    private readonly errors: { report(what: string, error: Error, text: string): void },
  ) {
    this.recorded = new RecordedHeartbeats(heldMs(timeouts.silenceMs));
  }

  async register(
    server: ServerRegistration,
    by: Registrar = { keyId: null, fleet: 'default' },
  ): Promise<{ incarnation: number; resumed: string[] }> {
    const now = this.clock.now();
    const heardAfter = now - this.timeouts.silenceMs;
    const registered = await this.store.register(server, now, heardAfter, by).catch((error: unknown) => {
      if (error instanceof ServerIdTaken) {
        this.refused += 1;
        this.errors.report('registrations', error, 'another server has the id');
      }
      throw error;
    });
    this.recorded.forget(server.serverId);
    this.afterCommit();
    this.notifier.wake(slots);
    return registered;
  }

  /** Records a heartbeat, unless it repeats one that was recorded a moment ago. */
  async heartbeat(server: ServerIdentity, body: Heartbeat): Promise<ServerStanding> {
    const request = { ...body, load: judgeLoad(body, this.limits) };
    const now = this.clock.now();
    const repeated = this.recorded.repeated(server, request, now);
    const markWritten = this.hearing.received(server, repeated?.at);
    if (repeated) return repeated.standing;
    const standing = await this.store.heartbeat(server, request, now - this.timeouts.silenceMs, now);
    markWritten();
    if (!standing) {
      this.recorded.forget(server.serverId);
      throw superseded(server);
    }
    const isRelieved = request.load === 'under' && this.recorded.wasLoaded(server.serverId);
    this.recorded.record(server, request, now, standing);
    // Its free slots may be used again.
    if (isRelieved) this.notifier.wake(slots);
    return standing;
  }

  /** @param acting the incarnation of a server that drains itself; null for an operator */
  async drain(serverId: string, by: DrainedBy, acting: number | null = null): Promise<ServerStanding> {
    const standing = (await this.store.drain(serverId, by, acting)) ?? unknown(serverId);
    this.recorded.forget(serverId);
    return standing;
  }

  async undrain(serverId: string, acting: number | null = null): Promise<ServerStanding> {
    const standing = (await this.store.undrain(serverId, acting)) ?? unknown(serverId);
    this.recorded.forget(serverId);
    // Its free slots may be used again.
    this.notifier.wake(slots);
    return standing;
  }

  /** Drains the servers of a region or a build, or ends that, some at a time. @returns how many were changed */
  async drainSome(which: SomeServers, drained: boolean): Promise<number> {
    let changed = 0;
    for (;;) {
      const ids = await this.store.drainSome(which, drained, drainedAtOnce);
      for (const id of ids) this.recorded.forget(id);
      changed += ids.length;
      if (ids.length < drainedAtOnce) break;
    }
    if (!drained) this.notifier.wake(slots);
    return changed;
  }

  /** @param isRemoved whether an operator removes the server: no service accepts its tokens any more */
  async leave(serverId: string, isRemoved = false, acting: number | null = null): Promise<ServerStanding> {
    const standing =
      (await this.store.leave(serverId, this.clock.now(), isRemoved, acting)) ?? unknown(serverId);
    this.recorded.forget(serverId);
    this.afterCommit();
    this.notifier.wake(slots);
    return standing;
  }

  /** The builds of the servers that are ready or draining. @param requested the maximum number; 0 means `maxBuilds` */
  builds(requested: number): Promise<string[]> {
    return this.store.builds(requested > 0 ? Math.min(requested, maxBuilds) : maxBuilds);
  }

  /** A page of servers, and the cursor of the next page. */
  async servers(cursor: string, limit: number): Promise<{ servers: ServerView[]; next: string | null }> {
    const { silenceMs } = this.timeouts;
    const now = this.clock.now();
    const hearingMs = this.hearing.allMs(now);
    const known = await this.store.servers(cursor, limit);
    const servers = known.map((server) => ({
      ...server,
      silent: isSilent(server, silenceMs, hearingMs, now),
    }));
    return { servers, next: servers.length === limit ? (servers.at(-1)?.serverId ?? null) : null };
  }

  /** @throws NotAllowed unless the caller is this server or an operator */
  static mayActFor(serverId: string, caller: string | null): void {
    if (caller !== null && caller !== serverId)
      throw new NotAllowed(`You are ${caller}; only ${serverId} or an operator may do this.`);
  }
}

function unknown(serverId: string): never {
  throw new ServerNotFound(`There is no server ${serverId}.`, { serverId });
}
