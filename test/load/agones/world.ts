import {
  ServerSuperseded,
  type ServerIdentity,
  message,
  type FormedMatch,
  type Random,
} from '@muster/domain';
import type { AllocatorStores } from '../../stores/allocator-stores.js';
import type { AgonesCluster, GameServerOfCluster } from '../../support/hosting/agones-cluster.js';

export const build = '1.4.2';
export const region = 'eu';
export const fleetLabels = { 'agones.dev/fleet': 'arena', build, region };

/** A server that got no match for this time leaves, in milliseconds. */
const idleMs = 8_000;

/** What was seen of the game servers of the cluster. */
export interface Seen {
  /** Allocations that named a game server, and the names. */
  readonly servers: Map<string, Set<string>>;
  heldAtMost: number;
  played: number;
  /** Servers that never registered, were refused, or had nothing to do. */
  mute: number;
  refused: number;
  idle: number;
  readonly errors: string[];
}

/** The game servers: each registers when it is allocated, plays one match, leaves and shuts down. */
export class Servers {
  readonly seen: Seen = {
    servers: new Map(),
    heldAtMost: 0,
    played: 0,
    mute: 0,
    refused: 0,
    idle: 0,
    errors: [],
  };
  private readonly wakes = new Map<string, () => void>();
  private readonly running = new Set<Promise<void>>();
  private readonly begun = new Set<string>();

  constructor(
    private readonly cluster: AgonesCluster,
    private readonly store: AllocatorStores,
    private readonly random: Random,
    /** The share of servers that die before they register. */
    private readonly muteShare: number,
  ) {
    cluster.onChange = (gameServer) => this.changed(gameServer);
  }

  /** A match was placed on the server. */
  wake(serverId: string): void {
    this.wakes.get(serverId)?.();
  }

  /** Waits for all servers to end. */
  async ended(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  private changed(gameServer: GameServerOfCluster): void {
    const { name, labels } = gameServer;
    const id = labels['muster-allocation'] ?? '';
    const names = this.seen.servers.get(id) ?? new Set();
    this.seen.servers.set(id, names.add(name));
    this.seen.heldAtMost = Math.max(this.seen.heldAtMost, this.begun.size + 1);
    if (!this.begun.has(name)) {
      this.begun.add(name);
      if (this.random() < this.muteShare) {
        this.seen.mute++;
        return;
      }
      const run = this.run(gameServer, id)
        .catch((error: unknown) => void this.seen.errors.push(String(error)))
        .then(() => this.shutDown(gameServer))
        .then(() => void this.running.delete(run));
      this.running.add(run);
    } else if (labels['muster-released']) {
      // A server that registered sees the end of its allocation by itself; one that is stuck is removed.
      this.wakes.get(name)?.();
      if (!this.wakes.has(name)) setTimeout(() => this.shutDown(gameServer), 50);
    }
  }

  private shutDown(gameServer: GameServerOfCluster): void {
    this.begun.delete(gameServer.name);
    this.cluster.shutDown(gameServer);
  }

  private async run({ name, address, port }: GameServerOfCluster, allocation: string): Promise<void> {
    await pause(20 + 80 * this.random());
    let server: ServerIdentity;
    const woken = this.waker(name);
    try {
      const { incarnation } = await this.store.fleet.register(
        { serverId: name, region, build, host: address, port, slots: 1, resume: [], allocation },
        Date.now(),
      );
      server = { serverId: name, incarnation };
    } catch (error) {
      this.wakes.delete(name);
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
      if (code !== 'allocation-over' && code !== 'allocation-taken') throw error;
      this.seen.refused++;
      return;
    }
    await this.store.placement.makePlacementsDue(Date.now(), 1);
    const until = Date.now() + idleMs;
    let isIdle = true;
    while (Date.now() < until) {
      isIdle = !(await this.play(server));
      if (!isIdle) break;
      await Promise.race([woken.next(), pause(1_000)]);
    }
    this.wakes.delete(name);
    const standing = await this.store.fleet.drain(name);
    // A match may have come at the last moment.
    if (isIdle && standing && standing.slotsInUse > 0) isIdle = !(await this.play(server));
    if (isIdle) this.seen.idle++;
    await this.store.fleet.leave(name, Date.now());
  }

  /** Takes the session that waits, if there is one, and reports its result. */
  private async play(server: ServerIdentity): Promise<boolean> {
    const commands = await this.store.commands.commandsAfter(server, 0);
    const order = commands?.find(({ kind }) => kind === 'create-session');
    if (!order) return false;
    const answered = await this.store.commands.answer(server, order.seq, { status: 'done' }, Date.now());
    if (answered.outcome !== 'accepted' && answered.outcome !== 'again')
      throw new ServerSuperseded(`${server.serverId} was not live: ${answered.outcome}`, {});
    await pause(50 + 100 * this.random());
    const result = { ranks: [1, 2], digest: order.sessionId, body: {} };
    await this.store.sessions.receive(order.sessionId, server, result, Date.now());
    this.seen.played++;
    return true;
  }

  private waker(name: string): { next(): Promise<void> } {
    let wake = (): void => undefined;
    this.wakes.set(name, () => wake());
    return { next: () => new Promise((resolve) => (wake = resolve)) };
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A match of two players that waits for a server. */
export function matchOf(number: number, now: number): FormedMatch {
  const matchId = `soak-${number}`;
  return {
    matchId,
    queue: 'duel',
    pool: 'ladder',
    build,
    regions: [region],
    rules: { mode: 'duel', placementTimeoutSeconds: 3_600 },
    map: null,
    bots: [0, 0],
    split: {
      method: 'trivial',
      because: 'there is one way',
      certificate: { status: 'proven', value: 0, lowerBound: 0, gap: 0, reason: 'exhausted', quantum: 0 },
      sums: [25, 25],
      difference: 0,
      ways: 1,
      ranked: true,
      operations: 1,
      rejected: null,
    },
    why: [message('split.proven')],
    prediction: [0.5, 0.5],
    players: [0, 1].map((team) => ({
      playerId: `${matchId}-${team}`,
      team,
      ticketId: `tkt-${matchId}-${team}`,
      mu: 25,
      sigma: 8,
      waitedMs: 0,
    })),
    placementTimeoutSeconds: 3_600,
    proposedAt: now,
    formedAt: now,
  };
}
