import { RatingStores } from '../support/rating-stores.js';
import { PostgresMatchStore } from '../../apps/assignment/src/forming/match.store.js';
import { message, seededRandom, type FormResult, type ProposalVerdict } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { blocked, Gate } from '../support/gate.js';
import { aMatch, databaseForEach, noon, promisesOf, range, ticketOf } from './fixtures.js';
import { aPool } from './ledger-fixtures.js';
import { as } from '../support/database.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();

/** Everything that forming may leave behind. */
async function traces(db: Db, matchId: string): Promise<Record<string, number> | undefined> {
  const [row] = await db.$queryRaw<Record<string, number>[]>`
    SELECT (SELECT count(*)::int FROM match WHERE id = ${matchId}) AS matches,
      (SELECT count(*)::int FROM match_player WHERE match_id = ${matchId}) AS players,
      (SELECT count(*)::int FROM live_player WHERE match_id = ${matchId}) AS live,
      (SELECT count(*)::int FROM proposal_verdict WHERE match_id = ${matchId}) AS verdicts,
      (SELECT count(*)::int FROM outbox WHERE right(job_id, -position('-' in job_id)) = ${matchId}) AS promises`;
  return row;
}
const proven = 'These teams are proven to be the most even.';
const nothing = { matches: 0, players: 0, live: 0, verdicts: 0, promises: 0 };

const outcomes = (results: readonly (FormResult | undefined)[]): string[] =>
  results.map((result) => result?.outcome ?? '').toSorted();

describe('forming a match', () => {
  it('stores the match, its players, the verdict and its promises', async () => {
    const { db } = data();
    const match = aMatch(
      'm1',
      [
        ['ann', 'bob'],
        ['cid', 'dee'],
      ],
      { regions: ['eu', 'us'], map: 'castle', bots: [0, 1] },
    );
    const players = match.players.map((player) =>
      player.playerId === 'ann' ? { ...player, role: 'healer' } : player,
    );

    expect(await new PostgresMatchStore(as('assignment', db)).form({ ...match, players })).toEqual({
      outcome: 'formed',
    });

    const stored = await db.match.findUniqueOrThrow({ where: { id: 'm1' } });
    expect(stored).toMatchObject({
      origin: 'queue',
      state: 'formed',
      pool: 'ladder',
      queue: 'ranked',
      build: 'b1',
      regions: ['eu', 'us'],
      rules: match.rules,
      map: 'castle',
      bots: [0, 1],
      split: match.split,
      why: ['Newcomers among them: 1, who count at the level that their calibration tries.', proven],
      whyMessages: match.why,
      prediction: match.prediction,
      ranks: [],
      proposedAt: new Date(match.proposedAt),
      formedAt: new Date(match.formedAt),
      closedAt: null,
    });
    const rosters = await db.matchPlayer.findMany({ where: { matchId: 'm1' }, orderBy: { playerId: 'asc' } });
    const fromTheStart = {
      matchId: 'm1',
      role: null,
      booster: null,
      joinedAt: null,
      attributes: null,
      finishedAt: null,
      backfillId: null,
      leftAt: null,
      formedAt: new Date(match.formedAt),
    };
    expect(rosters).toEqual(players.map((player) => ({ ...fromTheStart, ...player })));
    const live = await db.livePlayer.findMany({ orderBy: { playerId: 'asc' } });
    expect(live).toEqual(['ann', 'bob', 'cid', 'dee'].map((playerId) => ({ playerId, matchId: 'm1' })));
    expect(await db.proposalVerdict.findMany()).toEqual([
      expect.objectContaining({ matchId: 'm1', outcome: 'formed', reason: null, failedTicketIds: [] }),
    ]);
    const ticketIds = ['ann', 'bob', 'cid', 'dee'].map(ticketOf);
    expect(await promisesOf(db)).toEqual([
      { owner: 'assignment', queue: 'place-match', jobId: 'place-m1', payload: { matchId: 'm1' } },
      {
        owner: 'assignment',
        queue: 'ticket-news',
        jobId: 'formed-m1',
        payload: {
          kind: 'formed',
          matchId: 'm1',
          ticketIds,
          reason: expect.any(String),
          messages: [message('match.formed')],
          figures: {
            queue: match.queue,
            teamGap: match.split.difference,
            favouriteLead: expect.any(Number),
            waitsMs: expect.any(Array),
          },
        },
      },
    ]);
  });

  it('decides a proposal once', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    const match = aMatch('m1');
    await store.form(match);
    const before = await traces(db, 'm1');

    expect(await store.form(match)).toEqual({ outcome: 'decided', verdict: 'formed' });
    expect(await traces(db, 'm1')).toEqual(before);
  });

  it('forms a proposal once when it comes ten times at once', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));

    const results = await Promise.all(range(10).map(() => store.form(aMatch('m1'))));

    expect(outcomes(results)).toEqual([...range(9).map(() => 'decided'), 'formed']);
    expect(await traces(db, 'm1')).toEqual({ matches: 1, players: 2, live: 2, verdicts: 1, promises: 2 });
  });

  it('refuses a player who is in another live match, and names nobody else', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    await store.form(aMatch('m1', [['ann'], ['bob']]));

    expect(await store.form(aMatch('m2', [['cid'], ['ann']]))).toEqual({
      outcome: 'busy',
      playerIds: ['ann'],
    });
    expect(await traces(db, 'm2')).toEqual(nothing);
    expect(await store.form(aMatch('m3', [['cid'], ['dee']]))).toEqual({ outcome: 'formed' });
  });

  it('of two matches that share players, formed at once, forms one', async () => {
    const { db } = data();
    // Those of one process are formed together, those of two race.
    const stores = [db, data().connect(2)].map((each) => new PostgresMatchStore(as('assignment', each)));
    const random = seededRandom(11);
    for (const round of range(30)) {
      const shared = range(1 + Math.floor(3 * random())).map((i) => `r${round}-shared${i}`);
      const rosterOf = (name: string): string[][] => {
        const all = [...shared, ...range(4).map((i) => `r${round}-${name}${i}`)];
        const mixed = all.map((id) => ({ id, at: random() })).toSorted((a, b) => a.at - b.at);
        return [mixed.slice(0, 3).map(({ id }) => id), mixed.slice(3).map(({ id }) => id)];
      };
      const matches = ['x', 'y'].map((name) => aMatch(`r${round}-${name}`, rosterOf(name)));

      const results = await Promise.all(matches.map((match, i) => stores[i * (round % 2)]?.form(match)));

      expect(outcomes(results)).toEqual(['busy', 'formed']);
      const loser = results.findIndex((result) => result?.outcome === 'busy');
      const lost = results[loser];
      expect(lost?.outcome === 'busy' && lost.playerIds.toSorted()).toEqual(shared);
      expect(await traces(db, matches[loser]?.matchId ?? '')).toEqual(nothing);
    }
    expect(await db.match.count()).toBe(30);
    expect(await data().deadlocks()).toBe(0);
  });

  it('forms many that come at once each as if it had come alone', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    await store.form(aMatch('before', [['ann'], ['bob']]));
    await store.settle('settled', 'nobody answered');

    const rosters: [string, string[][]][] = [
      ['m1', [['m1-a'], ['m1-b']]],
      ['busy', [['cid'], ['ann']]],
      ['m2', [['m2-a'], ['m2-b']]],
      ['m2', [['m2-a'], ['m2-b']]],
      ['settled', [['eve'], ['fay']]],
      ['before', [['ann'], ['bob']]],
      ['m3', [['cid'], ['dee']]],
    ];
    const results = await Promise.all(rosters.map(([id, teams]) => store.form(aMatch(id, teams))));

    const decided = { outcome: 'decided', verdict: 'formed' };
    expect(results).toEqual([
      { outcome: 'formed' },
      { outcome: 'busy', playerIds: ['ann'] },
      { outcome: 'formed' },
      decided,
      { ...decided, verdict: 'refused' },
      decided,
      { outcome: 'formed' },
    ]);
    expect(await traces(db, 'busy')).toEqual(nothing);
    for (const id of ['m1', 'm2', 'm3'])
      expect(await traces(db, id)).toEqual({ matches: 1, players: 2, live: 2, verdicts: 1, promises: 2 });
  });

  it('tries again when the player who was busy has come free meanwhile', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    const ledger = new RatingStores(as('rating', db));
    await ledger.pools.create(aPool());
    await store.form(aMatch('m1', [['ann'], ['bob']]));
    await db.match.update({ where: { id: 'm1' }, data: { state: 'ended', ranks: [1, 2] } });
    // It has seen that Ann is taken, and has not asked yet by whom.
    const gate = await Gate.shut(db, { table: 'outbox', on: 'INSERT', when: "NEW.job_id = 'formed-m2'" });
    const forming = store.form(aMatch('m2', [['ann'], ['cid']]));
    await gate.crowd();
    await ledger.matches.rate('m1', noon);
    await gate.open();

    expect(await forming).toEqual({ outcome: 'formed' });
    expect(await traces(db, 'm2')).toEqual({ matches: 1, players: 2, live: 2, verdicts: 1, promises: 2 });
  });
});

describe('refusing a proposal', () => {
  it('tells its tickets, once, and forms it no more', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    const verdict = { verdict: 'refused', reason: 'too strong', failedTicketIds: ['t2'] };

    expect(await store.refuse('m1', 'too strong', ['t2'], ['t1', 't2'])).toEqual(verdict);
    expect(await store.refuse('m1', 'another reason', [], ['t1', 't2'])).toEqual(verdict);
    expect(await store.form(aMatch('m1'))).toEqual({ outcome: 'decided', verdict: 'refused' });

    expect(await promisesOf(db)).toEqual([
      {
        owner: 'assignment',
        queue: 'ticket-news',
        jobId: 'refused-m1',
        payload: {
          kind: 'refused',
          matchId: 'm1',
          ticketIds: ['t1', 't2'],
          failedTicketIds: ['t2'],
          reason: 'too strong',
        },
      },
    ]);
    expect(await traces(db, 'm1')).toEqual({ ...nothing, verdicts: 1, promises: 1 });
  });

  it('gives way to a match that was formed', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    await store.form(aMatch('m1'));

    expect(await store.refuse('m1', 'too late', ['t1'], ['t1'])).toEqual({
      verdict: 'formed',
      reason: null,
      failedTicketIds: [],
    });
    expect(await db.outbox.count()).toBe(2);
  });
});

describe('settling a proposal', () => {
  it('tells the messages of a refusal, and the text alone where a release before stored no more', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(db);
    const reason = [message('match.players-busy', { players: ['bob'], count: 1 })];
    const text = 'The match fell apart: bob is still in another match.';

    expect(await store.refuse('m1', reason, ['t2'], ['t1', 't2'])).toMatchObject({ reason });
    expect(await store.settle('m1', 'silence')).toMatchObject({ reason });
    const [refused] = await promisesOf(db);
    expect(refused?.payload).toMatchObject({ reason: text, messages: reason });
    expect(await db.proposalVerdict.findMany()).toMatchObject([{ reason: text, messages: reason }]);

    await db.$executeRaw`UPDATE proposal_verdict SET messages = NULL`;
    expect(await store.settle('m1', 'silence')).toMatchObject({ reason: text });
  });

  it('tells the verdict there is, with the tickets that failed', async () => {
    const store = new PostgresMatchStore(as('assignment', data().db));
    await store.refuse('m1', 'too strong', ['t2', 't3'], ['t1', 't2', 't3']);
    await store.form(aMatch('m2'));

    expect(await store.settle('m1', 'silence')).toEqual({
      verdict: 'refused',
      reason: 'too strong',
      failedTicketIds: ['t2', 't3'],
    });
    expect(await store.settle('m2', 'silence')).toEqual({
      verdict: 'formed',
      reason: null,
      failedTicketIds: [],
    });
  });

  it('refuses what nobody decided, and stays with it', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    const verdict = { verdict: 'refused', reason: 'silence', failedTicketIds: [] };

    expect(await store.settle('m1', 'silence')).toEqual(verdict);
    expect(await store.settle('m1', 'other words')).toEqual(verdict);
    expect(await Promise.all(['m1', 'unknown'].map((id) => store.isDecided(id)))).toEqual([true, false]);
    expect(await store.form(aMatch('m1'))).toEqual({ outcome: 'decided', verdict: 'refused' });
    expect(await db.outbox.count()).toBe(0);
  });

  it('never contradicts a forming that runs at the same time', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    for (const round of range(100)) {
      const matchId = `m${round}`;
      const settle = (): Promise<ProposalVerdict> => store.settle(matchId, 'silence');
      // Whoever is asked first has a start of a moment.
      const early = round % 2 === 0 ? settle() : null;
      const forming = store.form(aMatch(matchId));
      const [formed, settled] = await Promise.all([forming, early ?? settle()]);

      expect(formed).toEqual(
        settled.verdict === 'formed' ? { outcome: 'formed' } : { outcome: 'decided', verdict: 'refused' },
      );
      expect(await db.match.count({ where: { id: matchId } })).toBe(settled.verdict === 'formed' ? 1 : 0);
    }
  });

  it.each(['form', 'settle'] as const)('waits for the other one when %s has begun', async (first) => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    const form = (): Promise<FormResult> => store.form(aMatch('m1'));
    const settle = (): Promise<ProposalVerdict> => store.settle('m1', 'silence');
    // The verdict of the first stands in the table and is not committed yet.
    const gate = await Gate.shut(db, { table: 'proposal_verdict', on: 'INSERT', written: true });
    const one = first === 'form' ? form() : settle();
    await gate.crowd();
    const other = first === 'form' ? settle() : form();
    await blocked(db, 2, other);
    await gate.open();

    expect(await Promise.all([one, other])).toEqual(
      first === 'form'
        ? [{ outcome: 'formed' }, { verdict: 'formed', reason: null, failedTicketIds: [] }]
        : [
            { verdict: 'refused', reason: 'silence', failedTicketIds: [] },
            { outcome: 'decided', verdict: 'refused' },
          ],
    );
    expect(await db.match.count()).toBe(first === 'form' ? 1 : 0);
  });
});

describe('matches that wait for their placement', () => {
  it('are those formed before a time and not begun, oldest first', async () => {
    const { db } = data();
    const store = new PostgresMatchStore(as('assignment', db));
    for (const [matchId, formedAt] of [
      ['new', noon],
      ['old', noon - 3_000],
      ['older', noon - 4_000],
      ['begun', noon - 5_000],
      ['over', noon - 6_000],
    ] as const) {
      await store.form(aMatch(matchId, undefined, { formedAt }));
    }
    await db.placement.create({
      data: { matchId: 'begun', nextAttemptAt: new Date(noon), giveUpAt: new Date(noon) },
    });
    await db.match.update({ where: { id: 'over' }, data: { state: 'abandoned' } });

    expect(await store.formedBefore(noon, 10)).toEqual([{ matchId: 'older' }, { matchId: 'old' }]);
    expect(await store.formedBefore(noon, 1)).toEqual([{ matchId: 'older' }]);
  });
});
