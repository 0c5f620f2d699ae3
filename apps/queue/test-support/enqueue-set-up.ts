import {
  BoosterRefused,
  type ClientFacts,
  type Ids,
  type PlayerClaims,
  type PlayerRating,
  type QueueRules,
  type RulesVersion,
  type UsableBooster,
} from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { Admission, admissionRules } from '@muster/platform';
import { MemoryTicketStore } from '@muster/testing';
import type { Probe } from '../src/calibration/calibrate.js';
import { FollowRules } from '../src/rules/follow-rules.js';
import { Queues } from '../src/rules/queues.js';
import type { Penalties } from '../src/standing/penalties.js';
import type { Standing } from '../src/standing/standing.js';
import type { AllocatorClient } from '../src/services/allocator.client.js';
import { KnownBuilds } from '../src/services/known-builds.js';
import { Enqueue } from '../src/tickets/enqueue.js';
import type { EnqueueRequest } from '../src/tickets/group.js';

export const [fives] = defaultQueues as [QueueRules, ...QueueRules[]];
export const now = 1_000_000;
export const siege: QueueRules = {
  ...fives,
  name: 'siege',
  roles: { healer: 1, tank: 1 },
  maps: { names: ['castle', 'mine'], agreeSeconds: null },
};

export const ranked: QueueRules = { ...fives, name: 'ranked', entry: { verified: true, minMatches: 3 } };

const ids: Ids & { readonly former: Pick<Ids, 'derive'> } = {
  make: (prefix) => `${prefix}_1`,
  derive: (prefix, text) => `${prefix}_${text}`,
  fingerprint: (value) => JSON.stringify(value),
  former: { derive: (prefix, text) => `${prefix}_former_${text}` },
};

/** Follows the rules that another replica put in force. */
const followed = (queues: Queues, elsewhere: readonly RulesVersion[]): FollowRules =>
  new FollowRules(
    queues,
    {
      after: async (known) => elsewhere.filter(({ queue, version }) => version > (known.get(queue) ?? 0)),
      seed: async () => [],
    },
    { now: () => now },
  );

const penaltiesOf = (coolingDown: ReadonlySet<string>): Pick<Penalties, 'check'> => ({
  check: async (playerIds) => {
    if (playerIds.some((playerId) => coolingDown.has(playerId))) throw new Error('cooling down');
    return [];
  },
});

/** A request, with what players bring by their ids. */
interface Asked extends Omit<EnqueueRequest, 'leader' | 'members'> {
  readonly playerIds: readonly string[];
  readonly canPlay?: ReadonlyMap<string, readonly string[]>;
  readonly clients?: ReadonlyMap<string, ClientFacts>;
  readonly claims?: ReadonlyMap<string, PlayerClaims>;
}

const request = (queue: string, ...playerIds: string[]): Asked => ({
  queue,
  build: 'b',
  playerIds,
  maps: [],
  idempotencyKey: undefined,
});

function requestOf({ playerIds, canPlay, clients, claims, ...asked }: Asked): EnqueueRequest {
  const [leader, ...members] = playerIds.map((playerId) => ({
    ...clients?.get(playerId),
    playerId,
    canPlay: canPlay?.get(playerId) ?? [],
    claims: claims?.get(playerId) ?? {},
  }));
  if (!leader) throw new Error('a ticket has a player');
  return { ...asked, leader: { ...leader, latencyMs: {} }, members };
}

/** Tickets that are created at once. */
export const mostAtOnce = admissionRules(0).most;

/** What takes tickets, with stores in memory. */
export function setUp(
  probes: () => Promise<ReadonlyMap<string, Probe>>,
  standing: Awaited<ReturnType<Standing['ofTicket']>> = {},
  builds: Pick<AllocatorClient, 'builds'> | null = null,
  ratingsRead: Promise<void> = Promise.resolve(),
) {
  const store = new MemoryTicketStore();
  const coolingDown = new Set<string>();
  const boosters = new Map<string, UsableBooster>();
  const queues = new Queues([...defaultQueues, siege, ranked]);
  const elsewhere: RulesVersion[] = [];
  let seconds = now;
  const real = new Enqueue({
    admission: new Admission(admissionRules(0)),
    parties: {
      find: () => Promise.resolve(null),
      hold: () => Promise.reject(new Error('there are no parties')),
    },
    queues,
    follow: followed(queues, elsewhere),
    // A second passes between two tickets, so cached answers are stale.
    builds: new KnownBuilds(builds, { now: () => (seconds += 1_000) }, () => undefined),
    ratings: {
      async ratingsOf(_pool, playerIds) {
        await ratingsRead;
        return playerIds.map((playerId): PlayerRating => ({ playerId, mu: 25, sigma: 8, matches: 3 }));
      },
      async usableBooster(_pool, playerId) {
        const booster = boosters.get(playerId);
        if (!booster) throw new BoosterRefused(`${playerId} has no booster.`);
        return booster;
      },
    },
    pauses: { check: () => Promise.resolve() },
    bans: { check: () => Promise.resolve() },
    penalties: penaltiesOf(coolingDown),
    calibrate: { probes },
    standing: { ofTicket: async () => standing },
    store,
    clock: { now: () => now },
    ids,
  });
  const enqueue = { run: (asked: Asked) => real.run(requestOf(asked)) };
  const run = (...playerIds: string[]) => enqueue.run(request(fives.name, ...playerIds));
  return { store, run, enqueue, request, coolingDown, elsewhere, boosters };
}

export const probe = (level: number, match: number): Probe => ({ level, calibration: { match, of: 10 } });
