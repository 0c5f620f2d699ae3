import { describe, expect, it } from 'vitest';
import { message } from '../messages/index.js';
import {
  decideCallOff,
  decideLoss,
  decideOvertime,
  decideResult,
  decideSilenced,
  type MatchFacts,
  type SessionFacts,
} from './index.js';

const begun = 1_700_000_000_000;
const silent = message('session.server-silent');

const session = (over: Partial<SessionFacts> = {}): SessionFacts => ({
  sessionId: 'ses',
  matchId: 'm',
  serverId: 's',
  incarnation: 1,
  state: 'live',
  liveAt: begun,
  ...over,
});

/** Ann and Abe are a party, Bob and Cid are alone. */
const match = (over: Partial<MatchFacts> = {}, gone: Record<string, object> = {}): MatchFacts => ({
  matchId: 'm',
  state: 'placed',
  queue: 'duel',
  blame: [],
  players: [
    ['ann', 't1'],
    ['abe', 't1'],
    ['bob', 't2'],
    ['cid', 't3'],
  ].map(([playerId = '', ticketId = ''], i) => ({
    playerId,
    ticketId,
    team: i < 2 ? 0 : 1,
    joinedAt: null,
    leftAt: null,
    ...gone[playerId],
  })),
  ...over,
});

const lost = (seconds: number, facts = match(), of = session()) =>
  decideLoss(of, facts, silent, begun + seconds * 1000);
const told = ({ jobs }: ReturnType<typeof lost>) =>
  jobs.flatMap((job) => (job.kind === 'update' ? [job] : []));
const endOf = (decision: ReturnType<typeof lost>) => told(decision).map(({ update }) => update);
const back = { to: 'remade', failedTicketIds: [], outPlayerIds: [], lifeSeconds: null };

describe('a server that is lost in the first minutes of its match', () => {
  it('ended the tickets of its players: they return to the queue, and match and tickets say so', () => {
    const decision = lost(299);
    expect(told(decision)).toMatchObject([
      {
        ticketIds: ['t1', 't2', 't3'],
        reason: message('match.lost', { cause: silent }),
        update: { ...back, offences: [] },
      },
    ]);
    expect(decision.changes?.match).toMatchObject({
      to: 'abandoned',
      reason: message('match.players-returned', { cause: silent }),
    });
    expect(decision.changes?.session).toMatchObject({ to: 'lost', reason: silent });
  });

  it.each([
    ['played for longer than the default', 300, {}, 'abandoned'],
    ['less than rules say', 599, { crashRequeueSeconds: 600 }, 'remade'],
    ['more than rules say', 600, { crashRequeueSeconds: 600 }, 'abandoned'],
    ['at once, where rules want none back', 0, { crashRequeueSeconds: 0 }, 'abandoned'],
    [
      'heard last before the match began, where rules want none back',
      -1,
      { crashRequeueSeconds: 0 },
      'abandoned',
    ],
    ['a match without a queue', 1, { queue: null }, 'abandoned'],
  ])('%s', (_, seconds, over, to) => {
    expect(endOf(lost(seconds, match(over)))).toMatchObject([{ to }]);
  });

  it('returns a party without those who left it or are finished, and nobody who is alone and left', () => {
    const gone = { abe: { leftAt: begun + 1 }, bob: { leftAt: begun + 1 }, cid: { finishedAt: begun + 1 } };
    expect(endOf(lost(60, match({}, gone)))).toMatchObject([
      { to: 'remade', failedTicketIds: ['t1', 't2', 't3'], outPlayerIds: ['abe', 'bob', 'cid'] },
    ]);
    expect(endOf(lost(60, match({}, { ...gone, ann: { leftAt: begun } })))).toMatchObject([
      { to: 'abandoned' },
    ]);
  });

  it('lets them wait as long as newcomers to the queue', () => {
    expect(endOf(lost(60, match({ ticketTtlSeconds: 120 })))).toMatchObject([{ lifeSeconds: 120 }]);
  });

  it('counts from when it was last heard, not from when its silence was judged', () => {
    const judged = begun + 900_000;
    expect(endOf(decideSilenced(session(), match(), begun + 10_000, judged))).toMatchObject([
      { to: 'remade' },
    ]);
    expect(endOf(decideSilenced(session(), match(), begun + 300_000, judged))).toMatchObject([
      { to: 'abandoned' },
    ]);
  });

  it('is another thing than a match beyond its time limit', () => {
    expect(endOf(decideOvertime(session(), match(), begun + 1_000))).toMatchObject([{ to: 'abandoned' }]);
  });

  it('is lost once', () => {
    expect(lost(1, match({ state: 'abandoned' }), session({ state: 'lost' })).jobs).toEqual([]);
  });

  it.each([
    ['counts', false, 'counted', []],
    [
      'does not count once a player of it is in another match',
      true,
      'withdrawn',
      ['result.players-in-match'],
    ],
  ])('reports late: the result %s, and nobody is blamed by it', (_, playsElsewhere, outcome, codes) => {
    const late = {
      matchState: 'abandoned',
      closedAt: begun + 60_000,
      lateResultSeconds: null,
      replaced: false,
      ratedSince: false,
      playsElsewhere,
    } as const;
    const facts = { session: session({ state: 'lost' }), match: match({ state: 'abandoned' }), late };
    const report = { ranks: [1, 2], digest: 'a', body: {}, leavers: ['bob'] };
    const decided = decideResult(
      { ...facts, counted: null, unansweredSeq: null, rules: null },
      { serverId: 's', incarnation: 1 },
      report,
      begun + 90_000,
    );
    expect(decided.outcome).toMatchObject({ outcome });
    const why = 'why' in decided.outcome ? decided.outcome.why?.map(({ code }) => code) : undefined;
    expect(why ?? []).toEqual(codes);
    expect(decided.jobs.filter(({ kind }) => kind !== 'rate')).toEqual([]);
  });
});

describe('a no-show in a party', () => {
  it('took the place of the whole party: the others of it return', () => {
    const calledOff = { reason: 'abe never came', noShows: ['abe'], leavers: [], remake: true };
    const { jobs } = decideCallOff(
      { session: session(), match: match() },
      { serverId: 's', incarnation: 1 },
      calledOff,
      begun + 60_000,
    );
    expect(jobs).toMatchObject([
      { update: { to: 'remade', failedTicketIds: ['t1'], outPlayerIds: ['abe'] } },
      { kind: 'conduct' },
    ]);
  });
});
