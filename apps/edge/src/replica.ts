/**
 * What is known of a replica: `ready`; `unready`, it answers and says that others should be asked; `away`, it refuses
 * connections; `silent`, it takes them and does not answer.
 */
export type ReplicaState = 'ready' | 'unready' | 'away' | 'silent';

/** Fewer is better: who is asked first. */
const rank: Readonly<Record<ReplicaState, number>> = { ready: 0, unready: 1, away: 2, silent: 3 };

/** One process of a service, as the edge sees it. Taken for ready until something else is seen. */
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

  /** Takes down what was seen. */
  seen(state: ReplicaState): void {
    const before = this.known;
    this.known = state;
    if (before !== state) this.changed(this, before);
  }

  /** Gives up the calls that wait for its answer and may be sent to another. */
  giveUp(): void {
    for (const giveUp of this.waiting) giveUp();
  }

  /** @param giveUp ends a call that waits for this replica @returns forgets it again */
  awaits(giveUp: () => void): () => void {
    this.waiting.add(giveUp);
    return () => void this.waiting.delete(giveUp);
  }
}

/** The replicas of one service: who is asked first, and who next. */
export class ReplicaSet {
  private turn = 0;

  readonly replicas: readonly Replica[];

  /** @param changed hears when a replica is seen in another state */
  constructor(urls: readonly string[], changed: (replica: Replica, before: ReplicaState) => void) {
    this.replicas = urls.map(
      (url) =>
        new Replica(url, (replica, before) => {
          changed(replica, before);
          this.relieve();
        }),
    );
  }

  /** Calls wait for a silent replica only while nobody else is there to answer them. */
  private relieve(): void {
    if (!this.replicas.some(({ answers }) => answers)) return;
    for (const replica of this.replicas) if (replica.state === 'silent') replica.giveUp();
  }

  /**
   * The order in which a call asks them. Ready ones take turns; then come those that are not ready, and only then those that
   * do not answer: the last look may be a second old, and when nobody is known to answer, all are worth a try.
   */
  order(): Replica[] {
    const { replicas } = this;
    const first = this.turn++ % Math.max(1, replicas.length);
    const turned = [...replicas.slice(first), ...replicas.slice(0, first)];
    return turned.toSorted((a, b) => rank[a.state] - rank[b.state]);
  }

  /** Whether anybody answers, in a word for operators. */
  get health(): { readonly answers: boolean; readonly says: string } {
    const count = (state: ReplicaState): number => this.replicas.filter((one) => one.state === state).length;
    const states = (['ready', 'unready', 'away', 'silent'] as const).filter((state) => count(state) > 0);
    const says = states.map((state) => `${count(state)} ${state}`).join(', ') || 'no replicas';
    return {
      answers: this.replicas.some((one) => one.answers),
      says: count('ready') > 0 ? `ok (${says})` : says,
    };
  }
}
