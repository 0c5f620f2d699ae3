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

/** How often a waiting long poll looks by itself, should a wake-up be lost. */
const lookMs = 1_000;

/** How many builds are answered at most. */
const mostBuilds = 100;

/** Servers come, say that they live, take their commands, and go. */
export class Fleet {
  constructor(
    private readonly store: PlacementStore,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    readonly timeouts: PlacementTimeouts,
    /** Sends the jobs of a commit at once instead of at the relay's next turn. */
    private readonly afterCommit: () => void,
    private readonly hearing: Pick<Hearing, 'heard'>,
    /** Told of a command that only a newer version knows. */
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
    const written = this.hearing.heard(server);
    const standing = await this.store.heartbeat(server, request, now - this.timeouts.silenceMs, now);
    written();
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

  /** The builds of the servers that are ready or drain. @param asked how many at most; 0 means as many as are ever answered */
  builds(asked: number): Promise<string[]> {
    return this.store.builds(asked > 0 ? Math.min(asked, mostBuilds) : mostBuilds);
  }

  /** A page of the servers, and the cursor of the next one. */
  async servers(cursor: string, limit: number): Promise<{ servers: ServerView[]; next: string | null }> {
    const servers = await this.store.servers(cursor, limit);
    return { servers, next: servers.length === limit ? (servers.at(-1)?.serverId ?? null) : null };
  }

  /** Commands after a cursor; waits for one when there is none. */
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
      const left = until - this.clock.now();
      if (commands.length > 0 || left <= 0 || signal.aborted) return commands;
      await this.notifier.wait(commandsOf(server.serverId), Math.min(left, lookMs), signal);
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
    `${serverId} is not known under this registration: it fell silent, left, or registered anew. Register again.`,
    { serverId },
  );
}
