export const replicaStates = ['ready', 'unready', 'away', 'silent'] as const;
export type ReplicaState = (typeof replicaStates)[number];

/** What `/health/ready` says of the replicas of a service. */
export interface ServiceHealth {
  readonly service: string;
  readonly replicas: Readonly<Record<ReplicaState, number>>;
  /** What they lack, where one process has all services. */
  readonly lacks: string;
}

/** What is the matter with a replica in a state, for one and for several. */
const troubles: Readonly<Record<Exclude<ReplicaState, 'ready'>, readonly [string, string]>> = {
  unready: [
    'is not ready (starting, stopping, or a store is unavailable)',
    'are not ready (starting, stopping, or a store is unavailable)',
  ],
  away: ['refuses connections', 'refuse connections'],
  silent: ['does not answer', 'do not answer'],
};

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Reads the answer. @returns null where the address is not that of an edge, whose answer has other parts */
export function readHealth(answer: unknown): readonly ServiceHealth[] | null {
  const { checks } = fieldsOf(answer);
  if (checks === undefined) return null;
  return Object.entries(fieldsOf(checks)).map(([service, says]) => serviceOf(service, String(says)));
}

/** Such as `ok (2 ready, 1 away)`, `1 unready, postgres: timed out`, `no replicas`. */
function serviceOf(service: string, says: string): ServiceHealth {
  const replicas = { ready: 0, unready: 0, away: 0, silent: 0 };
  const lacks: string[] = [];
  for (const part of says.replace(/^ok \((.*)\)$/, '$1').split(', ')) {
    const [, count, state] = /^(\d+) (ready|unready|away|silent)$/.exec(part) ?? [];
    const known = replicaStates.find((each) => each === state);
    if (known) replicas[known] += Number(count);
    else if (part !== 'no replicas') lacks.push(part);
  }
  return { service, replicas, lacks: lacks.join(', ') };
}

export const replicasIn = ({ replicas }: ServiceHealth): number =>
  replicaStates.reduce((all, state) => all + replicas[state], 0);

/** What is the matter with a service, in words; empty: nothing. */
export function troubleOf({ replicas, lacks }: ServiceHealth): string {
  const said = (['unready', 'away', 'silent'] as const)
    .filter((state) => replicas[state] > 0)
    .map((state) => `${replicas[state]} ${troubles[state][replicas[state] === 1 ? 0 : 1]}`);
  return [...said, lacks].filter((each) => each !== '').join('; ');
}
