import {
  BoosterRefused,
  type Ids,
  type PlayerRating,
  type QueueRules,
  type RulesVersion,
  type UsableBooster,
} from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { MemoryTicketStore } from '@muster/testing';
import type { Probe } from '../src/calibration/calibrate.js';
import { FollowRules } from '../src/rules/follow-rules.js';
import { Queues } from '../src/rules/queues.js';
import type { Penalties } from '../src/standing/penalties.js';
import type { Standing } from '../src/standing/standing.js';
import { Enqueue, type EnqueueRequest } from '../src/tickets/enqueue.js';
import type { BoosterReader } from '../src/tickets/ticket-level.js';
import { KnownBuilds, type BuildReader } from '../src/tickets/known-builds.js';

export const [fives] = defaultQueues as [QueueRules, ...QueueRules[]];
export const now = 1_000_000;
export const siege: QueueRules = {
  ...fives,
  name: 'siege',
  roles: { healer: 1, tank: 1 },
  maps: { names: ['castle', 'mine'], agreeSeconds: null },
};

export const ranked: QueueRules = { ...fives, name: 'ranked', entry: { verified: true, minMatches: 3 } };

const ids: Ids = {
  make: (prefix) => `${prefix}_1`,
  derive: (prefix, text) => `${prefix}_${text}`,
  fingerprint: (value) => JSON.stringify(value),
};

/** Follows the rules that another replica put in force. */
const followed = (queues: Queues, elsewhere: readonly RulesVersion[]): FollowRules =>
  new FollowRules(
    queues,
    {
      after: async (known) => elsewhere.filter(({ queue, version }) => version > (known.get(queue) ?? 0)),
      seed: async () => [],
      change: async () => ({ outcome: 'stale', newest: 0 }),
    },
    { now: () => now },
  );

const penaltiesOf = (coolingDown: ReadonlySet<string>): Pick<Penalties, 'check'> => ({
  check: async (playerIds) => {
    if (playerIds.some((playerId) => coolingDown.has(playerId))) throw new Error('cooling down');
    return [];
  },
});

const readerOf = (boosters: ReadonlyMap<string, UsableBooster>): BoosterReader => ({
  async usable(_pool, playerId) {
    const booster = boosters.get(playerId);
    if (!booster) throw new BoosterRefused(`${playerId} has no booster.`);
    return booster;
  },
});

const request = (queue: string, ...playerIds: string[]): EnqueueRequest => ({
  queue,
  build: 'b',
  latencyMs: {},
  playerIds,
  canPlay: new Map(),
  clients: new Map(),
  claims: new Map(),
  maps: [],
  idempotencyKey: undefined,
});

/** What takes tickets, with stores in memory. */
export function setUp(
  probes: () => Promise<ReadonlyMap<string, Probe>>,
  standing: Awaited<ReturnType<Standing['ofTicket']>> = {},
  builds: BuildReader | null = null,
  ratingsRead: Promise<void> = Promise.resolve(),
) {
  const store = new MemoryTicketStore();
  const coolingDown = new Set<string>();
  const boosters = new Map<string, UsableBooster>();
  const queues = new Queues([...defaultQueues, siege, ranked]);
  const elsewhere: RulesVersion[] = [];
  let seconds = now;
  const enqueue = new Enqueue(
    queues,
    {
      async ratingsOf(_pool, playerIds) {
        await ratingsRead;
        return playerIds.map((playerId): PlayerRating => ({ playerId, mu: 25, sigma: 8, matches: 3 }));
      },
    },
    { probes },
    store,
    { now: () => now },
    ids,
    { ofTicket: async () => standing },
    penaltiesOf(coolingDown),
    followed(queues, elsewhere),
    // A second passes between two tickets, so cached answers are stale.
    new KnownBuilds(builds, { now: () => (seconds += 1_000) }, () => undefined),
    readerOf(boosters),
    2,
  );
  const run = (...playerIds: string[]) => enqueue.run(request(fives.name, ...playerIds));
  return { store, run, enqueue, request, coolingDown, elsewhere, boosters };
}

export const probe = (level: number, match: number): Probe => ({ level, calibration: { match, of: 10 } });
