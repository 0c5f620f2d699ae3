import { RatingStores } from '../support/rating-stores.js';
import { allocatorStores, type AllocatorStores } from './allocator-stores.js';
import { describe, expect, it } from 'vitest';
import { blocked, Gate } from '../support/gate.js';
import { aMatch, aServer, databaseForEach, noon, timeouts, range, tally } from './fixtures.js';
import { House, type Held } from './house.js';
import { aPool } from './ledger-fixtures.js';
import { as } from '../support/database.js';

const data = databaseForEach();
const house = (): House => new House(data().db);
/** As another replica would have it. */
const allocator = (): AllocatorStores => allocatorStores(as('allocator', data().connect(2)));

const late = noon + timeouts.answerMs;
const silent = noon + timeouts.silenceMs + 1;

/** All ways in which a server's sessions end without the server's doing. */
const endings: [string, (h: House) => Promise<unknown>, goesOn: boolean][] = [
  ['leaves', (h) => h.allocator.fleet.leave('s', silent), false],
  ['is lost', (h) => h.allocator.silence.loseSilent(timeouts, silent, 10), false],
  ['registers anew', (h) => h.allocator.fleet.register(aServer('s', { slots: 4 }), silent), true],
];

describe.each(endings)('a server that %s while', (_, end, goesOn) => {
  it('its answer "done" is on its way: the match is abandoned or looks for another', async () => {
    const h = house();
    await h.server('s', { slots: 2 });
    const all = [await h.reserved('m1'), await h.reserved('m2')];
    // The end has read both sessions as reserved and is at the first of them.
    const gate = await Gate.shut(h.db, { table: 'session', on: 'UPDATE', when: "NEW.state = 'lost'" });
    const ending = end(h);
    await gate.crowd();
    const answers = all.map((held) => h.accept(held));
    const first = await Promise.race(answers);
    expect(first).toMatchObject({ outcome: 'accepted' });
    await blocked(h.db, 2, Promise.all(answers));
    await gate.open();
    await ending;

    const outcomes = (await Promise.all(answers)).map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(['accepted', 'withdrawn']);
    for (const [i, outcome] of outcomes.entries()) {
      expect(await h.stateOf(`m${i + 1}`)).toBe(outcome === 'accepted' ? 'abandoned' : 'formed');
      expect(await h.nextAttempt(`m${i + 1}`)).toBe(outcome === 'accepted' ? null : silent - noon);
    }
    expect(await h.playing()).toHaveLength(2);
    expect(await h.disorder()).toEqual([]);
    expect(await data().deadlocks()).toBe(0);
  });

  it('its late answer is taken back: the match looks for another, and nobody waits in a circle', async () => {
    const h = house();
    await h.server('s');
    const held = await h.reserved('m1');
    const gate = await Gate.shut(h.db, {
      table: 'session',
      on: 'UPDATE',
      when: "NEW.state = 'unanswered'",
      written: true,
    });
    const withdrawing = h.allocator.sessions.withdrawUnanswered(late, 10);
    await gate.crowd();
    const ending = end(h);
    await blocked(h.db, 2, ending);
    await gate.open();

    expect(await withdrawing).toEqual(['m1']);
    await ending;
    expect(await h.sessionOf(held)).toMatchObject({ state: 'unanswered' });
    expect(await h.disorder()).toEqual([]);
    expect(await data().deadlocks()).toBe(0);
  });

  it('its match is ended for going on too long: one of both tells it, and nobody waits in a circle', async () => {
    const h = house();
    await h.server('s');
    const held = await h.live('m1');
    const gate = await Gate.shut(h.db, { table: 'session', on: 'UPDATE', written: true });
    const overdue = h.allocator.sessions.loseOverdue(noon + 1, silent, 10);
    await gate.crowd();
    const ending = end(h);
    await blocked(h.db, 2, ending);
    await gate.open();

    expect(await overdue).toEqual([held.sessionId]);
    await ending;
    expect(await h.matchUpdateJobs('m1')).toEqual(['formed', 'placed', 'abandoned']);
    expect(await h.disorder()).toEqual([]);
    expect(await data().deadlocks()).toBe(0);
  });

  it('it is about to be given a match: no server gets it that knows nothing of it', async () => {
    const h = house();
    const other = await h.server('z', { slots: 2 });
    // The worse choice, but it goes on living. One that is loaded as little would be taken without waiting.
    await h.allocator.fleet.heartbeat(other, { cpuLoad: 1 }, noon, silent);
    await h.live('m0');
    await h.server('s', { slots: 2 });
    const gate = await Gate.shut(h.db, { table: 'server', on: 'UPDATE', when: "NEW.id = 's'" });
    const ending = end(h);
    await gate.crowd();
    // It reads the server as it was before, and then waits for its row.
    await h.wants('m1');
    const placing = h.reserve('m1');
    await blocked(h.db, 2, placing);
    await gate.open();
    await ending;

    expect((await placing).server).toEqual(goesOn ? { serverId: 's', incarnation: 2 } : other);
    expect(await h.disorder()).toEqual([]);
  });

  it('answers come from all sides: nothing is left half done', async () => {
    const h = house();
    for (const round of range(6)) {
      await h.server('s', { slots: 4 });
      const all: Held[] = [];
      for (const i of range(4)) all.push(await h.reserved(`r${round}-${i}`));

      await Promise.all([...all.map((held, i) => (i === 3 ? h.refuse(held) : h.accept(held))), end(h)]);

      expect(await h.disorder()).toEqual([]);
      await h.allocator.placement.giveUp(noon + 60_000, 10);
      await h.allocator.fleet.leave('s', silent);
    }
    expect(await h.playing()).toEqual([]);
    expect(await data().deadlocks()).toBe(0);
  });
});

describe('several allocators', () => {
  it('try the same match again and again: one reserves, the others have nothing to do', async () => {
    const h = house();
    const allocators = range(3).map(allocator);
    for (const round of range(10)) {
      const build = `b${round}`;
      await h.server(`s${round}`, { build });
      // Reading so many takes a while, and in that while the first commits: one of the others looks just before and takes
      // the row just after.
      const teams = range(2).map((t) => range(400).map((i) => `r${round}-${t}-${i}`));
      await h.matches.form(aMatch(`m${round}`, teams, { build }));
      await h.allocator.placement.begin(`m${round}`, noon);
      const outcomes: string[] = [];
      const first = h.placedOn(`m${round}`);
      let over = false;
      const end = first.then(() => (over = true));
      const insist = async (other: AllocatorStores): Promise<void> => {
        while (!over) outcomes.push((await other.placement.place(`m${round}`, timeouts, noon)).outcome);
      };
      await Promise.all([end, ...allocators.map(insist)]);

      const reserved = outcomes.filter((outcome) => outcome !== 'settled');
      expect([await first, ...reserved].toSorted()).toEqual(
        reserved.length === 0 ? [`s${round}`] : ['reserved', 'settled'],
      );
      expect(await h.nextAttempt(`m${round}`)).toBe(timeouts.answerMs + 1_000);
    }
  });

  it('fill one server at once: nobody gives up because others were quicker', async () => {
    const h = house();
    await h.server('s', { slots: 24 });
    for (const i of range(24)) await h.wants(`m${i}`);
    const allocators = range(4).map(() => allocatorStores(as('allocator', data().connect(6))));

    const results = await Promise.all(
      range(24).map((i) => allocators[i % 4]?.placement.place(`m${i}`, timeouts, noon)),
    );

    expect(tally(results.map((result) => result?.outcome ?? ''))).toEqual({ reserved: 24 });
    expect(await h.disorder()).toEqual([]);
  });

  it('take back the same late sessions: each once, and its server is told to end it', async () => {
    const h = house();
    await h.server('s', { slots: 24 });
    const all: Held[] = [];
    for (const i of range(24)) all.push(await h.reserved(`m${i}`));

    const withdrawn = await Promise.all(
      range(4).map(() => allocator().sessions.withdrawUnanswered(late, 50)),
    );

    expect(withdrawn.flat().toSorted()).toEqual(all.map(({ matchId }) => matchId).toSorted());
    const orders = (await h.allocator.commands.commandsAfter({ serverId: 's', incarnation: 1 }, 0)) ?? [];
    expect(orders.map(({ kind, sessionId }) => `${kind} ${sessionId}`).toSorted()).toEqual(
      all.map(({ sessionId }) => `end-session ${sessionId}`).toSorted(),
    );
    expect(await h.disorder()).toEqual([]);
  });

  it('take back a session that is being answered: it is live or the server is told to end it', async () => {
    const h = house();
    await h.server('s', { slots: 40 });
    const all: Held[] = [];
    for (const i of range(40)) all.push(await h.reserved(`m${i}`));

    const sweeps = range(2).map(() => allocator().sessions.withdrawUnanswered(late, 50));
    const answers = await Promise.all(all.toReversed().map((held) => h.accept(held)));
    await Promise.all(sweeps);

    const orders = (await h.allocator.commands.commandsAfter({ serverId: 's', incarnation: 1 }, 0)) ?? [];
    for (const [i, held] of all.toReversed().entries()) {
      const accepted = answers[i]?.outcome === 'accepted';
      expect(await h.sessionOf(held)).toMatchObject({ state: accepted ? 'live' : 'unanswered' });
      expect(orders.filter((order) => order.sessionId === held.sessionId)).toHaveLength(accepted ? 0 : 1);
    }
    expect(await h.disorder()).toEqual([]);
    expect(await data().deadlocks()).toBe(0);
  });

  it('find the same server silent: it is lost once, and its matches are told once', async () => {
    const h = house();
    await h.server('s', { slots: 3 });
    for (const i of range(3)) await h.live(`m${i}`);

    const lost = await Promise.all(range(4).map(() => allocator().silence.loseSilent(timeouts, silent, 10)));

    expect(lost.flat()).toEqual(['s']);
    for (const i of range(3))
      expect(await h.matchUpdateJobs(`m${i}`)).toEqual(['formed', 'placed', 'remade']);
  });

  it('give up a match that another one places: whoever has begun goes on', async () => {
    const h = house();
    await h.server('s', { slots: 2 });
    for (const matchId of ['m1', 'm2']) await h.wants(matchId);
    const placed = await Gate.shut(h.db, { table: 'session', on: 'INSERT' });
    const placing = h.placedOn('m1');
    await placed.crowd();
    const given = await Gate.shut(h.db, { table: 'live_player', on: 'DELETE', when: "OLD.match_id = 'm2'" });
    const givingUp = h.allocator.placement.giveUp(noon + 60_000, 10);
    await given.crowd();

    // Another allocator, for one places those that come together together.
    const other = allocator();
    expect(await other.placement.place('m2', timeouts, noon)).toEqual({ outcome: 'settled' });
    await given.open();
    expect(await givingUp).toEqual(['m2']);
    await placed.open();
    expect(await placing).toBe('s');
    expect(await h.disorder()).toEqual([]);
  });

  it('give up and place at the same time: the match has a server or it is over', async () => {
    const h = house();
    for (const round of range(20)) {
      await h.server(`s${round}`);
      await h.wants(`m${round}`);
      const early = round % 2 === 0 ? h.allocator.placement.giveUp(noon + 60_000, 10) : null;
      const placing = h.placedOn(`m${round}`);
      const [given, placed] = await Promise.all([
        early ?? h.allocator.placement.giveUp(noon + 60_000, 10),
        placing,
      ]);

      expect([given.length, placed]).toEqual(given.length === 0 ? [0, `s${round}`] : [1, 'settled']);
      expect(await h.disorder()).toEqual([]);
      await h.allocator.fleet.leave(`s${round}`, noon);
      await h.allocator.placement.giveUp(noon + 60_000, 10);
    }
  });
});

// A statement that waited for a row sees that row as it is now, and everything else as it was when the statement began.
// Here one transaction is stopped in its middle, so that another waits for it and then goes on with what it saw before.
describe('whoever waited for', () => {
  it('an answer does not begin to look for a server again', async () => {
    const h = house();
    await h.server('s');
    const held = await h.reserved('m1');
    const gate = await Gate.shut(h.db, { table: 'placement', on: 'DELETE', written: true });
    const answering = h.accept(held);
    await gate.crowd();
    // The job that wants a server comes a second time.
    const beginning = h.allocator.placement.begin('m1', noon);
    await blocked(h.db, 2, beginning);
    await gate.open();
    await Promise.all([answering, beginning]);

    expect(await h.disorder()).toEqual([]);
  });

  it('a match being given up does not begin to look for a server again', async () => {
    const h = house();
    await h.wants('m1');
    const gate = await Gate.shut(h.db, { table: 'placement', on: 'DELETE', written: true });
    const givingUp = h.allocator.placement.giveUp(noon + 60_000, 10);
    await gate.crowd();
    const beginning = h.allocator.placement.begin('m1', noon);
    await blocked(h.db, 2, beginning);
    await gate.open();
    await Promise.all([givingUp, beginning]);

    expect(await h.stateOf('m1')).toBe('abandoned');
    expect(await h.disorder()).toEqual([]);
  });

  it('a result rates it', async () => {
    const h = house();
    const ledger = new RatingStores(as('rating', h.db));
    await ledger.pools.create(aPool());
    await h.server('s');
    const held = await h.live('m1');
    const gate = await Gate.shut(h.db, { table: 'outbox', on: 'INSERT', when: "NEW.job_id = 'rate-m1'" });
    const said = { ranks: [2, 1], digest: 'd', body: {} };
    const receiving = h.allocator.sessions.receive(held.sessionId, held.server, said, noon);
    await gate.crowd();
    const rating = ledger.matches.rate('m1', noon);
    await blocked(h.db, 2, rating);
    await gate.open();
    await receiving;

    expect(await rating).toMatchObject({ outcome: 'rated' });
    const changes = new Map(
      (await ledger.history.changes(['m1'])).map((row) => [row.playerId, row.after.mu - row.before.mu]),
    );
    expect(changes.get('m1-a')).toBeLessThan(0);
    expect(changes.get('m1-b')).toBeGreaterThan(0);
  });

  it('a result that ended the session while its server’s heartbeat waited does not lose it', async () => {
    const h = house();
    await h.server('s', { slots: 2 });
    const held = await h.live('m1');
    await h.wants('m2');
    const gate = await Gate.shut(h.db, { table: 'command', on: 'INSERT' });
    const placing = h.place('m2');
    await gate.crowd();
    // The placement holds the server's row; the heartbeat has found the omitted session before it waits for that row.
    const beat = { cpuLoad: 0, sessions: [] };
    const beating = h.allocator.fleet.heartbeat(held.server, beat, noon + 1, noon + 2);
    await blocked(h.db, 2, beating);
    const said = { ranks: [1, 2], digest: 'd', body: {} };
    await h.allocator.sessions.receive(held.sessionId, held.server, said, noon + 1);
    await gate.open();
    await Promise.all([placing, beating]);

    expect(await h.sessionOf(held)).toMatchObject({ state: 'ended' });
    expect(await h.stateOf('m1')).toBe('ended');
    expect(await h.disorder()).toEqual([]);
  });

  it('a heartbeat from before a new registration has no say', async () => {
    const h = house();
    const old = await h.server('s');
    const gate = await Gate.shut(h.db, { table: 'server', on: 'UPDATE', when: 'NEW.incarnation = 2' });
    const registering = h.server('s');
    await gate.crowd();
    const beating = h.allocator.fleet.heartbeat(old, { cpuLoad: 0 }, noon, noon);
    await blocked(h.db, 2, beating);
    await gate.open();

    expect(await registering).toEqual({ serverId: 's', incarnation: 2 });
    expect(await beating).toBeNull();
  });
});
