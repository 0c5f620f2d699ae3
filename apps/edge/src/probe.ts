import { Agent } from 'undici';
import { codeOf } from './network-error.js';
import type { Replica, ReplicaState } from './replica.js';

export interface ProbeSettings {
  /** How often each replica is looked at. */
  readonly everyMs: number;
  /** How long it has to answer. Longer than a service takes to find out that its stores do not. */
  readonly silentMs: number;
}

/**
 * Looks at every replica at intervals, on connections of its own: a replica that is frozen still takes connections, and only
 * a question shows that nobody answers.
 */
export class Probe {
  private readonly agent: Agent;
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly underWay = new Map<Replica, Promise<void>>();
  private ended = false;

  constructor(
    private readonly replicas: readonly Replica[],
    private readonly settings: ProbeSettings,
  ) {
    this.agent = new Agent({ connect: { timeout: settings.silentMs }, keepAliveTimeout: 4_000 });
  }

  /** Looks at all of them once, and from then on again and again. */
  async start(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => this.look(replica)));
    for (const replica of this.replicas) this.later(replica);
  }

  /** Looks at one now, unless that is under way: a call has found something odd about it. */
  look(replica: Replica): Promise<void> {
    const known = this.underWay.get(replica);
    if (known) return known;
    const looking = this.ask(replica)
      .then((state) => {
        if (!this.ended) replica.seen(state);
      })
      .finally(() => this.underWay.delete(replica));
    this.underWay.set(replica, looking);
    return looking;
  }

  async stop(): Promise<void> {
    this.ended = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.agent.destroy();
  }

  private later(replica: Replica): void {
    if (this.ended) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.look(replica).then(() => this.later(replica));
    }, this.settings.everyMs);
    this.timers.add(timer.unref());
  }

  private async ask({ url, state }: Replica): Promise<ReplicaState> {
    const began = performance.now();
    const signal = AbortSignal.timeout(this.settings.silentMs);
    try {
      const { statusCode, body } = await this.agent.request({
        origin: url,
        path: '/health/ready',
        method: 'GET',
        signal,
      });
      await body.dump();
      return statusCode === 200 ? 'ready' : 'unready';
    } catch (error) {
      // Much later than the time was up: it was this process that stood still, and it heard nothing.
      if (performance.now() - began > 1.5 * this.settings.silentMs) return state;
      return signal.aborted || codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT' ? 'silent' : 'away';
    }
  }
}
