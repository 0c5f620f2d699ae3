import type { QueueRules } from '@muster/domain';
import { MusterProblem } from '@muster/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GameServer } from '../support/game-server.js';
import { until } from '../support/gate.js';
import { openQueue } from '../support/open-queue.js';
import { Queued, queueUp } from '../support/party.js';
import type { Stack } from '../support/stack.js';
import { sharedStack } from './shared-stack.js';

const build = 'parties-1';
const pool = 'parties';

let stack: Stack;
let server: GameServer;

beforeAll(async () => {
  stack = await sharedStack();
  await stack.operator.createPool({ name: pool });
  server = await GameServer.start(stack, { serverId: 'parties-server', build, slots: 50 });
});
afterAll(async () => {
  await server?.stop();
});

/** Creates a queue where all players may meet. @returns its name */
const queueOf = (name: string, teamSize: number, over: Partial<QueueRules> = {}): Promise<string> =>
  openQueue(stack, name, { mode: 'arena', pool, teamSize, maxPartySize: teamSize, ...over });

/** The problem of a refused call. */
async function problemOf(call: Promise<unknown>): Promise<MusterProblem> {
  try {
    await call;
  } catch (error) {
    if (error instanceof MusterProblem) return error;
    throw error;
  }
  throw new Error('it was not refused');
}
const codeOf = async (call: Promise<unknown>): Promise<string> => (await problemOf(call)).code;

const alone = (playerId: string, queue: string): Promise<Queued> =>
  queueUp(stack, [playerId], { queue, build });

/** A party of players who have joined; the first leads. */
async function partyOf(...playerIds: string[]) {
  const [leader, ...members] = await Promise.all(playerIds.map((playerId) => stack.player(playerId)));
  if (!leader) throw new Error('a party has a leader');
  const { partyId } = await leader.createParty();
  for (const [i, member] of members.entries()) {
    await leader.invite(partyId, playerIds[i + 1] ?? '');
    await member.joinParty(partyId);
  }
  return { partyId, leader, members };
}

/** Teams of a ticket's match. */
async function teamsOf(ticket: Queued): Promise<{ matchId: string; sessionId: string; teams: string[][] }> {
  const { matchId, sessionId } = await ticket.assigned();
  const { players } = await stack.operator.match(matchId);
  const teams = [0, 1].map((team) =>
    players
      .filter((player) => player.team === team)
      .map((player) => player.playerId)
      .toSorted(),
  );
  return { matchId, sessionId, teams };
}

/** Plays a match to its end; the first team wins. */
async function playOut(tickets: readonly Queued[]): Promise<{ matchId: string; teams: string[][] }> {
  const [first] = tickets;
  if (!first) throw new Error('nobody plays');
  const { matchId, sessionId, teams } = await teamsOf(first);
  await server.report(sessionId, { winner: 0 });
  await Promise.all(tickets.map((ticket) => ticket.closed()));
  return { matchId, teams };
}

describe('C1 a party of several builds or platforms', () => {
  it('is refused without a build while servers of several builds are registered', async () => {
    const queue = await queueOf('parties-unnamed', 2);
    // A second build beside that of this file's server.
    const other = await GameServer.start(stack, { serverId: 'parties-server-0', build: 'parties-0' });
    const ann = await stack.player('un-ann');
    const { partyId } = await ann.createParty();
    const asked = [{ queue }, { queue, partyId }].map((request) => problemOf(ann.enqueue(request)));
    for (const { code, problem } of await Promise.all(asked)) {
      expect(code).toBe('build-missing');
      expect(problem).toMatchObject({ status: 422, detail: expect.stringContaining('its own `build`') });
    }
    const { ticketId } = await ann.enqueue({ queue, build, partyId });
    await ann.cancel(ticketId);
    await other.stop();
  });

  it('is refused with each member’s build, by passes and as a party, until all are equal', async () => {
    const queue = await queueOf('parties-builds', 2);
    const [ann, bob] = await Promise.all(['bu-ann', 'bu-bob'].map((id) => stack.player(id)));
    if (!ann || !bob) throw new Error('nobody to queue');
    const builds = [
      { playerId: 'bu-ann', build },
      { playerId: 'bu-bob', build: 'parties-0' },
    ];
    const old = await bob.partyPass('bu-ann', [], { build: 'parties-0' });
    const byPass = await problemOf(ann.enqueue({ queue, build, partyPasses: [old] }));
    expect(byPass.problem).toMatchObject({ status: 422, builds });
    expect(byPass.code).toBe('mixed-builds');

    const { partyId } = await ann.createParty();
    await ann.invite(partyId, 'bu-bob');
    const { members } = await bob.joinParty(partyId, { build: 'parties-0', platform: 'xbox' });
    expect(members[1]).toMatchObject({ playerId: 'bu-bob', build: 'parties-0', platform: 'xbox' });
    const asParty = await problemOf(ann.enqueue({ queue, build, partyId }));
    expect(asParty.problem).toMatchObject({
      builds,
      detail: expect.stringContaining('bu-bob has parties-0'),
    });
    expect(await ann.current()).toBeNull();

    await bob.joinParty(partyId, { build, platform: 'xbox' });
    const ticket = await ann.enqueue({ queue, build, partyId, platform: 'pc' });
    expect(ticket).toMatchObject({ build, platforms: { 'bu-ann': 'pc', 'bu-bob': 'xbox' } });
    await ann.cancel(ticket.ticketId);
  });

  it('opens cross-play as the rules state, and no other player meets another group', async () => {
    const crossPlay = { groups: [['pc'], ['playstation', 'xbox']], partiesOpenCrossPlay: true };
    const queue = await queueOf('parties-platforms', 2, { crossPlay });
    const closed = await queueOf('parties-apart', 2, { crossPlay: { groups: crossPlay.groups } });
    const on = async (playerId: string, platform: string) =>
      (await stack.player(playerId)).enqueue({ queue, build, platform });
    const xbox = await on('cp-xbox-1', 'xbox');
    await on('cp-ps-1', 'playstation');
    const [ann, bob] = await Promise.all(['cp-ann', 'cp-bob'].map((id) => stack.player(id)));
    const pass = (await bob?.partyPass('cp-ann', [], { build, platform: 'pc' })) ?? '';
    const asked = { queue, build, platform: 'xbox', partyPasses: [pass] };
    const refused = await problemOf(ann?.enqueue({ ...asked, queue: closed }) ?? Promise.resolve());
    expect(refused).toMatchObject({ code: 'cross-play-refused' });
    expect(refused.problem).toMatchObject({
      players: [
        { playerId: 'cp-ann', platform: 'xbox' },
        { playerId: 'cp-bob', platform: 'pc' },
      ],
    });
    const none = await problemOf((await stack.player('cp-none')).enqueue({ queue, build }));
    expect(none).toMatchObject({ code: 'platform-unknown' });

    const party = await ann?.enqueue(asked);
    // Four wait, in two groups.
    const { waiting } = (await ann?.read(party?.ticketId ?? '')) ?? {};
    expect(waiting).toMatchObject({ rule: 'platforms', why: expect.stringContaining('(pc)') });
    const pcs = await Promise.all(['cp-pc-1', 'cp-pc-2'].map((id) => on(id, 'pc')));
    const [, ...queued] = await Promise.all([
      ann?.waitForAssignment(party?.ticketId ?? ''),
      ...pcs.map(async ({ ticketId, players }) =>
        (await stack.player(players[0] ?? '')).waitForAssignment(ticketId),
      ),
    ]);
    expect(new Set(queued.map((assignment) => assignment?.matchId)).size).toBe(1);
    const { players, why } = await stack.operator.match(queued[0]?.matchId ?? '');
    expect(players.map(({ playerId }) => playerId).toSorted()).toEqual([
      'cp-ann',
      'cp-bob',
      'cp-pc-1',
      'cp-pc-2',
    ]);
    expect(why.length).toBeGreaterThan(0);
    const left = await stack.player('cp-xbox-1');
    expect((await left.read(xbox.ticketId)).state).toBe('waiting');
    await left.cancel(xbox.ticketId);
    await server.report(queued[0]?.sessionId ?? '', { winner: 0 });
  });
});

describe('C4 a party of three, with consent', () => {
  it('is queued by its leader once all have joined, and plays in one team', async () => {
    const queue = await queueOf('parties-threes', 3);
    const ids = ['pt-ann', 'pt-bob', 'pt-cid'] as const;
    const [ann, bob, cid] = await Promise.all(ids.map((id) => stack.player(id)));
    const { partyId } = (await ann?.createParty()) ?? { partyId: '' };
    const asked = { queue, build, partyId, latencyMs: { local: 10 } };

    await ann?.invite(partyId, 'pt-bob');
    await ann?.invite(partyId, 'pt-cid');
    expect(await bob?.party()).toMatchObject({ party: null, invitations: [{ partyId, leader: 'pt-ann' }] });
    expect(await codeOf((await stack.player('pt-dan')).joinParty(partyId))).toBe('not-invited');
    await bob?.joinParty(partyId, { latencyMs: { local: 60, moon: 1 } });

    // Cid was invited and has not joined: no leader may queue Cid, and Bob is not the leader.
    expect(await codeOf(bob?.enqueue(asked) ?? Promise.resolve())).toBe('not-allowed');
    const early = await ann?.enqueue(asked);
    expect(early?.players).toEqual(['pt-ann', 'pt-bob']);
    expect(await ann?.cancel(early?.ticketId ?? '')).toBe(true);

    await cid?.joinParty(partyId, { latencyMs: { moon: 1, local: 30 } });
    const { ticketId, players } = (await ann?.enqueue(asked)) ?? { ticketId: '', players: [] };
    expect(players).toEqual([...ids]);
    expect((await cid?.current())?.ticketId).toBe(ticketId);

    const party = new Queued(
      ticketId,
      ids,
      [ann, bob, cid].flatMap((client) => client ?? []),
    );
    const others = await Promise.all(['pt-x', 'pt-y', 'pt-z'].map((id) => alone(id, queue)));
    const { teams } = await playOut([party, ...others]);
    expect(teams).toContainEqual([...ids]);
  });

  it('leaves the queue when a member leaves, and is queued without them', async () => {
    const queue = await queueOf('parties-leaving', 3);
    const { partyId, leader, members } = await partyOf('pl-ann', 'pl-bob', 'pl-cid');
    const [bob, cid] = members;
    const { ticketId } = await leader.enqueue({ queue, build, partyId });
    expect(await codeOf(cid?.leaveParty(partyId, 'pl-bob') ?? Promise.resolve())).toBe('not-allowed');

    const left = await bob?.leaveParty(partyId, 'pl-bob');
    expect(left?.members.map((member) => member.playerId)).toEqual(['pl-ann', 'pl-cid']);
    expect(await leader.read(ticketId)).toMatchObject({
      state: 'cancelled',
      reason: 'pl-bob left the party, so it left the queue.',
    });
    expect(await bob?.current()).toBeNull();

    const again = await leader.enqueue({ queue, build, partyId });
    expect(again.players).toEqual(['pl-ann', 'pl-cid']);
    await leader.endParty(partyId);
    expect(await leader.read(again.ticketId)).toMatchObject({ state: 'cancelled' });
    expect(await cid?.party()).toEqual({ party: null, invitations: [] });
    expect(await codeOf(leader.enqueue({ queue, build, partyId }))).toBe('party-not-found');
  });

  it('goes on under another leader, who queues it, when its leader passes it and leaves', async () => {
    const queue = await queueOf('parties-passed', 3);
    const { partyId, leader, members } = await partyOf('pf-ann', 'pf-bob');
    const [bob] = members;
    const cid = await stack.player('pf-cid');
    await leader.invite(partyId, 'pf-cid');
    await cid.declineInvitation(partyId, 'pf-cid');
    expect(await cid.party()).toEqual({ party: null, invitations: [] });
    const { ticketId } = await leader.enqueue({ queue, build, partyId });
    const passed = await leader.passParty(partyId, 'pf-bob');
    expect(passed).toMatchObject({ leader: 'pf-bob', invitations: [] });
    expect(await leader.read(ticketId)).toMatchObject({ state: 'waiting' });

    await leader.leaveParty(partyId, 'pf-ann');
    expect(await codeOf(leader.enqueue({ queue, build, partyId }))).toBe('party-not-found');
    const ticket = await bob?.enqueue({ queue, build, partyId });
    expect(ticket?.players).toEqual(['pf-bob']);
    await bob?.endParty(partyId);
  });

  it('stays in its match when a member leaves the party', async () => {
    const queue = await queueOf('parties-playing', 2);
    const { partyId, leader, members } = await partyOf('pp-ann', 'pp-bob');
    const { ticketId } = await leader.enqueue({ queue, build, partyId });
    const party = new Queued(ticketId, ['pp-ann', 'pp-bob'], [leader, ...members]);
    const others = await Promise.all(['pp-x', 'pp-y'].map((id) => alone(id, queue)));
    await party.assigned();
    await members[0]?.leaveParty(partyId, 'pp-bob');
    expect(await leader.read(ticketId)).toMatchObject({ state: 'assigned', players: ['pp-ann', 'pp-bob'] });
    await playOut([party, ...others]);
  });

  it('is unique: of two parties joined concurrently, one has the player', async () => {
    const leaders = await Promise.all(['p2-ann', 'p2-bob'].map((id) => stack.player(id)));
    const parties = await Promise.all(leaders.map((leader) => leader.createParty()));
    const cid = await stack.player('p2-cid');
    await Promise.all(leaders.map((leader, i) => leader.invite(parties[i]?.partyId ?? '', 'p2-cid')));
    const joined = await Promise.allSettled(parties.map(({ partyId }) => cid.joinParty(partyId)));
    expect(joined.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [refused] = joined.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toMatchObject({ code: 'already-in-party' });
    // The other invitation is still valid.
    expect((await cid.party()).invitations).toHaveLength(1);
  });

  it('must have a region in common', async () => {
    const queue = await queueOf('parties-regions', 2);
    const { partyId, leader, members } = await partyOf('pr-ann', 'pr-bob');
    await members[0]?.joinParty(partyId, { latencyMs: { moon: 5 } });
    const refused = await problemOf(leader.enqueue({ queue, build, partyId, latencyMs: { local: 5 } }));
    expect(refused).toMatchObject({ code: 'no-common-region', status: 422 });
    expect(refused.message).toContain('pr-bob measured moon');
  });
});

describe('labels of servers', () => {
  it('are listed, and a match waits for one that fits and is told so', async () => {
    const labelled = { serverId: 'labels-server', build: 'labels-1' };
    const queue = await queueOf('labels', 1, { maxPartySize: 1, serverLabels: { hardware: 'fast' } });
    const plain = await GameServer.start(stack, { ...labelled, serverId: 'labels-plain' });
    const tickets = await Promise.all(
      ['lb-ann', 'lb-bob'].map((id) => queueUp(stack, [id], { queue, build: labelled.build })),
    );
    await until(async () => (await tickets[0]?.read())?.reason.includes('which needs mode arena') ?? false);
    const fast = await GameServer.start(stack, {
      ...labelled,
      labels: { hardware: 'fast', maps: ['b', 'a', 'b'] },
    });
    expect(await tickets[0]?.assigned()).toMatchObject({ serverId: 'labels-server' });
    const { servers } = await stack.operator.servers();
    expect(servers.find(({ serverId }) => serverId === 'labels-server')?.labels).toEqual({
      hardware: ['fast'],
      maps: ['a', 'b'],
    });
    await Promise.all([plain.stop(), fast.stop()]);
  });
});

describe('C8 an avoid-list', () => {
  it('keeps two players out of one match, without disclosure', async () => {
    const queue = await queueOf('parties-avoid-match', 1, { maxPartySize: 1 });
    const ann = await stack.player('av-ann');
    expect(await ann.avoid('av-bob', 'match')).toMatchObject({
      avoided: [{ playerId: 'av-bob', scope: 'match' }],
      limit: 20,
    });
    // Bob is first: Ann's ticket must be kept away from his.
    const bob = await alone('av-bob', queue);
    const avoiding = await alone('av-ann', queue);
    expect(JSON.stringify(await bob.read())).not.toContain('av-ann');
    expect(await (await stack.player('av-bob')).avoided()).toEqual({ avoided: [], limit: 20 });

    const cid = await alone('av-cid', queue);
    const { teams } = await teamsOf(cid);
    expect(teams.flat()).toHaveLength(2);
    const dan = await alone('av-dan', queue);
    const others = await teamsOf(dan);
    expect(others.teams.flat()).toHaveLength(2);
    for (const match of [teams.flat(), others.teams.flat()])
      expect(match.filter((id) => id === 'av-ann' || id === 'av-bob')).toHaveLength(1);
    await Promise.all([bob.assigned(), avoiding.assigned()]);
  });

  it('keeps two players on different teams', async () => {
    const queue = await queueOf('parties-avoid-team', 2);
    await (await stack.player('at-ann')).avoid('at-bob', 'team');
    const tickets = await Promise.all(['at-ann', 'at-bob', 'at-cid', 'at-dan'].map((id) => alone(id, queue)));
    const [first] = tickets;
    const { teams } = first ? await teamsOf(first) : { teams: [] };
    expect(teams.flat()).toHaveLength(4);
    expect(teams.some((team) => team.includes('at-ann') && team.includes('at-bob'))).toBe(false);
  });

  it('is limited, and entries can be removed', async () => {
    const ann = await stack.player('al-ann');
    for (let i = 0; i < 20; i++) await ann.avoid(`al-${i}`, 'team');
    expect(await codeOf(ann.avoid('al-20', 'team'))).toBe('avoid-list-full');
    // An existing entry may still change, and a removed one makes room.
    expect((await ann.avoid('al-7', 'match')).avoided.find((each) => each.playerId === 'al-7')?.scope).toBe(
      'match',
    );
    await ann.stopAvoiding('al-7');
    expect((await ann.avoid('al-20', 'team')).avoided).toHaveLength(20);
    expect(await codeOf(ann.avoid('al-ann', 'team'))).toBe('player-twice');
  });
});

describe('R18 behaviour', () => {
  const ids = ['be-ann', 'be-bob', 'be-cid', 'be-dan'];

  it('counts one report per team-mate and match; low scores then meet', async () => {
    const queue = await queueOf('parties-behaviour', 2);
    const tickets = await Promise.all(ids.map((id) => alone(id, queue)));
    const [first] = tickets;
    if (!first) throw new Error('nobody plays');
    const { matchId, teams } = await teamsOf(first);
    const [[reporter = '', low = ''] = [], [other = '', lowToo = ''] = []] = teams;
    const client = await stack.player(reporter);
    const said = { playerId: low, kind: 'abuse', note: 'shouted' } as const;

    expect(await codeOf(client.reportBehaviour(matchId, said))).toBe('match-not-over');
    await playOut(tickets);
    expect(await client.reportBehaviour(matchId, said)).toBe(true);
    expect(await client.reportBehaviour(matchId, said)).toBe(false);
    expect(await codeOf(client.reportBehaviour(matchId, { playerId: low, kind: 'friendly' }))).toBe(
      'already-reported',
    );
    expect(await codeOf(client.reportBehaviour(matchId, { playerId: other, kind: 'abuse' }))).toBe(
      'report-refused',
    );
    expect(await codeOf((await stack.player('be-eve')).reportBehaviour(matchId, said))).toBe(
      'match-not-found',
    );
    await (await stack.player(other)).reportBehaviour(matchId, { playerId: lowToo, kind: 'leaving' });

    const account = await stack.operator.behaviour(low);
    expect(account.score).toBeCloseTo(0.8, 3);
    expect(account.reports).toMatchObject([{ matchId, reporter, kind: 'abuse', note: 'shouted', weight: 1 }]);
    expect(await (await stack.player(low)).behaviour()).toMatch(/good|mixed/);
    expect(await (await stack.player(reporter)).behaviour()).toBe('good');

    const strict = await queueOf('parties-strict', 1, {
      maxPartySize: 1,
      behaviour: { lowBelow: 0.9, apartSeconds: null },
    });
    const lowTicket = await alone(low, strict);
    const [good, goodToo] = [await alone(reporter, strict), await alone(other, strict)];
    // The low score has waited longest, and is skipped.
    expect((await teamsOf(good)).teams.flat().toSorted()).toEqual([reporter, other].toSorted());
    await goodToo.assigned();
    expect(await lowTicket.read()).toMatchObject({ state: 'waiting' });
    const lowTooTicket = await alone(lowToo, strict);
    expect((await teamsOf(lowTooTicket)).teams.flat().toSorted()).toEqual([low, lowToo].toSorted());
    expect(await client.reportBehaviour(matchId, { playerId: other, kind: 'cheating' })).toBe(true);
  });
});

describe('R20 entry', () => {
  it('is refused with the missing requirements, and granted once they are met', async () => {
    const open = await queueOf('parties-entry-open', 1, { maxPartySize: 1 });
    const ranked = await queueOf('parties-entry', 2, {
      entry: { verified: true, minPlayMinutes: 60, minMatches: 1 },
    });
    const proven = { verified: true, playMinutes: 90 };
    const asked = { queue: ranked, build };

    const stranger = await problemOf((await stack.player('en-ann')).enqueue(asked));
    expect(stranger).toMatchObject({ code: 'entry-refused', status: 403 });
    expect(stranger.message).toMatch(
      /^You may not queue in .*: you must have a verified account; you must have played 60 minutes/,
    );
    const ann = await stack.player('en-ann', proven);
    expect((await problemOf(ann.enqueue(asked))).message).toMatch(/: you must have 1 rated match/);

    await playOut([await alone('en-ann', open), await alone('en-bob', open)]);
    await until(async () => (await stack.operator.rating(pool, 'en-ann')).matches === 1);
    const admitted = await ann.enqueue(asked);
    expect(admitted).toMatchObject({ state: 'waiting', players: ['en-ann'] });
    await ann.cancel(admitted.ticketId);

    // Every member must meet them: the facts are in the pass, or recorded on joining.
    const unproven = await stack.player('en-bob');
    const bob = await stack.player('en-bob', proven);
    const byPass = async (member: typeof bob) =>
      ann.enqueue({ ...asked, partyPasses: [await member.partyPass('en-ann')] });
    expect((await problemOf(byPass(unproven))).message).toMatch(/: en-bob must have a verified account/);
    const passed = await byPass(bob);
    expect(passed.players).toEqual(['en-ann', 'en-bob']);
    await ann.cancel(passed.ticketId);

    const { partyId } = await ann.createParty();
    await ann.invite(partyId, 'en-bob');
    await unproven.joinParty(partyId);
    expect(await codeOf(ann.enqueue({ ...asked, partyId }))).toBe('entry-refused');
    await bob.joinParty(partyId);
    expect((await ann.enqueue({ ...asked, partyId })).players).toEqual(['en-ann', 'en-bob']);
  });
});
