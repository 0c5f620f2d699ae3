import { MusterProblem, type PlayerClient } from '@muster/sdk';
import { seededRandom, seedOf } from '@muster/domain';
import { setMaxListeners } from 'node:events';
import type { Stack } from '../support/stack.js';

/** Players that queue repeatedly, alone and in parties, and record every acknowledged ticket. */
export class Crowd {
  /** Tickets that the coordinator acknowledged. */
  readonly acknowledged = new Set<string>();
  /** Tickets whose cancellation was answered with 200. */
  readonly cancelled = new Set<string>();
  /** Acknowledged tickets that a later answer reported as unknown. */
  readonly vanished = new Set<string>();
  /** Acknowledged tickets that a later answer reported as lost. */
  readonly lost = new Set<string>();
  /** Sessions of tickets that were assigned to more than one. */
  readonly assignedTwice = new Set<string>();
  private readonly ending = new AbortController();
  private running: Promise<void>[] = [];

  constructor(
    private readonly stack: Pick<Stack, 'player'>,
    private readonly players: number,
    private readonly build: string,
  ) {}

  async start(): Promise<void> {
    // One listener per open ticket, by design.
    setMaxListeners(0, this.ending.signal);
    for (let next = 0, i = 0; next < this.players; i++) {
      const size = [1, 1, 2, 1, 3, 1][i % 6] ?? 1;
      const ids = Array.from({ length: Math.min(size, this.players - next) }, (_, k) => `crowd-${next + k}`);
      next += ids.length;
      const clients = await Promise.all(ids.map((id) => this.stack.player(id)));
      this.running.push(this.live(ids, clients));
    }
  }

  /** Stops queueing and cancels waiting tickets. Resolves when every ticket has ended. */
  async stop(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.running);
  }

  private async live(ids: readonly string[], clients: readonly PlayerClient[]): Promise<void> {
    const random = seededRandom(seedOf(ids.join()));
    const [leader] = clients;
    const [leaderId] = ids;
    if (!leader || leaderId === undefined) return;
    while (!this.ending.signal.aborted) {
      try {
        const partyPasses = await Promise.all(clients.slice(1).map((client) => client.partyPass(leaderId)));
        const { ticketId } = await leader.enqueue({
          queue: '5v5',
          build: this.build,
          latencyMs: { local: 20 },
          partyPasses,
        });
        this.acknowledged.add(ticketId);
        if (random() < 0.05 && (await leader.cancel(ticketId))) this.cancelled.add(ticketId);
        await this.follow(leader, ticketId);
      } catch (error) {
        // Services are being killed: refusals and lost connections are expected. The stores decide.
        if (error instanceof MusterProblem && error.code === 'ticket-not-found')
          this.vanished.add(String(error.problem['ticketId']));
        if (error instanceof MusterProblem && error.code === 'ticket-lost')
          this.lost.add(String(error.problem['ticketId']));
      }
      await new Promise((resolve) => setTimeout(resolve, 100 + 400 * random()));
    }
  }

  private async follow(leader: PlayerClient, ticketId: string): Promise<void> {
    const leave = (): void => void this.leave(leader, ticketId);
    this.ending.signal.addEventListener('abort', leave, { once: true });
    if (this.ending.signal.aborted) leave();
    const sessions = new Set<string>();
    for await (const news of leader.follow(ticketId)) {
      if (news.assignment) sessions.add(news.assignment.sessionId);
    }
    if (sessions.size > 1) this.assignedTwice.add(ticketId);
    this.ending.signal.removeEventListener('abort', leave);
  }

  private async leave(leader: PlayerClient, ticketId: string): Promise<void> {
    if (await leader.cancel(ticketId).catch(() => false)) this.cancelled.add(ticketId);
  }
}
