/**
 * The observed state of a replica: `ready`; `unready`, it answers that it is not ready; `away`, it refuses connections;
 * `silent`, it accepts them and does not answer.
 */
export type ReplicaState = 'ready' | 'unready' | 'away' | 'silent';

/** The order of preference, lowest first. */
const rank: Readonly<Record<ReplicaState, number>> = { ready: 0, unready: 1, away: 2, silent: 3 };

/** A process of a service. Assumed ready until observed otherwise. */
export class Replica {
  private known: ReplicaState = 'ready';
  private readonly waiting = new Set<() => void>();

  constructor(
    readonly url: string,
    private readonly changed: (replica: Replica, before: ReplicaState) => void,
  ) {}

  get state(): ReplicaState {
    return this.known;
  }

  /** Whether it answers at all. */
  get answers(): boolean {
    return this.known === 'ready' || this.known === 'unready';
  }

  /** Records an observed state. */
  seen(state: ReplicaState): void {
    const before = this.known;
    this.known = state;
    if (before !== state) this.changed(this, before);
  }

  /** Aborts the waiting calls that another replica may get. */
  giveUp(): void {
    for (const giveUp of this.waiting) giveUp();
  }

  /** @param giveUp aborts a call that waits for this replica @returns unregisters it */
  awaits(giveUp: () => void): () => void {
    this.waiting.add(giveUp);
    return () => void this.waiting.delete(giveUp);
  }
}

/** The replicas of a service, in order of preference. */
export class ReplicaSet {
  private turn = 0;

  readonly replicas: readonly Replica[];

  /** @param changed called when the observed state of a replica changes */
  constructor(urls: readonly string[], changed: (replica: Replica, before: ReplicaState) => void) {
    this.replicas = urls.map(
      (url) =>
        new Replica(url, (replica, before) => {
          changed(replica, before);
          this.releaseWaiting();
        }),
    );
  }

  /** Calls wait for a silent replica only while no other one answers. */
  private releaseWaiting(): void {
    if (!this.replicas.some(({ answers }) => answers)) return;
    for (const replica of this.replicas) if (replica.state === 'silent') replica.giveUp();
  }

  /**
   * The order in which a call tries them. Ready ones take turns; then unready ones, then those that do not answer: the
   * last probe may be a second old, and if none is known to answer, each may be tried.
   */
  order(): Replica[] {
    const { replicas } = this;
    const first = this.turn++ % Math.max(1, replicas.length);
    const turned = [...replicas.slice(first), ...replicas.slice(0, first)];
    return turned.toSorted((a, b) => rank[a.state] - rank[b.state]);
  }

  /** Whether any replica is ready, and a description for operators. */
  get health(): { readonly isReady: boolean; readonly says: string } {
    const count = (state: ReplicaState): number => this.replicas.filter((one) => one.state === state).length;
    const states = (['ready', 'unready', 'away', 'silent'] as const).filter((state) => count(state) > 0);
    const says = states.map((state) => `${count(state)} ${state}`).join(', ') || 'no replicas';
    const isReady = count('ready') > 0;
    return { isReady, says: isReady ? `ok (${says})` : says };
  }
}
