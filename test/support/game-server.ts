import type { BalanceOrder, PlayersAdded, ServerRegistered, SessionOrder } from '@muster/contracts';
import {
  type CallAnswer,
  RefuseSession,
  ServerClient,
  type Abandonment,
  type Backfill,
  type BackfillWanted,
  type Happening,
  type ResultReport,
} from '@muster/sdk';
import type { z } from 'zod';
import { Happenings } from './happenings.js';
import { ask, jsonOf } from './http.js';
import type { Stack } from './stack.js';

/** The answer of a server to an order. `silent` answers only on demand. */
export type Decision = 'accept' | 'refuse' | 'silent';

export interface Asked {
  readonly sessionId: string;
  readonly order: SessionOrder;
}

export interface Ended {
  readonly sessionId: string;
  readonly reason: string;
}

export interface ServerTraits {
  readonly serverId: string;
  readonly build: string;
  readonly slots?: number;
  readonly region?: string;
  readonly host?: string;
  readonly port?: number;
  readonly labels?: Record<string, string | string[]>;
}

/** The registration of a server. */
export const describeServer = ({
  serverId,
  build,
  slots = 4,
  region = 'local',
  host = '127.0.0.1',
  port = 27_015,
  labels,
}: ServerTraits) => ({
  serverId,
  build,
  region,
  slots,
  host,
  port,
  ...(labels ? { labels } : {}),
});

/** A dedicated server controlled by the test. */
export class GameServer {
  /** Orders of sessions, in sequence. */
  readonly asked = new Happenings<Asked>();
  /** Sessions that the coordinator ended. */
  readonly ended = new Happenings<Ended>();
  /** Players added to running sessions. */
  readonly added = new Happenings<PlayersAdded & { readonly sessionId: string }>();
  /** Orders to move players. */
  readonly orders = new Happenings<BalanceOrder & { readonly sessionId: string }>();
  readonly troubles = new Happenings<unknown>();
  /** Sessions that it hosts. */
  readonly live = new Set<string>();
  decide: (asked: Asked) => Decision = () => 'accept';
  /** Whether it admits players to a running session. */
  letsIn = true;

  private readonly client: ServerClient;
  private readonly held = new Map<string, () => void>();

  private constructor(stack: Stack, traits: ServerTraits) {
    this.client = new ServerClient(
      { url: stack.url, serverKey: stack.run.serverKey, server: describeServer(traits) },
      {
        createSession: (sessionId, order) => this.createSession({ sessionId, order }),
        addPlayers: (sessionId, added) => {
          if (!this.letsIn) throw new Error('the doors are shut');
          this.added.push({ ...added, sessionId });
        },
        balance: (sessionId, order) => this.orders.push({ ...order, sessionId }),
        endSession: (sessionId, reason) => {
          this.live.delete(sessionId);
          this.ended.push({ sessionId, reason });
        },
        trouble: (error) => this.troubles.push(error),
      },
    );
  }

  static async start(
    stack: Stack,
    traits: ServerTraits,
    decide?: (asked: Asked) => Decision,
  ): Promise<GameServer> {
    const server = new GameServer(stack, traits);
    if (decide) server.decide = decide;
    await server.client.start();
    return server;
  }

  /** Answers "done" for a session with a pending answer. */
  answerLate(sessionId: string): void {
    this.held.get(sessionId)?.();
  }

  async report(sessionId: string, result: ResultReport): Promise<CallAnswer<'reportResult'>> {
    // Removed first: once the coordinator has answered, it may send the next session to this slot.
    this.live.delete(sessionId);
    return this.client.report(sessionId, result);
  }

  async abandon(sessionId: string, said: Abandonment): Promise<{ matchId: string; counted: boolean }> {
    this.live.delete(sessionId);
    return this.client.abandon(sessionId, said);
  }

  finished(sessionId: string, playerIds: readonly string[]): Promise<{ matchId: string }> {
    return this.client.finished(sessionId, playerIds);
  }

  backfill(sessionId: string, wanted: BackfillWanted): Promise<Backfill> {
    return this.client.backfill(sessionId, wanted);
  }

  readBackfill(sessionId: string, backfillId: string): Promise<Backfill> {
    return this.client.readBackfill(sessionId, backfillId);
  }

  withdrawBackfill(sessionId: string, backfillId: string): Promise<Backfill> {
    return this.client.withdrawBackfill(sessionId, backfillId);
  }

  happened(sessionId: string, happening: Happening): void {
    this.client.happened(sessionId, happening);
  }

  drain(): Promise<void> {
    return this.client.drain();
  }

  undrain(): Promise<void> {
    return this.client.undrain();
  }

  /** Stops without deregistering, like a crash. */
  crash(): void {
    this.client.silence();
  }

  stop(): Promise<void> {
    return this.client.stop();
  }

  private async createSession(asked: Asked): Promise<void> {
    const decision = this.decide(asked);
    this.asked.push(asked);
    if (decision === 'refuse') throw new RefuseSession('the test wants it so');
    if (decision === 'silent') await new Promise<void>((resolve) => this.held.set(asked.sessionId, resolve));
    this.live.add(asked.sessionId);
  }
}

/** Registers a server by a plain call. @returns the registration with its token, for calls outside the SDK */
export async function register(
  stack: Stack,
  traits: ServerTraits,
  resume: readonly string[] = [],
): Promise<z.infer<typeof ServerRegistered>> {
  const body = { ...describeServer(traits), resume };
  return jsonOf(await ask(stack.url, '/v1/servers', { token: stack.run.serverKey, body }), 201);
}
