import type { TicketEvent, TicketRecord, TicketStore } from '@muster/domain';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CreateStore } from './conformance/harness.js';
import { aTicket, anAssignment, parties, testTime } from './generators.js';
import { checkQueue, checkStory, matchesOf } from './ticket-invariants.js';

const queue = 'duel';
const players = ['ann', 'bob', 'cid', 'dan', 'constructor'];

/** The task of one caller. Its steps run in sequence, interleaved with those of the others. */
type Errand =
  | { do: 'queue'; party: string[]; lifeSteps: number; copies: number; cancels: number; patience: number }
  | {
      do: 'match';
      holder: string;
      ttl: number;
      size: number;
      answers: Answers;
      verdict: Verdict;
      end: End;
    }
  | { do: 'expire' }
  | { do: 'end ready checks' }
  | { do: 'reconcile'; verdict: Verdict };

/** The players' answers to a ready check. `unasked`: the match has none. */
type Answers = 'unasked' | 'all accept' | 'one declines' | 'one sleeps';
/** `both`: two callers decide concurrently and do not agree. `none`: the caller dies before it decides. */
type Verdict = 'confirm' | 'release' | 'both' | 'none';
type End = 'rated' | 'abandoned' | 'remade' | 'early' | 'none';

const verdict = fc.constantFrom<Verdict>('confirm', 'confirm', 'release', 'both', 'none');

const errand: fc.Arbitrary<Errand> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('queue' as const),
      party: parties(players),
      lifeSteps: fc.integer({ min: 5, max: 150 }),
      copies: fc.constantFrom(1, 1, 2),
      cancels: fc.constantFrom(0, 0, 1, 2),
      patience: fc.nat({ max: 8 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('match' as const),
      holder: fc.constantFrom('a', 'b'),
      ttl: fc.constantFrom(3, 10, 30),
      size: fc.integer({ min: 1, max: 3 }),
      answers: fc.constantFrom<Answers>('unasked', 'unasked', 'all accept', 'one declines', 'one sleeps'),
      verdict,
      end: fc.constantFrom<End>('rated', 'abandoned', 'remade', 'early', 'none'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end ready checks' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reconcile' as const), verdict }) },
);

/** The answers to the callers, for checks against the store. */
class Witness {
  readonly created = new Map<string, number>();
  readonly known = new Set<string>();
  readonly cancelled = new Set<string>();
  readonly declined = new Set<string>();
  readonly expired: string[] = [];
  readonly claimed = new Map<string, readonly string[]>();
}

/** Runs tasks against a store. Each step waits for its turn, which fast-check schedules. */
class Race {
  readonly witness = new Witness();
  private steps = 0;

  constructor(
    private readonly stores: readonly TicketStore[],
    private readonly turn: () => Promise<unknown>,
  ) {}

  async run(what: Errand, id: number): Promise<void> {
    switch (what.do) {
      case 'queue':
        return this.queue(what, `t${id}`);
      case 'match':
        return this.match(what, `m${id}`);
      case 'expire': {
        const ended = await this.call((store, now) => store.expire(queue, 'Too long.', now, 2));
        this.witness.expired.push(...ended);
        return;
      }
      case 'end ready checks': {
        const overdue = await this.call((store, now) => store.overdueReadyChecks(now, 2));
        for (const { matchId, unanswered } of overdue) {
          const words = new Map(unanswered.map(({ ticketId }) => [ticketId, 'You slept.']));
          const end = () =>
            this.call((store, now) => store.endReadyCheck(matchId, words, 'Fell apart.', now));
          await Promise.all(times(2, end));
        }
        return;
      }
      case 'reconcile': {
        const overdue = await this.call((store, now) => store.overdueProposals(now, 10, 2));
        for (const { matchId, job } of overdue) await this.decide(matchId, JSON.parse(job), what.verdict);
      }
    }
  }

  private async queue(what: Errand & { do: 'queue' }, ticketId: string): Promise<void> {
    // Successive tickets have different times, so that the order of the queue is certain.
    const enqueuedAt = testTime + Number(ticketId.slice(1));
    const expiresAt = testTime + what.lifeSteps;
    const ticket = aTicket({ ticketId, queue, players: what.party, enqueuedAt, expiresAt });
    const enqueue = async (): Promise<void> => {
      const { outcome } = await this.call((store, now) => store.enqueue(ticket, now));
      if (outcome === 'created') this.count(ticketId);
      if (outcome !== 'busy') this.witness.known.add(ticketId);
    };
    const cancel = async (): Promise<void> => {
      for (let i = 0; i < what.patience; i++) await this.turn();
      const { outcome } = await this.call((store, now) => store.cancel(ticketId, 'Enough.', now));
      if (outcome === 'cancelled') this.witness.cancelled.add(ticketId);
    };
    await Promise.all([...times(what.copies, enqueue), ...times(what.cancels, cancel)]);
  }

  private async match(what: Errand & { do: 'match' }, matchId: string): Promise<void> {
    const lease = await this.call((store, now) => store.acquireLease(queue, what.holder, what.ttl, now));
    const waiting = await this.call((store) => store.waiting(queue, what.size));
    if (!lease || waiting.length === 0) return;
    const job = JSON.stringify(waiting);
    const asked = what.answers !== 'unasked';
    const proposal = {
      matchId,
      queue,
      ticketIds: waiting,
      job,
      reason: 'A match.',
      ...(asked ? { readyCheck: { acceptBy: testTime + this.steps + 60, reason: 'Come?' } } : {}),
    };
    const claims = await Promise.all(
      times(2, () => this.call((store, now) => store.propose(proposal, lease.epoch, 10, now))),
    );
    if (!claims.some(({ outcome }) => outcome === 'claimed')) return;
    this.witness.claimed.set(matchId, waiting);
    if (asked && !(await this.answer(matchId, waiting, what.answers))) return;
    await this.decide(matchId, waiting, what.verdict);
    if (what.verdict === 'none') return;
    const close = (matchState: 'rated' | 'abandoned') =>
      this.call((store, now) => store.close(matchId, waiting, matchState, 'Over.', now));
    const assigned = waiting.flatMap((ticketId, team) =>
      ['s1', 's2'].map((serverId) =>
        this.call((store, now) =>
          store.assign(ticketId, anAssignment(matchId, { serverId, team }), 'Go.', now),
        ),
      ),
    );
    const words = { back: 'Called off.', ended: 'Over.', left: 'Left.', late: 'Too late.' };
    const remake = () =>
      this.call((store, now) => store.remake(matchId, waiting, waiting.slice(1, 2), words, now));
    if (what.end === 'early') await close('abandoned');
    await Promise.all(assigned);
    if (what.end === 'remade') await Promise.all(times(2, remake));
    if (what.end === 'rated' || what.end === 'abandoned')
      await Promise.all(times(2, () => close(what.end === 'rated' ? 'rated' : 'abandoned')));
  }

  /** @returns whether a caller got the answer that all have accepted */
  private async answer(matchId: string, ids: readonly string[], how: Answers): Promise<boolean> {
    const records = await Promise.all(ids.map((id) => this.call((store) => store.find(id))));
    const members = records.flatMap((record) =>
      (record?.players ?? []).map(({ playerId }) => ({ playerId, ticketId: record?.ticketId ?? '' })),
    );
    let complete = false;
    const last = members.length - 1;
    const say = members.map(async ({ playerId, ticketId }, i) => {
      if (i === last && how === 'one sleeps') return;
      if (i === last && how === 'one declines') {
        const { outcome } = await this.call((store, now) =>
          store.decline(ticketId, playerId, 'You declined.', 'Fell apart.', now),
        );
        if (outcome === 'declined') this.witness.declined.add(ticketId);
        return;
      }
      const accept = () =>
        this.call((store, now) => store.accept(ticketId, playerId, 'All are in.', 10, now));
      for (const { outcome } of await Promise.all(times(2, accept))) complete ||= outcome === 'complete';
    });
    // Before all have accepted, no verdict counts. A verdict that comes too early, during the ready check, must change
    // nothing.
    const early = () => this.call((store, now) => store.release(matchId, ids, [], 'Early.', now));
    await Promise.all([...say, early()]);
    return complete;
  }

  private async decide(matchId: string, ids: readonly string[], how: Verdict): Promise<void> {
    const confirm = () => this.call((store, now) => store.confirm(matchId, ids, 'Found.', now));
    const culprits = ids.slice(1, 2);
    const release = () =>
      this.call((store, now) => store.release(matchId, ids, culprits, 'Fell apart.', now));
    const note = () => this.call((store, now) => store.note(matchId, ids, 'Placing.', now));
    if (how === 'confirm') await Promise.all([...times(2, confirm), note()]);
    if (how === 'release') await Promise.all(times(2, release));
    if (how === 'both') await Promise.all([confirm(), release()]);
  }

  private async call<T>(what: (store: TicketStore, now: number) => Promise<T>): Promise<T> {
    await this.turn();
    this.steps += 1;
    const store = this.stores[this.steps % this.stores.length];
    if (!store) throw new Error('no store');
    return what(store, testTime + this.steps);
  }

  private count(ticketId: string): void {
    this.witness.created.set(ticketId, (this.witness.created.get(ticketId) ?? 0) + 1);
  }
}

/**
 * Lets many callers race over a few players, and checks the invariants for any order.
 *
 * @param name the adapter, for the report
 * @param create makes an empty store; with `others`, callers take turns with those connections
 */
export function describeTicketRaces(
  name: string,
  create: CreateStore,
  options: { readonly runs?: number } = {},
): void {
  it(`${name}: keeps its invariants for any order of concurrent callers`, { timeout: 60_000 }, async () => {
    const errands = fc.array(errand, { minLength: 8, maxLength: 24, size: 'max' });
    await fc.assert(
      fc.asyncProperty(errands, fc.scheduler(), async (list, scheduler) => {
        const made = await create();
        try {
          const race = new Race([made.store, ...(made.others ?? [])], () =>
            scheduler.schedule(Promise.resolve()),
          );
          await scheduler.waitFor(Promise.all(list.map((what, id) => race.run(what, id))));
          await check(made.store, list, race.witness);
        } finally {
          await made.dispose?.();
        }
      }),
      { numRuns: options.runs ?? 100 },
    );
  });
}

async function check(store: TicketStore, list: readonly Errand[], witness: Witness): Promise<void> {
  const ids = list.flatMap((what, id) => (what.do === 'queue' ? [`t${id}`] : []));
  const records: TicketRecord[] = [];
  const stories = new Map<string, TicketEvent[]>();
  /** Tickets that ended because a player did not accept, with the match. */
  const dropped = new Map<string, string>();
  for (const id of ids) {
    const record = await store.find(id);
    expect(witness.created.get(id) ?? 0, `times that ${id} was created`).toBe(record ? 1 : 0);
    expect(witness.known.has(id)).toBe(record !== null);
    if (!record) continue;
    records.push(record);
    const events = await store.eventsAfter(id, 0);
    stories.set(id, events);
    checkStory(record, events);
    const unready = record.state === 'cancelled' && events.at(-2)?.state === 'accepting';
    if (unready) dropped.set(id, events.at(-2)?.matchId ?? '');
    if (!unready || witness.cancelled.has(id) || witness.declined.has(id))
      expect(record.state === 'cancelled', `${id} is as its canceller was told`).toBe(
        witness.cancelled.has(id) || witness.declined.has(id),
      );
  }
  const expired = records.filter(({ state }) => state === 'expired').map(({ ticketId }) => ticketId);
  expect(witness.expired.toSorted()).toEqual(expired.toSorted());
  await checkQueue(store, queue, records, players);
  const matches = matchesOf(stories);
  expect(new Set(matches.keys())).toEqual(new Set(witness.claimed.keys()));
  for (const [matchId, { claimed, kept }] of matches) {
    expect(claimed.toSorted(), `claimed by ${matchId}`).toEqual(witness.claimed.get(matchId)?.toSorted());
    // All of a match or none of it is confirmed, also when a confirm and a release race.
    const whole = new Set(kept);
    expect([0, claimed.length], `confirmed of ${matchId}`).toContain(whole.size);
  }
  const blamed = await store.blamed(1_000);
  for (const { matchId, playerIds } of blamed) {
    expect(matches.get(matchId)?.kept, `kept of ${matchId}, which fell apart`).toEqual([]);
    for (const { ticketId, players: members } of records)
      expect(
        members.some(({ playerId }) => playerIds.includes(playerId)) &&
          (matches.get(matchId)?.claimed ?? []).includes(ticketId),
        `${ticketId} and the blame for ${matchId}`,
      ).toBe(dropped.get(ticketId) === matchId);
  }
  expect(new Set(dropped.values())).toEqual(new Set(blamed.map(({ matchId }) => matchId)));
}

function times<T>(count: number, what: () => Promise<T>): Promise<T>[] {
  return Array.from({ length: count }, what);
}
