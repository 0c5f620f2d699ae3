import {
  NotAllowed,
  ServerNotFound,
  ServerSuperseded,
  type Clock,
  type Heartbeat,
  type PlacementTimeouts,
  type PlacementStore,
  type ServerCommand,
  type ServerIdentity,
  type ServerRegistration,
  type ServerStanding,
  type ServerView,
} from '@muster/domain';
import type { Hearing } from './hearing.js';
import { commandsOf, slots, type Notifier } from './notifier.js';

/** The interval at which a waiting long poll reads the database, in case a wake-up is lost. */
const pollMs = 1_000;

/** The maximum number of builds in an answer. */
const maxBuilds = 100;

/** Registers servers, records their heartbeats, delivers their commands and removes them. */
export class Fleet {
  constructor(
    private readonly store: PlacementStore,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    readonly timeouts: PlacementTimeouts,
    /** Relays the jobs of a commit immediately. */
    private readonly afterCommit: () => void,
    private readonly hearing: Pick<Hearing, 'received'>,
    /** Called for a command that only a newer version defines. */
    private readonly onUnknown: (serverId: string, kind: string, seq: number) => void,
  ) {}

  async register(server: ServerRegistration): Promise<{ incarnation: number; resumed: string[] }> {
    const registered = await this.store.register(server, this.clock.now());
    this.afterCommit();
    this.notifier.wake(slots);
    return registered;
  }

  async heartbeat(server: ServerIdentity, request: Heartbeat): Promise<ServerStanding> {
    const now = this.clock.now();
    const markWritten = this.hearing.received(server);
    const standing = await this.store.heartbeat(server, request, now - this.timeouts.silenceMs, now);
    markWritten();
    if (!standing) throw superseded(server);
    return standing;
  }

  async drain(serverId: string): Promise<ServerStanding> {
    return (await this.store.drain(serverId)) ?? unknown(serverId);
  }

  async leave(serverId: string): Promise<ServerStanding> {
    const standing = (await this.store.leave(serverId, this.clock.now())) ?? unknown(serverId);
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
    const servers = await this.store.servers(cursor, limit);
    return { servers, next: servers.length === limit ? (servers.at(-1)?.serverId ?? null) : null };
  }

  /** Commands after a cursor; waits for one if there is none. */
  async commands(
    server: ServerIdentity,
    after: number,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<ServerCommand[]> {
    const until = this.clock.now() + waitMs;
    for (;;) {
      const commands = await this.store.commandsAfter(server, after, (kind, seq) =>
        this.onUnknown(server.serverId, kind, seq),
      );
      if (!commands) throw superseded(server);
      const remainingMs = until - this.clock.now();
      if (commands.length > 0 || remainingMs <= 0 || signal.aborted) return commands;
      await this.notifier.wait(commandsOf(server.serverId), Math.min(remainingMs, pollMs), signal);
    }
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

function superseded({ serverId }: ServerIdentity): ServerSuperseded {
  return new ServerSuperseded(
    `${serverId} has no such registration any more: it was lost, left, or registered again. Register again.`,
    { serverId },
  );
}
