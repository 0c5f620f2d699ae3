import { Agent } from 'undici';
import { codeOf } from './network-error.js';
import type { Replica, ReplicaState } from './replica.js';

export interface ProbeSettings {
  /** The interval of probes of each replica. */
  readonly everyMs: number;
  /** The time-out of a probe. Longer than a service takes to detect that its stores do not answer. */
  readonly silentMs: number;
}

/**
 * Probes every replica at intervals, on connections of its own. A frozen replica still accepts connections, so only a
 * request shows that it does not answer.
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

  /** Probes all replicas once, then at intervals. */
  async start(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => this.check(replica)));
    for (const replica of this.replicas) this.schedule(replica);
  }

  /** Probes a replica now, unless a probe is in progress. */
  check(replica: Replica): Promise<void> {
    const known = this.underWay.get(replica);
    if (known) return known;
    const probing = this.request(replica)
      .then((state) => {
        if (!this.ended) replica.seen(state);
      })
      .finally(() => this.underWay.delete(replica));
    this.underWay.set(replica, probing);
    return probing;
  }

  async stop(): Promise<void> {
    this.ended = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.agent.destroy();
  }

  private schedule(replica: Replica): void {
    if (this.ended) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.check(replica).then(() => this.schedule(replica));
    }, this.settings.everyMs);
    this.timers.add(timer.unref());
  }

  private async request({ url, state }: Replica): Promise<ReplicaState> {
    const startedAt = performance.now();
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
      // Much later than the time-out: this process itself was stalled.
      if (performance.now() - startedAt > 1.5 * this.settings.silentMs) return state;
      return signal.aborted || codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT' ? 'silent' : 'away';
    }
  }
}
