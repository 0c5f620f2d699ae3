import { message } from '@muster/domain';
import { expect } from 'vitest';
import { testTime } from '@muster/testing';
import { aFormedMatch, aResult, ticketOf } from './fixtures.js';
import type { Kept, LifeStory, TellStory } from './story.js';

const later = testTime + 60_000;

export function describeResults(tell: TellStory): void {
  tell('counts one result, recognises its repeat, and stores another for operators', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    expect(await story.report(kept)).toEqual({ outcome: 'counted', matchId: 'm1' });
    expect(await story.report(kept)).toEqual({ outcome: 'again', matchId: 'm1' });
    for (let i = 0; i < 2; i++)
      expect(await story.report(kept, aResult([2, 1]))).toEqual({ outcome: 'contradicts', matchId: 'm1' });
    expect(await story.matchState('m1')).toBe('ended');
    expect(await story.sessionOf(kept)).toMatchObject({ state: 'ended' });
    const { results, conflicts, jobs } = await story.view();
    expect({ results, conflicts }).toEqual({ results: ['m1'], conflicts: ['m1'] });
    expect(jobs.filter(({ queue }) => queue === 'rate-match').length).toBe(1);
    // They stay in the match until it is rated.
    expect(await story.held()).toEqual(['m1-a', 'm1-b']);
  });

  tell('counts a result that arrives before the answer, which is a repeat then', async (story) => {
    await story.server('s');
    const kept = await story.reserved('m1');
    expect(await story.report(kept)).toEqual({ outcome: 'counted', matchId: 'm1' });
    expect(await story.create(kept)).toEqual({ outcome: 'again', matchId: null });
    expect(await story.jobs('m1')).toEqual(['place', 'formed', 'placed', 'rate']);
  });

  tell('refuses an invalid result', async (story) => {
    await story.server('s', 2);
    const other = await story.server('z');
    const kept = await story.live('m1');
    expect(await story.report({ ...kept, sessionId: 'none' })).toEqual({ outcome: 'unknown' });
    expect(await story.report({ ...kept, server: other })).toEqual({ outcome: 'not-yours' });
    expect(await story.report(kept, aResult([1, 2, 3]))).toEqual({ outcome: 'wrong-teams', teams: 2 });
    expect(await story.report(kept, aResult([1, 2], ['zoe']))).toEqual({
      outcome: 'not-in-match',
      playerIds: ['zoe'],
    });
    const played = { times: { lengthMs: 660_001, stretches: {} } };
    expect(await story.report(kept, { ...aResult(), played })).toEqual({
      outcome: 'wrong-times',
      lengthMs: 660_001,
      mostMs: 660_000,
    });
    const bots = { ...aResult(), players: ['m1-a', 'bot:tiny'] };
    expect(await story.report(kept, bots)).toMatchObject({ outcome: 'counted' });
    expect((await story.view()).conflicts).toEqual([]);
  });

  tell('refuses a result that contradicts itself, and counts the right one after it', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    const wrong = { ...aResult(), digest: 'wrong', claims: { scores: [3, 16] } };
    expect(await story.report(kept, wrong)).toMatchObject({
      outcome: 'senseless',
      faults: [{ path: 'scores' }],
    });
    const right = { ...aResult(), claims: { scores: [16, 3] } };
    expect(await story.report(kept, right)).toEqual({ outcome: 'counted', matchId: 'm1' });
    // A release before may have counted what is refused now: its repeat is one.
    expect(await story.report(kept, { ...wrong, digest: right.digest })).toMatchObject({ outcome: 'again' });
    expect((await story.view()).conflicts).toEqual([]);
  });

  tell('counts a late result of a session that was lost while it was played', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    await story.allocator.fleet.leave('s', later);
    expect(await story.report(kept, aResult(), later + 3_600_000)).toMatchObject({ outcome: 'counted' });
    expect(await story.matchState('m1')).toBe('ended');
    expect(await story.stores.rateMatch('m1', later)).toBe('rated');
    expect(await story.jobs('m1')).toEqual(['place', 'formed', 'placed', 'remade', 'rate', 'rated']);
  });

  tell(
    'stores a late result for operators when it is too late, or players were rated since',
    async (story) => {
      await story.server('s', 3);
      const late = await story.live('m1');
      const strict = { mode: 'duel', placementTimeoutSeconds: 60, lateResultSeconds: 0 };
      const never = await story.live('m2', { rules: strict });
      const reserved = await story.reserved('m3');
      await story.allocator.fleet.leave('s', later);
      const withdrawn = { outcome: 'withdrawn', state: 'lost' };
      const tooLate = { ...withdrawn, why: [message('result.too-late')] };
      expect(await story.report(late, aResult(), later + 3_600_001)).toEqual(tooLate);
      expect(await story.report(never, aResult(), later + 1)).toEqual(tooLate);
      expect(await story.report(reserved, aResult(), later)).toEqual(withdrawn);
      const host = await story.server('s', 3, later);
      await story.stores.form(aFormedMatch('m4', ['m1-a', 'zoe']));
      await story.allocator.placement.begin('m4', later);
      const next = { ...(await story.keep('m4', later)), server: host };
      await story.report(next, aResult(), later + 2_000);
      await story.stores.rateMatch('m4', later + 3_000);
      expect(await story.report(late, aResult([2, 1]), later + 4_000)).toEqual({
        ...withdrawn,
        why: [message('result.players-rated-since')],
      });
      expect((await story.view()).conflicts.toSorted()).toEqual(['m1', 'm1', 'm2', 'm3']);
      expect(await story.matchState('m1')).toBe('abandoned');
    },
  );
}

export function describeEnds(tell: TellStory): void {
  tell('a cancelled match releases its players; a repeat changes nothing', async (story) => {
    await story.server('s');
    const other = await story.server('z');
    const kept = await story.live('m1');
    expect(await story.callOff({ ...kept, sessionId: 'none' })).toEqual({ outcome: 'unknown' });
    expect(await story.callOff({ ...kept, server: other })).toEqual({ outcome: 'not-yours' });
    expect(await story.callOff(kept, ['zoe'])).toEqual({ outcome: 'not-in-match', playerIds: ['zoe'] });
    expect(await story.callOff(kept)).toEqual({ outcome: 'abandoned', matchId: 'm1' });
    expect(await story.callOff(kept)).toEqual({ outcome: 'again', matchId: 'm1' });
    expect(await story.report(kept)).toEqual({ outcome: 'withdrawn', state: 'abandoned' });
    expect(await story.matchState('m1')).toBe('abandoned');
    expect(await story.held()).toEqual([]);
    expect(await story.jobs('m1')).toEqual(['place', 'formed', 'placed', 'abandoned']);
  });

  tell('a remade match names the failed tickets, and the players whom its server blames', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    await story.callOff(kept, ['m1-b'], true);
    const offence = { playerId: 'm1-b', kind: 'no-show', at: later };
    expect(await story.lastJob('ticket-news')).toMatchObject({
      kind: 'remade',
      reason: 'The server called the match off (no map).',
      failedTicketIds: [ticketOf('m1-b')],
      blame: { queue: 'duel', offences: [offence] },
    });
    expect(await story.lastJob('conduct')).toEqual({
      matchId: 'm1',
      queue: 'duel',
      at: later,
      noShows: ['m1-b'],
      leavers: [],
    });
  });

  tell('players blamed in a result are reported when the match is rated', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    await story.report(kept, aResult([1, 2], ['m1-b']));
    expect(await story.lastJob('conduct')).toMatchObject({ leavers: ['m1-b'] });
    await story.stores.rateMatch('m1', later);
    expect(await story.lastJob('ticket-news')).toMatchObject({
      kind: 'rated',
      blame: { offences: [{ playerId: 'm1-b', kind: 'left', at: later }] },
    });
  });
}

export function describeGrounds(tell: TellStory): void {
  tell('a server that is lost takes along what it said of its players', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    await leaves(story, kept);
    await story.allocator.fleet.leave('s', later + 1);
    expect(await story.lastJob('lifted-penalties')).toMatchObject({
      matchId: 'm1',
      offences: [{ playerId: 'm1-a', kind: 'left', at: later }],
      messages: [message('penalty.server-lost')],
    });
    expect(await story.lastJob('ticket-news')).not.toHaveProperty('blame');
  });

  tell(
    'a request for players that is withdrawn takes its leavers along, unless a seat was taken',
    async (story) => {
      await story.server('s', 2);
      for (const [matchId, taken] of [
        ['m1', false],
        ['m2', true],
      ] as const) {
        const kept = await story.live(matchId);
        await leaves(story, kept, `b ${matchId}`);
        const players = [{ playerId: 'eve', mu: 25, sigma: 3 }];
        const claim = {
          proposalId: 'c',
          backfillId: `b ${matchId}`,
          matchId,
          ticketId: 't',
          team: 0,
          players,
          waitedMs: 1,
        };
        if (taken) await story.stores.seat(claim, later);
        await story.stores.allocator.backfills.withdraw(kept.sessionId, `b ${matchId}`, 's', later + 1);
        expect(await story.lastJob('lifted-penalties')).toMatchObject({
          matchId: 'm1',
          offences: [{ playerId: 'm1-a' }],
          messages: [message('penalty.request-withdrawn')],
        });
        await story.report(kept);
        await story.stores.rateMatch(matchId, later);
        const blame = { offences: [{ playerId: `${matchId}-a`, kind: 'left', at: later }] };
        expect(await story.lastJob('ticket-news')).toEqual(
          taken
            ? expect.objectContaining({ blame: expect.objectContaining(blame) })
            : expect.not.objectContaining({ blame: expect.anything() }),
        );
      }
    },
  );

  tell('a match that is declared void takes its penalties along', async (story) => {
    await story.server('s', 2);
    for (const matchId of ['m1', 'm2']) {
      const kept = await story.live(matchId);
      await story.report(kept, aResult([1, 2], [`${matchId}-b`]));
      if (matchId === 'm2') await story.stores.rateMatch(matchId, later);
      await story.stores.voidMatch(matchId, later + 5);
      expect(await story.lastJob('lifted-penalties')).toMatchObject({
        matchId,
        at: later + 5,
        offences: [{ playerId: `${matchId}-b`, kind: 'left' }],
        messages: [message('penalty.match-void')],
      });
    }
  });

  tell('when most of a match are blamed, nobody is penalised', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    await story.callOff(kept, ['m1-a', 'm1-b']);
    expect(await story.lastJob('conduct')).toBeUndefined();
    expect(await story.lastJob('lifted-penalties')).toMatchObject({
      offences: [{ playerId: 'm1-a', kind: 'no-show' }, { playerId: 'm1-b' }],
      messages: [message('penalty.mass', { blamed: 2, players: 2 })],
    });
    expect(await story.lastJob('ticket-news')).not.toHaveProperty('blame');
  });

  tell('a no-show of a match that was played is penalised as one, or left it', async (story) => {
    await story.server('s', 2);
    const absent = await story.live('m1');
    await story.report(absent, { ...aResult(), claims: { noShows: ['m1-a'] } });
    expect(await story.lastJob('conduct')).toMatchObject({ noShows: ['m1-a'], leavers: [] });
    const played = await story.live('m2');
    const times = [
      { playerId: 'm2-a', joinedAt: 0, leftAt: 5 },
      { playerId: 'm2-b', joinedAt: 0, leftAt: 9 },
    ];
    await story.report(played, { ...aResult(), claims: { noShows: ['m2-a'], players: times } });
    expect(await story.lastJob('conduct')).toMatchObject({ noShows: [], leavers: ['m2-a'] });
  });
}

/** The first player leaves for good: the server asks for another one. */
async function leaves(
  story: LifeStory,
  { sessionId, server, matchId }: Kept,
  backfillId = 'b',
): Promise<void> {
  const request = { backfillId, fingerprint: 'f', team: 0, seats: 1, leavers: [`${matchId}-a`] };
  await story.stores.allocator.backfills.request(sessionId, server, request, later);
}

const byOperator = { by: 'operator', reason: 'it hangs', as: 'abandoned', penalties: 'drop' } as const;

export function describeOperators(tell: TellStory): void {
  tell('an operator ends a match that hangs: its players are free and its server is told', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    await leaves(story, kept);
    expect(await story.allocator.sessions.endMatch('none', byOperator, later)).toEqual({
      outcome: 'unknown',
    });
    expect(await story.allocator.sessions.endMatch('m1', byOperator, later)).toEqual({
      outcome: 'ended',
      serverId: 's',
    });
    expect(await story.allocator.sessions.endMatch('m1', byOperator, later)).toEqual({ outcome: 'again' });
    expect(await story.held()).toEqual([]);
    expect(await story.sessionOf(kept)).toMatchObject({ state: 'abandoned' });
    expect((await story.view()).commands.at(-1)).toMatchObject({
      kind: 'end-session',
      sessionId: kept.sessionId,
    });
    expect(await story.lastJob('lifted-penalties')).toMatchObject({ offences: [{ playerId: 'm1-a' }] });
    expect(await story.report(kept)).toEqual({ outcome: 'withdrawn', state: 'abandoned' });
    await story.live('m2');
  });

  tell('an operator settles an abandoned match as void: a late result does not count', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    await story.server('other');
    await story.allocator.sessions.endMatch('m1', { ...byOperator, penalties: 'keep' }, later);
    const settle = () => story.allocator.sessions.endMatch('m1', { ...byOperator, as: 'void' }, later);
    const outcomes = await Promise.all([settle(), settle(), settle()]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['again', 'again', 'ended']);
    expect(await story.matchState('m1')).toBe('void');
    expect(await story.report(kept)).toMatchObject({ outcome: 'withdrawn' });
    expect(await story.allocator.sessions.endMatch('m1', byOperator, later)).toEqual({
      outcome: 'over',
      state: 'void',
    });
  });

  tell('an operator ends a match before it is played, and keeps penalties', async (story) => {
    await story.server('s', 3);
    await story.wants('m1');
    const asked = await story.reserved('m2');
    const kept = await story.live('m3');
    await leaves(story, kept);
    for (const matchId of ['m1', 'm2', 'm3'])
      expect(
        await story.allocator.sessions.endMatch(
          matchId,
          { ...byOperator, as: 'void', penalties: 'keep' },
          later,
        ),
      ).toMatchObject({ outcome: 'ended' });
    for (const matchId of ['m1', 'm2', 'm3']) expect(await story.matchState(matchId)).toBe('void');
    expect(await story.create(asked)).toEqual({ outcome: 'withdrawn' });
    expect(await story.lastJob('lifted-penalties')).toBeUndefined();
    expect(await story.lastJob('ticket-news')).toMatchObject({ blame: { offences: [{ playerId: 'm3-a' }] } });
    expect(await story.place('m1')).toEqual({ outcome: 'settled' });
    expect(await story.held()).toEqual([]);
  });

  tell('players leave a match that hangs after a time, without a penalty', async (story) => {
    await story.server('s');
    const kept = await story.live('m1');
    const { server, sessionId } = kept;
    const heartbeat = { cpuLoad: 0, sessions: [sessionId] };
    const leave = (at: number) =>
      story.allocator.placement.leaveUnplaced('m1', ticketOf('m1-a'), { silenceMs: 10_000 }, at);
    const long = testTime + 7_200_000;
    await story.allocator.fleet.heartbeat(server, heartbeat, 0, long);
    expect(await leave(long - 1)).toEqual({ outcome: 'has-server' });
    expect(await leave(long)).toMatchObject({ outcome: 'left', ticketIds: [ticketOf('m1-a')] });
    expect(await story.held()).toEqual(['m1-b']);
    expect(await story.matchState('m1')).toBe('placed');
    expect(await story.lastJob('conduct')).toBeUndefined();
  });

  tell('a player who is finished may join another match, and is no leaver', async (story) => {
    await story.server('s', 2);
    const other = await story.server('z');
    const kept = await story.live('m1');
    const { sessionId, server } = kept;
    const finish = (...ids: string[]) => story.allocator.sessions.finish(sessionId, server, ids, later);
    expect(await story.allocator.sessions.finish(sessionId, other, ['m1-a'], later)).toEqual({
      outcome: 'not-yours',
    });
    expect(await finish('zoe')).toEqual({ outcome: 'not-in-match', playerIds: ['zoe'] });
    for (let i = 0; i < 2; i++) expect(await finish('m1-a')).toEqual({ outcome: 'finished', matchId: 'm1' });
    expect(await story.held()).toEqual(['m1-b']);
    const told = (await story.view()).jobs.filter(({ jobId }) => jobId.startsWith('abandoned-'));
    expect(told.map(({ payload }) => payload)).toMatchObject([
      { ticketIds: [ticketOf('m1-a')], matchState: 'placed', messages: [message('match.you-finished')] },
    ]);
    await story.stores.form(aFormedMatch('m2', ['m1-a', 'zoe']));
    expect(await story.held()).toEqual(['m1-a', 'm1-b', 'zoe']);
    await story.report(kept, aResult([1, 2], ['m1-a']));
    expect(await story.lastJob('conduct')).toBeUndefined();
    await story.stores.rateMatch('m1', later);
    expect(await story.lastJob('ticket-news')).toMatchObject({
      kind: 'rated',
      ticketIds: [ticketOf('m1-a'), ticketOf('m1-b')],
    });
    expect(await story.held()).toEqual(['m1-a', 'zoe']);
    expect(await finish('m1-b')).toEqual({ outcome: 'withdrawn', state: 'ended' });
  });

  tell('an operator and a result end a match once', async (story) => {
    await story.server('s', 8);
    for (let i = 0; i < 8; i++) {
      const kept = await story.live(`m${i}`);
      const end = () => story.allocator.sessions.endMatch(`m${i}`, byOperator, later);
      const [first, second] = i % 2 === 0 ? [end, () => story.report(kept)] : [() => story.report(kept), end];
      const outcomes = (await Promise.all([first(), second()])).map(({ outcome }) => outcome).toSorted();
      expect(['ended, withdrawn', 'counted, over']).toContain(outcomes.join(', '));
    }
  });
}

export function describeRating(tell: TellStory): void {
  tell('rates an ended match once and releases its players', async (story) => {
    await story.server('s');
    expect(await story.stores.rateMatch('m1', later)).toBe('not-ended');
    const kept = await story.live('m1');
    expect(await story.stores.rateMatch('m1', later)).toBe('not-ended');
    await story.report(kept);
    expect(await story.stores.rateMatch('m1', later)).toBe('rated');
    expect(await story.stores.rateMatch('m1', later)).toBe('closed');
    expect(await story.matchState('m1')).toBe('rated');
    expect(await story.held()).toEqual([]);
    expect((await story.view()).ratings).toEqual(['m1']);
    expect((await story.jobs('m1')).slice(-2)).toEqual(['rate', 'rated']);
  });

  tell('a match can be declared void before or after it is rated, not before it is over', async (story) => {
    await story.server('s', 3);
    expect(await story.stores.voidMatch('m1', later)).toBe('unknown');
    const rated = await story.live('m1');
    const ended = await story.live('m2');
    expect(await story.stores.voidMatch('m1', later)).toBe('not-over');
    for (const kept of [rated, ended]) await story.report(kept);
    await story.stores.rateMatch('m1', later);
    const told = (await story.jobs('m1')).length;
    expect(await story.stores.voidMatch('m1', later)).toBe('void');
    expect(await story.stores.voidMatch('m1', later)).toBe('again');
    // Its tickets were notified when it was rated.
    expect((await story.jobs('m1')).length).toBe(told);
    expect(await story.stores.voidMatch('m2', later)).toBe('dropped');
    expect(await story.stores.rateMatch('m2', later)).toBe('closed');
    expect((await story.jobs('m2')).at(-1)).toBe('abandoned');
    expect(await story.lastJob('ticket-news')).toMatchObject({ matchState: 'void' });
    expect(await story.held()).toEqual([]);
  });

  tell('a match that is rated and declared void concurrently ends in one order of the two', async (story) => {
    await story.server('s', 8);
    for (let i = 0; i < 8; i++) {
      const matchId = `m${i}`;
      await story.report(await story.live(matchId));
      const rate = () => story.stores.rateMatch(matchId, later);
      const declare = () => story.stores.voidMatch(matchId, later);
      const [rated, declared] = await (i % 2 === 0
        ? Promise.all([rate(), declare()])
        : Promise.all([declare(), rate()]).then(([second, first]) => [first, second] as const));
      expect(['rated, void', 'closed, dropped']).toContain(`${rated}, ${declared}`);
      expect(await story.matchState(matchId)).toBe('void');
      const endings = (await story.jobs(matchId)).filter((kind) => kind === 'rated' || kind === 'abandoned');
      expect(endings).toEqual([rated === 'rated' ? 'rated' : 'abandoned']);
    }
    expect(await story.held()).toEqual([]);
  });
}
