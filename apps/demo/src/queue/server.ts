import { own, seededRandom, seedOf } from '@muster/domain';
import type { SessionOrder } from '@muster/contracts';
import { RefuseSession, ServerClient, type SessionHandlers } from '@muster/sdk';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { playOut } from '../population.js';
import { ownAddress } from './own-address.js';

export interface GameServerOptions {
  readonly url: string;
  readonly serverKey: string;
  readonly serverId: string;
  readonly slots: number;
  readonly build: string;
  readonly region: string;
  /** Share of sessions that it refuses, to show the effect. */
  readonly refuseShare: number;
  /** Goes silent after this many seconds, and returns; 0 for never. */
  readonly silentAfterSeconds: number;
  readonly matchSeconds: number;
}

interface Session {
  readonly order: SessionOrder;
  readonly sockets: Map<string, Socket>;
  started: boolean;
}

/** How long a session waits for its players before it begins with those present. */
const joinMs = 3_000;

/**
 * A dedicated server of the demo. Players connect over TCP and send their join token as a line; it checks the token offline
 * with the coordinator's public keys, plays a short match by hidden skill and reports the result.
 */
export class GameServer {
  private readonly sessions = new Map<string, Session>();
  private readonly random;
  private readonly host: string;
  private silent = false;
  private client: ServerClient | null = null;
  private listener: Server | null = null;
  private port = 0;
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(private readonly options: GameServerOptions) {
    this.random = seededRandom(seedOf(options.serverId));
    this.host = ownAddress(options.url);
  }

  async start(): Promise<void> {
    this.listener = createServer((socket) => this.welcome(socket));
    await new Promise<void>((resolve) => this.listener?.listen(0, this.host, resolve));
    const address = this.listener.address();
    this.port = typeof address === 'object' && address ? address.port : 0;
    await this.connect();
    const { silentAfterSeconds } = this.options;
    if (silentAfterSeconds > 0) this.later(silentAfterSeconds * 1000, () => void this.fallSilent());
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    await this.client?.stop();
    this.listener?.close();
  }

  private async connect(): Promise<void> {
    const { url, serverKey, serverId, slots, build, region } = this.options;
    const handlers: SessionHandlers = {
      createSession: (sessionId, order) => this.create(sessionId, order),
      endSession: (sessionId) => this.forget(sessionId),
      // A full server is not an overloaded one.
      cpuLoad: () => Math.min(1, this.sessions.size / slots) * 0.8,
    };
    const server = { serverId, region, build, slots, host: this.host, port: this.port };
    this.client = new ServerClient({ url, serverKey, server }, handlers);
    await this.client.start();
  }

  /** Like a crash: no answers, no results. After a while it returns as a new server. */
  private async fallSilent(): Promise<void> {
    this.silent = true;
    this.client?.silence();
    for (const sessionId of this.sessions.keys()) this.forget(sessionId);
    this.later(20_000, () => {
      this.silent = false;
      void this.connect();
    });
  }

  private create(sessionId: string, order: SessionOrder): Promise<void> {
    if (this.random() < this.options.refuseShare)
      return Promise.reject(new RefuseSession('the map is still loading'));
    this.sessions.set(sessionId, { order, sockets: new Map(), started: false });
    this.later(joinMs, () => this.begin(sessionId));
    return Promise.resolve();
  }

  private welcome(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    createInterface({ input: socket }).once('line', (token) => void this.admit(token, socket));
  }

  private async admit(token: string, socket: Socket): Promise<void> {
    try {
      if (!this.client) throw new Error('not ready');
      const { playerId, sessionId, team } = await this.client.verifyJoin(token);
      const session = this.sessions.get(sessionId);
      if (!session) throw new Error('no such session here');
      session.sockets.set(playerId, socket);
      const { teams, map, roles } = session.order;
      const role = own(roles, playerId);
      const where = map === null ? '' : ` on ${map}`;
      socket.write(`WELCOME team ${team + 1}${where}${role === undefined ? '' : ` as ${role}`}\n`);
      if (session.sockets.size === teams.flat().length) this.begin(sessionId);
    } catch (error) {
      socket.end(`REFUSED ${error instanceof Error ? error.message : 'bad token'}\n`);
    }
  }

  private begin(sessionId: string): void {
    const session = this.sessions.get(sessionId);
    if (!session || session.started) return;
    session.started = true;
    this.later(
      this.options.matchSeconds * (0.75 + 0.5 * this.random()) * 1000,
      () => void this.finish(sessionId, session),
    );
  }

  private async finish(sessionId: string, session: Session): Promise<void> {
    if (this.silent || this.sessions.get(sessionId) !== session) return;
    const { teams, bots } = session.order;
    const ranks = playOut(teams, this.random, bots);
    try {
      await this.client?.report(sessionId, { ranks });
    } catch {
      // The coordinator has given the session up; its players are released already.
    }
    for (const socket of session.sockets.values()) socket.write(`OVER ${ranks.join(' ')}\n`);
    this.forget(sessionId);
  }

  private forget(sessionId: string): void {
    for (const socket of this.sessions.get(sessionId)?.sockets.values() ?? []) socket.end();
    this.sessions.delete(sessionId);
  }

  private later(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      then();
    }, ms);
    this.timers.add(timer);
  }
}
