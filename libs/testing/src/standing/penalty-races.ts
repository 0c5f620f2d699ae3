import { message, penaltyKinds, type PenaltyStore } from '@muster/domain';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testTime } from '../generators.js';
import { MemoryPenaltyStore } from './memory-penalty-store.js';

/** An offence as data. Equal offences may be charged at different times, and under different ids. */
interface Charged {
  readonly playerId: string;
  readonly matchId: string;
  readonly kind: (typeof penaltyKinds)[number];
  readonly attempt: number;
}
type Request =
  | { readonly do: 'add'; readonly charges: readonly Charged[] }
  | { readonly do: 'lift'; readonly charges: readonly Charged[] }
  | { readonly do: 'impose'; readonly charged: Charged; readonly by: string }
  | { readonly do: 'forgive'; readonly charged: Charged; readonly by: string };

const players = ['ann', 'bob'];
const charged: fc.Arbitrary<Charged> = fc.record({
  playerId: fc.constantFrom(...players),
  matchId: fc.constantFrom('m1', 'm2'),
  kind: fc.constantFrom(...penaltyKinds),
  attempt: fc.constantFrom(0, 0, 1),
});
const request: fc.Arbitrary<Request> = fc.oneof(
  fc.record({ do: fc.constant('add' as const), charges: fc.array(charged, { maxLength: 4 }) }),
  fc.record({ do: fc.constant('lift' as const), charges: fc.array(charged, { maxLength: 4 }) }),
  fc.record({
    do: fc.constantFrom('forgive' as const, 'impose' as const),
    charged,
    by: fc.constantFrom(...players),
  }),
);
const moments = fc.array(fc.array(request, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 12 });

const idOf = ({ playerId, matchId, kind, attempt }: Charged): string =>
  `${playerId} ${kind} ${matchId} ${attempt}`;

function send(store: PenaltyStore, each: Request, now: number): Promise<boolean | void> {
  if (each.do === 'forgive') return store.forgive(each.by, idOf(each.charged), now);
  if (each.do === 'impose') return store.impose(each.by, idOf(each.charged));
  const penalties = each.charges.map(({ attempt, ...offence }) => ({
    ...offence,
    penaltyId: idOf({ attempt, ...offence }),
    queue: 'duel',
    at: now - attempt,
  }));
  if (each.do === 'add') return store.add(penalties);
  return store.lift(penalties, { at: now, why: [message('penalty.match-void')] });
}

/** All that a store tells of its penalties. */
async function told(store: PenaltyStore, since: number) {
  const lists = await Promise.all(players.map((playerId) => store.list(playerId, 50)));
  const counted = await store.of(players, since);
  const byId = (a: { penaltyId: string }, b: { penaltyId: string }) => (a.penaltyId < b.penaltyId ? -1 : 1);
  return {
    lists: lists.map((list) => list.toSorted(byId)),
    counted: new Map([...counted].sort().map(([id, list]) => [id, list.toSorted(byId)])),
  };
}

/**
 * Sends random penalties and forgivenesses, some of them two at once, to a store, and compares it with its twin after some order of
 * each two.
 *
 * @param name the adapter, for the report
 * @param create makes an empty store
 */
export function describePenaltyRaces(
  name: string,
  create: () => Promise<PenaltyStore>,
  options: { readonly runs?: number } = {},
): void {
  it(`${name}: penalises and forgives as it is decided, in any order and two callers at once`, async () => {
    await fc.assert(
      fc.asyncProperty(moments, async (list) => {
        const store = await create();
        let twin = new MemoryPenaltyStore();
        for (const [i, requests] of list.entries()) {
          const now = testTime + i * 10;
          const answers = await Promise.all(requests.map((each) => send(store, each, now)));
          const since = testTime + Math.floor(i / 2) * 10;
          const found = { answers, ...(await told(store, since)) };
          const candidates = await Promise.all(
            (requests.length === 2
              ? [
                  [0, 1],
                  [1, 0],
                ]
              : [[0]]
            ).map((order) => candidateOf(twin, requests, order, now, since)),
          );
          const explained = candidates.find(({ expected }) => isEqual(expected, found));
          if (!explained) expect(found).toEqual(candidates[0]?.expected);
          else twin = explained.after;
        }
      }),
      { numRuns: options.runs ?? 100 },
    );
  });
}

async function candidateOf(
  twin: MemoryPenaltyStore,
  requests: readonly Request[],
  order: readonly number[],
  now: number,
  since: number,
) {
  const after = twin.copy();
  const answers: (boolean | void)[] = [];
  for (const i of order) {
    const each = requests[i];
    if (each) answers[i] = await send(after, each, now);
  }
  return { after, expected: { answers, ...(await told(after, since)) } };
}

function isEqual(a: unknown, b: unknown): boolean {
  try {
    expect(a).toEqual(b);
    return true;
  } catch {
    return false;
  }
}
