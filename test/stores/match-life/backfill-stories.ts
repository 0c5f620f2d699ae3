import { MatchUpdate } from '@muster/contracts';
import { message, type BackfillRequest, type SeatFill } from '@muster/domain';
import { expect } from 'vitest';
import { testTime } from '@muster/testing';
import { aResult, ticketOf } from './fixtures.js';
import { checkLife } from './invariants.js';
import { placementTimeouts } from './view.js';
import type { Kept, LifeStory, TellStory } from './story.js';

const later = testTime + 60_000;
const openMs = 30_000;
const { answerMs } = placementTimeouts;

const wanted = (over: Partial<BackfillRequest> = {}): BackfillRequest => ({
  backfillId: 'b1',
  fingerprint: 'f',
  team: 0,
  seats: 1,
  leavers: [],
  ...over,
});

const ask = (
  { stores }: LifeStory,
  { sessionId, server }: Kept,
  over: Partial<BackfillRequest> = {},
  now = later,
) => stores.allocator.backfills.request(sessionId, server, wanted(over), now);

const claim = (playerId: string, over: Partial<SeatFill> = {}): SeatFill => ({
  proposalId: `claim of ${playerId}`,
  backfillId: 'b1',
  matchId: 'm1',
  ticketId: ticketOf(playerId),
  team: 0,
  players: [{ playerId, mu: 26, sigma: 3 }],
  waitedMs: 1_234,
  ...over,
});

/** A played match with an open backfill, and a ticket in its seat whose server is told. */
async function ordered(story: LifeStory): Promise<Kept & { readonly letIn: number }> {
  await story.server('s');
  const kept = await story.live('m1');
  await ask(story, kept);
  await story.stores.seat(claim('eve'), later);
  await story.stores.allocator.backfills.seatFilled(claim('eve'), later);
  const { seq = 0 } = (await story.view()).commands.find(({ kind }) => kind === 'add-players') ?? {};
  return { ...kept, letIn: seq };
}

/** What a server that asks for players, the tickets that take the seats, and the answers come to. */
export function describeBackfills(tell: TellStory): void {
  describeAsking(tell);
  describeSeats(tell);
  describeOrders(tell);
  describeCloses(tell);
  describeSeatRaces(tell);
}

function describeAsking(tell: TellStory): void {
  tell('opens a backfill once, frees the leaver, and has the matcher look for players', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    const request = { seats: 2, leavers: ['m1-a'] };
    const backfill = {
      backfillId: 'b1',
      sessionId: kept.sessionId,
      matchId: 'm1',
      team: 0,
      seats: 2,
      seatsLeft: 2,
      state: 'open',
      playerIds: [],
      requestedAt: later,
      expiresAt: later + openMs,
    };
    expect(await ask(story, kept, request)).toEqual({ outcome: 'open', backfill });
    expect(await ask(story, kept, request, later + 1)).toEqual({ outcome: 'again', backfill });
    expect(await ask(story, kept, { ...request, fingerprint: 'g' })).toEqual({ outcome: 'reused' });
    expect(await story.held()).toEqual(['m1-b']);
    expect(await story.lastJob('conduct')).toMatchObject({ queue: 'duel', leavers: ['m1-a'], at: later });
    expect(await story.lastJob('ticket-news')).toMatchObject({
      kind: 'abandoned',
      reason: 'You left the match for good, as its server said; somebody else is looked for.',
      ticketIds: [ticketOf('m1-a')],
      blame: { queue: 'duel', offences: [{ playerId: 'm1-a', kind: 'left', at: later }] },
    });
    expect(await story.lastJob('backfills')).toEqual({
      kind: 'wanted',
      backfillId: 'b1',
      matchId: 'm1',
      queue: 'duel',
      build: 'b1',
      region: 'eu',
      map: null,
      team: 0,
      seats: 2,
      teams: [[], [{ playerId: 'm1-b', mu: 25 }]],
      everybody: ['m1-a', 'm1-b'],
      rules: { mode: 'duel', pool: 'ladder', teams: 2, teamGap: [] },
      requestedAt: later,
      expiresAt: later + openMs,
    });
  });

  tell('refuses a backfill that cannot be', async (story) => {
    await story.server('s', 3);
    const other = await story.server('z');
    const kept = await story.live('m1');
    const rules = { mode: 'duel', pool: 'ladder', teams: 2, teamSize: 2 };
    const closed = await story.live('m2', { rules });
    const refused = (...reason: unknown[]) => ({ outcome: 'refused', reason });
    expect(await ask(story, { ...kept, sessionId: 'none' })).toEqual({ outcome: 'unknown' });
    expect(await ask(story, { ...kept, server: other })).toEqual({ outcome: 'not-yours' });
    expect(await ask(story, { ...kept, server: { ...kept.server, incarnation: 9 } })).toEqual({
      outcome: 'superseded',
    });
    expect(await ask(story, closed)).toEqual(refused(message('backfill.not-allowed', { queue: 'duel' })));
    expect(await ask(story, kept, { team: 2 })).toEqual(
      refused(message('backfill.no-such-team', { teams: 2, team: 2 })),
    );
    expect(await ask(story, kept, { leavers: ['zoe'] })).toEqual(
      refused(message('backfill.not-in-match', { players: ['zoe'] })),
    );
    const tooFew = (seats: number, free: number) =>
      refused(message('backfill.too-few-seats', { team: 0, free, seats }));
    expect(await ask(story, kept, { seats: 2 })).toEqual(tooFew(2, 1));
    expect(await ask(story, kept)).toMatchObject({ outcome: 'open' });
    expect(await ask(story, kept, { backfillId: 'b2' })).toEqual(tooFew(1, 0));
    expect(await ask(story, kept, { backfillId: 'b4', team: 1 })).toMatchObject({ outcome: 'open' });
    await story.report(kept);
    expect(await ask(story, kept, { backfillId: 'b3' })).toEqual({ outcome: 'withdrawn', state: 'ended' });
    expect((await story.view()).backfills.map(({ backfillId }) => backfillId)).toEqual(['b1', 'b4']);
  });
}

function describeSeats(tell: TellStory): void {
  tell('gives a seat to one ticket, once', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    await ask(story, kept);
    const outcomes = await Promise.all(['eve', 'fay'].map((each) => story.stores.seat(claim(each), later)));
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['filled', 'gone']);
    const [taker = ''] = (await story.held()).filter((playerId) => !playerId.startsWith('m1'));
    expect(await story.stores.seat(claim(taker), later)).toEqual({ outcome: 'decided', verdict: 'formed' });
    expect(await story.stores.allocator.backfills.find(kept.sessionId, 'b1', 's')).toMatchObject({
      backfill: { state: 'filled', seatsLeft: 0, playerIds: [taker] },
    });
    expect(await story.lastJob('seat-filled')).toEqual({
      proposalId: `claim of ${taker}`,
      backfillId: 'b1',
      ticketId: ticketOf(taker),
    });
  });

  tell('seats nobody who plays elsewhere or was in the match, and nobody after its time', async (story) => {
    await story.server('s', 2);
    const kept = await story.live('m1');
    await story.live('m2');
    await ask(story, kept, { seats: 2, leavers: ['m1-a'] });
    const seat = (playerId: string, over: Partial<SeatFill> = {}, now = later) =>
      story.stores.seat(claim(playerId, over), now);
    expect(await seat('m2-a')).toEqual({ outcome: 'busy', playerIds: ['m2-a'] });
    expect(await seat('m1-a')).toEqual({ outcome: 'busy', playerIds: ['m1-a'] });
    const backfillId = 'none';
    expect(await seat('eve', { backfillId })).toEqual({ outcome: 'gone' });
    expect(await seat('eve', { matchId: 'm2' })).toEqual({ outcome: 'gone' });
    expect(await seat('eve', {}, later + openMs)).toEqual({ outcome: 'gone' });
    const three = ['eve', 'fay', 'gus'].map((playerId) => ({ playerId, mu: 25, sigma: 3 }));
    expect(await seat('eve', { players: three })).toEqual({ outcome: 'gone' });
    expect(await seat('eve', {}, later + openMs - 1)).toEqual({ outcome: 'filled' });
    // The same ticket under another claim: its player is in the match.
    expect(await seat('eve', { proposalId: 'another' })).toEqual({ outcome: 'busy', playerIds: ['eve'] });
    expect((await story.view()).backfills).toMatchObject([{ state: 'open', seatsLeft: 1 }]);
    await story.callOff(kept);
    expect(await seat('fay')).toEqual({ outcome: 'gone' });
  });
}

function describeOrders(tell: TellStory): void {
  tell(
    'commands the server once to let a ticket in, and its answer brings the ticket there',
    async (story) => {
      const { letIn, server, sessionId } = await ordered(story);
      expect(await story.stores.allocator.backfills.seatFilled(claim('eve'), later)).toBeNull();
      const done = { status: 'done' } as const;
      expect(await story.allocator.commands.answer(server, letIn, done, later)).toEqual({
        outcome: 'accepted',
        matchId: null,
      });
      expect(await story.lastJob('ticket-news')).toMatchObject({
        kind: 'joined',
        matchId: 'm1',
        proposalId: 'claim of eve',
        ticketId: ticketOf('eve'),
        ticketIds: [ticketOf('eve')],
        team: 0,
        sessionId,
        serverId: 's',
        region: 'eu',
        host: 's.example',
        port: 7_777,
      });
      const told = (await story.view()).jobs.length;
      expect(await story.allocator.commands.answer(server, letIn, done, later)).toMatchObject({
        outcome: 'again',
      });
      expect((await story.view()).jobs.length).toBe(told);
      // Unlike the session's own command, it withdraws nothing.
      expect(await story.matchState('m1')).toBe('placed');
    },
  );

  tell('looks for more players while seats are left, among those who are there now', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    await ask(story, kept, { seats: 2, leavers: ['m1-a'] });
    await story.stores.seat(claim('eve'), later);
    expect(await story.stores.allocator.backfills.seatFilled(claim('eve'), later)).toBe('s');
    expect(await story.lastJob('backfills')).toMatchObject({
      seats: 1,
      teams: [[{ playerId: 'eve', mu: 26 }], [{ playerId: 'm1-b', mu: 25 }]],
      everybody: ['eve', 'm1-a', 'm1-b'],
    });
    await story.stores.seat(claim('fay'), later);
    const told = (await story.view()).jobs.length;
    await story.stores.allocator.backfills.seatFilled(claim('fay'), later);
    expect((await story.view()).jobs.length).toBe(told);
  });

  tell('takes a ticket back that its server turns away; the seat is not offered anew', async (story) => {
    const { letIn, server } = await ordered(story);
    const refused = { status: 'refused', reason: 'full' } as const;
    expect(await story.allocator.commands.answer(server, letIn, refused, later)).toMatchObject({
      outcome: 'accepted',
    });
    expect(await story.held()).toEqual(['m1-a', 'm1-b']);
    expect(await story.lastJob('ticket-news')).toMatchObject({
      kind: 'remade',
      ticketIds: [ticketOf('eve')],
      failedTicketIds: [],
      messages: [message('seat.refused', { detail: 'full' })],
    });
    const { players, backfills } = await story.view();
    expect(players.map(({ playerId }) => playerId).toSorted()).toEqual(['m1-a', 'm1-b']);
    expect(backfills).toMatchObject([{ state: 'filled', seatsLeft: 0 }]);
    const done = { status: 'done' } as const;
    expect(await story.allocator.commands.answer(server, letIn, done, later)).toEqual({
      outcome: 'withdrawn',
    });
  });

  tell(
    'takes a ticket back that its server does not answer for; a late answer changes nothing',
    async (story) => {
      const { letIn, server } = await ordered(story);
      const sweep = (now: number) => story.stores.allocator.backfills.withdrawSeats(now - answerMs, 10);
      expect(await sweep(later + answerMs - 1)).toEqual([]);
      expect(await sweep(later + answerMs)).toEqual(['claim of eve']);
      expect(await sweep(later + answerMs)).toEqual([]);
      expect(await story.held()).toEqual(['m1-a', 'm1-b']);
      expect(await story.lastJob('ticket-news')).toMatchObject({
        kind: 'remade',
        messages: [message('seat.not-answered')],
      });
      const done = { status: 'done' } as const;
      expect(await story.allocator.commands.answer(server, letIn, done, later)).toEqual({
        outcome: 'withdrawn',
      });
    },
  );

  tell('does not rate who was not let in when the result comes before the answer', async (story) => {
    const { letIn, ...kept } = await ordered(story);
    await story.report(kept, { ...aResult(), players: ['m1-a', 'm1-b'] });
    await isBackInQueue(story);
    const told = (await story.view()).jobs.length;
    const refused = { status: 'refused', reason: 'full' } as const;
    expect(await story.allocator.commands.answer(kept.server, letIn, refused, later)).toMatchObject({
      outcome: 'accepted',
    });
    expect(await story.stores.allocator.backfills.withdrawSeats(later, 10)).toEqual([]);
    expect(await story.stores.allocator.backfills.seatFilled(claim('fay'), later)).toBeNull();
    expect((await story.view()).jobs.length).toBe(told);
    await story.stores.rateMatch('m1', later);
    expect(await story.lastJob('ticket-news')).toMatchObject({
      kind: 'rated',
      ticketIds: [ticketOf('m1-a'), ticketOf('m1-b')],
    });
  });

  tell('rates whom the result names, though the answer comes after it', async (story) => {
    const { letIn, ...kept } = await ordered(story);
    await story.report(kept, { ...aResult(), players: ['m1-a', 'm1-b', 'eve'] });
    await story.allocator.commands.answer(kept.server, letIn, { status: 'done' }, later);
    await story.stores.rateMatch('m1', later);
    const { kind, ticketIds } = MatchUpdate.parse(await story.lastJob('ticket-news'));
    expect({ kind, ticketIds: ticketIds.toSorted() }).toEqual({
      kind: 'rated',
      ticketIds: ['eve', 'm1-a', 'm1-b'].map(ticketOf),
    });
  });

  tell('takes a ticket back of which its server has not heard yet', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    await ask(story, kept);
    await story.stores.seat(claim('eve'), later);
    await story.report(kept);
    await isBackInQueue(story);
    expect(await story.stores.allocator.backfills.seatFilled(claim('eve'), later)).toBeNull();
  });

  tell('takes a ticket back that was not let in when its server leaves', async (story) => {
    await ordered(story);
    await story.allocator.fleet.leave('s', later);
    await isBackInQueue(story);
    const others = [ticketOf('m1-a'), ticketOf('m1-b')];
    const { jobs } = await story.view();
    const remade = jobs.find(({ jobId }) => jobId === 'remade-m1');
    expect(remade?.payload).toMatchObject({ ticketIds: others });
  });

  tell('takes a ticket back that was not let in when its server calls the match off', async (story) => {
    const kept = await ordered(story);
    await story.callOff(kept, ['m1-a']);
    await isBackInQueue(story);
  });
}

/** Eve's ticket waits again, and she is in no match. */
async function isBackInQueue(story: LifeStory): Promise<void> {
  const { jobs, players } = await story.view();
  const back = jobs
    .map(({ payload }) => payload)
    .filter((each) => JSON.stringify(each).includes('not-let-in'));
  expect(back).toEqual([
    expect.objectContaining({
      ticketIds: [ticketOf('eve')],
      failedTicketIds: [],
      messages: [message('seat.not-let-in')],
    }),
  ]);
  expect(players.map(({ playerId }) => playerId)).not.toContain('eve');
  expect(await story.held()).not.toContain('eve');
}

function describeCloses(tell: TellStory): void {
  tell('closes a backfill that its server withdraws, once, and leaves one that is filled', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    await ask(story, kept);
    const { backfills } = story.stores.allocator;
    const withdraw = (serverId = 's', sessionId = kept.sessionId) =>
      backfills.withdraw(sessionId, 'b1', serverId, later);
    expect(await withdraw('s', 'none')).toEqual({ outcome: 'unknown' });
    expect(await withdraw('z')).toEqual({ outcome: 'not-yours' });
    for (let i = 0; i < 2; i++)
      expect(await withdraw()).toMatchObject({ outcome: 'found', backfill: { state: 'withdrawn' } });
    expect(await story.stores.seat(claim('eve'), later)).toEqual({ outcome: 'gone' });
    const closed = (await story.view()).jobs.filter(({ jobId }) => jobId === 'closed-b1');
    expect(closed.map(({ payload }) => payload)).toEqual([
      { kind: 'closed', backfillId: 'b1', queue: 'duel' },
    ]);
    await ask(story, kept, { backfillId: 'b2' });
    await story.stores.seat(claim('eve', { backfillId: 'b2' }), later);
    expect(await backfills.withdraw(kept.sessionId, 'b2', 's', later)).toMatchObject({
      backfill: { state: 'filled', playerIds: ['eve'] },
    });
  });

  tell('ends a backfill with its time, or with its session', async (story) => {
    await story.server('s', 2);
    const [one, two] = [await story.live('m1'), await story.live('m2')];
    await ask(story, one);
    await ask(story, two, { backfillId: 'b2' });
    const sweep = (now: number) => story.stores.allocator.backfills.endOverdue(now, 10);
    expect(await sweep(later + openMs - 1)).toEqual([]);
    await story.callOff(two);
    expect(await sweep(later)).toEqual(['b2']);
    expect(await sweep(later + openMs)).toEqual(['b1']);
    expect(await sweep(later + openMs)).toEqual([]);
    const { backfills, jobs } = await story.view();
    expect(Object.fromEntries(backfills.map(({ backfillId, state }) => [backfillId, state]))).toEqual({
      b1: 'expired',
      b2: 'withdrawn',
    });
    const closed = jobs.filter(({ jobId }) => jobId.startsWith('closed-')).map(({ jobId }) => jobId);
    expect(closed).toEqual(['closed-b2', 'closed-b1']);
  });
}

/** Two requests at once, each of them first as often as the other. */
async function atOnce(i: number, one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<void> {
  await Promise.all(i % 2 === 0 ? [one(), other()] : [other(), one()]);
}

const rounds = Array.from({ length: 12 }, (_, i) => i);

function describeSeatRaces(tell: TellStory): void {
  tell('gives a seat before the match is over, or not at all', async (story) => {
    await story.server('s', rounds.length);
    for (const i of rounds) {
      const [matchId, backfillId, player] = [`m${i}`, `b${i}`, `eve ${i}`];
      const kept = await story.live(matchId);
      await ask(story, kept, { backfillId });
      const seat = () => story.stores.seat(claim(player, { matchId, backfillId }), later);
      await atOnce(i, seat, () => story.callOff(kept));
      const { players } = await story.view();
      const isIn = players.some(({ playerId }) => playerId === player);
      // A ticket that came in before the end hears of the end.
      const told = JSON.stringify(await story.lastJob('ticket-news'));
      if (isIn) expect(told).toContain(ticketOf(player));
      expect(await story.held()).toEqual([]);
    }
    checkLife(await story.view());
  });

  tell('lets a ticket in before the result, or takes it back, never both', async (story) => {
    await story.server('s', rounds.length);
    for (const i of rounds) {
      const [matchId, backfillId, player] = [`m${i}`, `b${i}`, `eve ${i}`];
      const kept = await story.live(matchId);
      await ask(story, kept, { backfillId });
      const taken = claim(player, { matchId, backfillId });
      await story.stores.seat(taken, later);
      await story.stores.allocator.backfills.seatFilled(taken, later);
      const { seq = 0 } = (await story.view()).commands.findLast(({ kind }) => kind === 'add-players') ?? {};
      await atOnce(
        i,
        () => story.allocator.commands.answer(kept.server, seq, { status: 'done' }, later),
        () => story.report(kept),
      );
      const { jobs, players } = await story.view();
      const isIn = players.some(({ playerId }) => playerId === player);
      const told = jobs.flatMap(({ jobId }) =>
        jobId === `joined-${matchId}` || jobId === `remade-${matchId}` ? [jobId.split('-')[0]] : [],
      );
      expect(told).toEqual([isIn ? 'joined' : 'remade']);
      expect((await story.held()).includes(player)).toBe(isIn);
    }
    checkLife(await story.view());
  });

  tell('gives the last seat, or withdraws it, never both', async (story) => {
    await story.server('s', rounds.length);
    for (const i of rounds) {
      const [matchId, backfillId, player] = [`m${i}`, `b${i}`, `eve ${i}`];
      const kept = await story.live(matchId);
      await ask(story, kept, { backfillId });
      const { backfills } = story.stores.allocator;
      await atOnce(
        i,
        () => story.stores.seat(claim(player, { matchId, backfillId }), later),
        () => backfills.withdraw(kept.sessionId, backfillId, 's', later),
      );
      const isIn = (await story.held()).includes(player);
      expect(await backfills.find(kept.sessionId, backfillId, 's')).toMatchObject({
        backfill: { state: isIn ? 'filled' : 'withdrawn', playerIds: isIn ? [player] : [] },
      });
    }
    checkLife(await story.view());
  });

  tell('offers a seat in one backfill, however many are asked for at once', async (story) => {
    await story.server('s', rounds.length);
    for (const i of rounds) {
      const kept = await story.live(`m${i}`);
      const asked = [0, 1, 2].map((nth) => ask(story, kept, { backfillId: `b${i} ${nth}` }));
      const outcomes = (await Promise.all(asked)).map(({ outcome }) => outcome);
      expect(outcomes.toSorted()).toEqual(['open', 'refused', 'refused']);
    }
    checkLife(await story.view());
  });

  tell('has the matcher look for no players after a backfill is closed', async (story) => {
    await story.server('s', rounds.length);
    for (const i of rounds) {
      const [matchId, backfillId, player] = [`m${i}`, `b${i}`, `eve ${i}`];
      const kept = await story.live(matchId);
      await ask(story, kept, { backfillId, seats: 2, leavers: [`${matchId}-a`] });
      const taken = claim(player, { matchId, backfillId });
      await story.stores.seat(taken, later);
      const { backfills } = story.stores.allocator;
      await atOnce(
        i,
        () => backfills.seatFilled(taken, later),
        () => backfills.withdraw(kept.sessionId, backfillId, 's', later),
      );
    }
    checkLife(await story.view());
  });
}
