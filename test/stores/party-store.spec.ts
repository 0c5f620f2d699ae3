import { PostgresPartyStore } from '../../apps/queue/src/parties/party.store.js';
import { largestParty, type JoiningPlayer, type Party } from '@muster/domain';
import { readPlayerClaims } from '@muster/platform';
import { describe, expect, it } from 'vitest';
import { blocked } from '../support/gate.js';
import { databaseForEach, noon, range, tally } from './fixtures.js';
import { as } from '../support/database.js';
import type { Db } from '../support/prisma.js';

const data = databaseForEach();

const storeOn = (db: Db): PostgresPartyStore => new PostgresPartyStore(as('queue', db), readPlayerClaims);
const theStore = (): PostgresPartyStore => storeOn(data().db);
/** Stores as so many processes would have them. */
const processes = (count: number): PostgresPartyStore[] => range(count).map(() => storeOn(data().connect(1)));

const minute = 60_000;
const someone = (playerId: string, over: Partial<JoiningPlayer> = {}): JoiningPlayer => ({
  playerId,
  latencyMs: {},
  claims: {},
  ...over,
});
const idsOf = (party: Party | null): string[] => party?.members.map((member) => member.playerId) ?? [];
const nothing = async (): Promise<void> => undefined;

async function invite(store: PostgresPartyStore, partyId: string, by: string, ...playerIds: string[]) {
  for (const playerId of playerIds) {
    const { outcome } = await store.invite(partyId, by, playerId, noon + minute, noon);
    expect(outcome).toBe('invited');
  }
}

/** A party of players who have joined it, the first of whom leads. */
async function joined(partyId: string, ...playerIds: string[]): Promise<void> {
  const store = theStore();
  const [leader = '', ...others] = playerIds;
  await store.create(partyId, someone(leader), noon);
  await invite(store, partyId, leader, ...others);
  for (const [i, playerId] of others.entries())
    expect(await store.join(partyId, someone(playerId), noon + i + 1)).toMatchObject({ outcome: 'joined' });
}

describe('C4 a party', () => {
  it('has its leader first, then whoever joined, with what each brought', async () => {
    const store = theStore();
    const bob = someone('bob', {
      latencyMs: { eu: 20.5, us: 110 },
      canPlay: ['tank'],
      claims: { verified: true, playMinutes: 90, accountCreatedAt: noon },
      build: '1.4',
      platform: 'xbox',
      crossPlay: false,
    });
    await store.create('p', someone('zed'), noon);
    await invite(store, 'p', 'zed', 'bob', 'ann');
    await store.join('p', bob, noon + 1);
    await store.join('p', someone('ann'), noon + 2);
    const party = await store.find('p', noon);
    expect(idsOf(party)).toEqual(['zed', 'bob', 'ann']);
    expect(party?.members[1]).toEqual({ ...bob, joinedAt: noon + 1 });
    expect(party).toMatchObject({ partyId: 'p', leader: 'zed', invitations: [] });
    expect(await store.ofPlayer('ann', noon)).toEqual(party);
  });

  it('takes what a member says anew of their client, and forgets what they no longer say', async () => {
    const store = theStore();
    await joined('p', 'ann', 'bob');
    const said = { build: '1.5', platform: 'pc' };
    await store.join('p', someone('bob', { ...said, crossPlay: false }), noon + 5);
    expect((await store.find('p', noon))?.members[1]).toMatchObject({ ...said, crossPlay: false });
    await store.join('p', someone('bob', { build: '1.6' }), noon + 6);
    expect((await store.find('p', noon))?.members[1]).toEqual({
      ...someone('bob'),
      build: '1.6',
      joinedAt: noon + 1,
    });
  });

  it('is joined by whoever was invited, while the invitation holds, once', async () => {
    const store = theStore();
    await store.create('p', someone('ann'), noon);
    expect(await store.join('p', someone('bob'), noon)).toEqual({ outcome: 'not-invited' });
    await invite(store, 'p', 'ann', 'bob', 'cid');
    expect(await store.invitationsOf('bob', noon)).toEqual([
      { partyId: 'p', leader: 'ann', expiresAt: noon + minute },
    ]);
    expect(await store.join('p', someone('bob'), noon + minute)).toEqual({ outcome: 'not-invited' });
    expect(await store.invitationsOf('bob', noon + minute)).toEqual([]);
    expect(await store.join('p', someone('cid'), noon + minute - 1)).toMatchObject({ outcome: 'joined' });
    expect(await store.leave('p', 'cid', noon, nothing)).toMatchObject({ outcome: 'left' });
    expect(await store.join('p', someone('cid'), noon)).toEqual({ outcome: 'not-invited' });
    expect(await store.join('q', someone('cid'), noon)).toEqual({ outcome: 'unknown' });
  });

  it('takes what a member brings anew, without another invitation', async () => {
    await joined('p', 'ann', 'bob');
    const again = someone('bob', { latencyMs: { eu: 7 }, claims: { verified: true } });
    const result = await theStore().join('p', again, noon + 9);
    expect(result).toMatchObject({ outcome: 'joined', party: { members: [{}, again] } });
    expect(idsOf(await theStore().find('p', noon))).toEqual(['ann', 'bob']);
  });

  it('is invited to by its leader alone, up to so many', async () => {
    const store = theStore();
    await joined('p', 'ann', 'bob');
    expect(await store.invite('p', 'bob', 'cid', noon + minute, noon)).toEqual({ outcome: 'not-leader' });
    expect(await store.invite('q', 'ann', 'cid', noon + minute, noon)).toEqual({ outcome: 'unknown' });
    expect(await store.invite('p', 'ann', 'bob', noon + minute, noon)).toMatchObject({ outcome: 'member' });
    await invite(store, 'p', 'ann', ...range(largestParty - 2).map((i) => `p${i}`));
    expect(await store.invite('p', 'ann', 'late', noon + minute, noon)).toEqual({ outcome: 'full' });
    // Whoever is invited already is so for longer, and invitations that ended make room.
    expect(await store.invite('p', 'ann', 'p0', noon + 2 * minute, noon)).toMatchObject({
      outcome: 'invited',
    });
    expect(await store.invite('p', 'ann', 'late', noon + 2 * minute, noon + minute)).toMatchObject({
      outcome: 'invited',
      party: { invitations: [{ playerId: 'late' }, { playerId: 'p0' }] },
    });
  });

  it('ends with its leader, and members are free', async () => {
    const store = theStore();
    await joined('p', 'ann', 'bob');
    await invite(store, 'p', 'ann', 'cid');
    expect(await store.leave('p', 'ann', noon, nothing)).toEqual({ outcome: 'ended' });
    expect(await store.find('p', noon)).toBeNull();
    expect(await store.ofPlayer('bob', noon)).toBeNull();
    expect(await store.invitationsOf('cid', noon)).toEqual([]);
    expect(await store.leave('p', 'bob', noon, nothing)).toEqual({ outcome: 'unknown' });
    expect(await store.create('q', someone('bob'), noon)).toMatchObject({ outcome: 'created' });
  });

  it('is passed to a member by its leader alone, and a repeat changes nothing', async () => {
    const store = theStore();
    await joined('p', 'ann', 'bob', 'cid');
    await invite(store, 'p', 'ann', 'dan');
    expect(await store.pass('p', 'bob', 'cid', noon)).toEqual({ outcome: 'not-leader' });
    expect(await store.pass('p', 'ann', 'dan', noon)).toEqual({ outcome: 'not-member' });
    expect(await store.pass('p', 'eve', 'ann', noon)).toEqual({ outcome: 'unknown' });
    expect(await store.pass('q', 'ann', 'bob', noon)).toEqual({ outcome: 'unknown' });
    expect(await store.pass('p', 'ann', 'cid', noon)).toMatchObject({ outcome: 'passed' });
    const party = await store.find('p', noon);
    expect(party).toMatchObject({ leader: 'cid', invitations: [{ playerId: 'dan' }] });
    expect(idsOf(party)).toEqual(['cid', 'ann', 'bob']);
    expect(await store.pass('p', 'ann', 'cid', noon)).toEqual({ outcome: 'passed', party });
    // The former leader may leave, and the party goes on.
    expect(await store.leave('p', 'ann', noon, nothing)).toMatchObject({ outcome: 'left' });
    expect(await store.invite('p', 'cid', 'ann', noon + minute, noon)).toMatchObject({ outcome: 'invited' });
  });

  it('has one leader, who is a member, whoever is passed it, leaves or ends it at once', async () => {
    await joined('p', 'ann', 'bob', 'cid');
    const [one, two, three, four] = processes(4);
    if (!one || !two || !three || !four) throw new Error('four processes');
    const outcomes = await Promise.all([
      one.pass('p', 'ann', 'bob', noon),
      two.pass('p', 'ann', 'cid', noon),
      three.leave('p', 'bob', noon, nothing),
      four.leave('p', 'ann', noon, nothing),
    ]);
    const party = await theStore().find('p', noon);
    const ended = outcomes.some(({ outcome }) => outcome === 'ended');
    expect(party === null).toBe(ended);
    expect(idsOf(party)[0]).toBe(party?.leader);
  });

  it('loses an invitation that is declined or withdrawn, and may send another', async () => {
    const store = theStore();
    await joined('p', 'ann', 'bob');
    await invite(store, 'p', 'ann', 'cid', 'dan');
    expect(await store.uninvite('p', 'bob', 'dan', noon)).toEqual({ outcome: 'not-leader' });
    expect(await store.uninvite('p', 'cid', 'dan', noon)).toEqual({ outcome: 'unknown' });
    for (const _ of range(2))
      expect(await store.uninvite('p', 'cid', 'cid', noon)).toEqual({ outcome: 'gone', party: null });
    expect(await store.join('p', someone('cid'), noon)).toEqual({ outcome: 'not-invited' });
    for (const _ of range(2))
      expect(await store.uninvite('p', 'ann', 'dan', noon)).toMatchObject({ party: { invitations: [] } });
    // Members and parties that never were are left alone.
    await store.uninvite('p', 'bob', 'bob', noon);
    await store.uninvite('q', 'bob', 'bob', noon);
    expect(idsOf(await store.find('p', noon))).toEqual(['ann', 'bob']);
    await invite(store, 'p', 'ann', 'cid');
    expect(await store.join('p', someone('cid'), noon)).toMatchObject({ outcome: 'joined' });
  });

  it('is joined or declined, whichever is first', async () => {
    const store = theStore();
    await joined('p', 'ann');
    await invite(store, 'p', 'ann', 'bob');
    const [one, two] = processes(2);
    const [join] = await Promise.all([
      one?.join('p', someone('bob'), noon),
      two?.uninvite('p', 'bob', 'bob', noon),
    ]);
    const party = await store.find('p', noon);
    expect(party?.invitations).toEqual([]);
    expect(idsOf(party)).toEqual(join?.outcome === 'joined' ? ['ann', 'bob'] : ['ann']);
  });

  it('stays as it was when what must come before leaving fails', async () => {
    await joined('p', 'ann', 'bob');
    const refuse = async (): Promise<void> => Promise.reject(new Error('it plays'));
    await expect(theStore().leave('p', 'bob', noon, refuse)).rejects.toThrow('it plays');
    expect(idsOf(await theStore().find('p', noon))).toEqual(['ann', 'bob']);
  });

  it('is ended when nobody did anything with it for long', async () => {
    const store = theStore();
    await joined('old', 'ann', 'bob');
    await joined('used', 'cid');
    await store.hold('used', noon + minute, nothing);
    await invite(store, 'used', 'cid', 'dan');
    await store.hold('used', noon + minute, nothing);
    await store.endIdle(noon + minute, noon + minute);
    expect(await store.find('old', noon)).toBeNull();
    expect(await store.find('used', noon)).toMatchObject({ invitations: [] });
  });
});

describe('C4 a player is in one party at most', () => {
  it('however many they found at once', async () => {
    const results = await Promise.all(
      processes(6).map((store, i) => store.create(`p${i}`, someone('ann'), noon)),
    );
    expect(tally(results.map(({ outcome }) => outcome))).toEqual({ created: 1, 'in-party': 5 });
    expect(await data().db.party.count()).toBe(1);
    const party = await theStore().ofPlayer('ann', noon);
    for (const result of results)
      if (result.outcome === 'in-party') expect(result.partyId).toBe(party?.partyId);
  });

  it('however many they join at once; the other invitations stay', async () => {
    for (const i of range(6)) {
      await joined(`p${i}`, `leader${i}`);
      await invite(theStore(), `p${i}`, `leader${i}`, 'bob');
    }
    const results = await Promise.all(
      processes(6).map((store, i) => store.join(`p${i}`, someone('bob'), noon)),
    );
    expect(tally(results.map(({ outcome }) => outcome))).toEqual({ joined: 1, 'in-party': 5 });
    expect(await theStore().invitationsOf('bob', noon)).toHaveLength(5);
    expect(await data().deadlocks()).toBe(0);
  });

  it('when one that they found and one that they join come at once', async () => {
    await joined('p', 'ann');
    await invite(theStore(), 'p', 'ann', 'bob');
    const [one, other] = processes(2);
    const results = await Promise.all([
      one?.join('p', someone('bob'), noon),
      other?.create('q', someone('bob'), noon),
    ]);
    expect(results.filter((result) => result?.outcome === 'in-party')).toHaveLength(1);
    expect(await data().db.partyMember.count({ where: { playerId: 'bob' } })).toBe(1);
  });
});

describe('C4 several at once', () => {
  it('all join', async () => {
    const guests = range(8).map((i) => `guest${i}`);
    await joined('p', 'ann');
    await invite(theStore(), 'p', 'ann', ...guests);
    const results = await Promise.all(
      processes(8).map((store, i) => store.join('p', someone(guests[i] ?? ''), noon)),
    );
    expect(tally(results.map(({ outcome }) => outcome))).toEqual({ joined: 8 });
    expect(idsOf(await theStore().find('p', noon)).toSorted()).toEqual(['ann', ...guests]);
  });

  it('take one invitation up once', async () => {
    await joined('p', 'ann');
    await invite(theStore(), 'p', 'ann', 'bob');
    const results = await Promise.all(processes(4).map((store) => store.join('p', someone('bob'), noon)));
    // The others find a member who says anew what they bring.
    expect(tally(results.map(({ outcome }) => outcome))).toEqual({ joined: 4 });
    expect(idsOf(await theStore().find('p', noon))).toEqual(['ann', 'bob']);
  });

  it('leave and queue in turn: whoever is queued has not left', async () => {
    await joined('p', 'ann', 'bob');
    const [queueing, leaving] = processes(2);
    const story: string[] = [];
    let queued = (): void => undefined;
    let holds = (): void => undefined;
    const held = new Promise<void>((resolve) => (holds = resolve));
    const ticket = new Promise<void>((resolve) => (queued = resolve));
    const queue = queueing?.hold('p', noon, async (party) => {
      holds();
      await ticket;
      story.push(`queued ${idsOf(party).join(' ')}`);
    });
    await held;
    const leave = (leaving ?? theStore()).leave('p', 'bob', noon, async () => void story.push('bob leaves'));
    await blocked(data().db, 1, leave);
    expect(story).toEqual([]);
    queued();
    await Promise.all([queue, leave]);
    expect(story).toEqual(['queued ann bob', 'bob leaves']);
    expect(await theStore().hold('p', noon, async (party) => idsOf(party))).toEqual(['ann']);
  });
});
