import { seededRandom } from '@muster/domain';
import { defaultPoolRules } from '@muster/skill';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { erasePlayer, ErasureRefused } from '../../apps/cli/src/player-data/erase.store.js';
import { rowsOf } from '../../apps/cli/src/player-data/export.js';
import { hold } from '../../apps/cli/src/player-data/hold.js';
import { places } from '../../apps/cli/src/player-data/places.js';
import { PostgresBoosters } from '../../apps/rating/src/boosters/boosters.store.js';
import { habitHash, HabitNotes } from '@muster/platform';
import { PostgresSeasons } from '../../apps/rating/src/seasons/seasons.store.js';
import { as } from '../support/database.js';
import { databaseForEach, noon } from './fixtures.js';
import { watchedAll } from './integrity-fixtures.js';
import { aPool, ended } from './ledger-fixtures.js';
import { inForce, Ladder, rebuilt, replica, withoutRules } from './rebuild-fixtures.js';
import { createDb, type Db } from '../support/prisma.js';

const data = databaseForEach();
const said = { by: 'olga', reason: 'p3 asked for it', now: noon };
const rename = { id: 'p3', alias: 'erased-000000000000000001' };

/** Tables that may name a player in texts or JSON of a match or a job; an erasure replaces the id there. */
const naming: readonly string[] = [
  'match',
  'balance_order',
  'live_balance',
  'session',
  'command',
  'result',
  'result_conflict',
  'proposal_verdict',
  'outbox',
  'outbox_sent',
  'event_outbox',
  'event_log',
  'webhook_delivery',
  'pool_rebuild',
  'season',
];

/** Tables without data of players, of all that the schema has. */
const withoutPlayers = [
  'pause',
  'enrolment_key',
  'operator_key',
  'sign_in_code',
  'server',
  'revoked_server',
  'freed_slot',
  'allocator_replica',
  'slot',
  'placement',
  'scale_out',
  'server_request',
  'allocation',
  'backfill',
  'rating_pool',
  'pool_version',
  'rated_match',
  'rated_total',
  'placement_fit',
  'pool_tuning',
  'queue_rules',
  'erasure',
  'integrity_cursor',
  'event_bounds',
  'ticket_event_place',
  'webhook',
];

async function played(): Promise<Ladder> {
  const { db } = data();
  const ladder = new Ladder(db, 'ladder');
  await ladder.ledger.pools.create(aPool('ladder', { ...defaultPoolRules, integrity: {} }));
  const random = seededRandom(13);
  const rules = { keep: 0.5, uncertainty: 0.5, placementMatches: 2 };
  await ladder.season(40, random);
  await ladder.give('set', 'set-p3', 'p3');
  await new PostgresSeasons(as('rating', db)).begin(
    { pool: 'ladder', number: 1, name: 'Winter', rules, by: 'olga', reason: 'p3 likes snow' },
    noon + 1,
  );
  await ladder.season(40, random);
  await boosted(ladder);
  const notes = new HabitNotes(as('rating', db), habitHash(JSON.stringify({ d: 'secret' })));
  await notes.note('boosted', { p3: { device: 'd-1' }, p4: { device: 'd-2' } }, noon);
  await rebuilt(db, 'ladder');
  await watchedAll(db, 'ladder');
  await audit(db, 'about', ['ladder', 'p3'], 'p3 asked');
  await audit(db, 'mention', ['ladder', 'p4'], 'as p3 says');
  return ladder;
}

/** A row of the audit log. */
async function audit(db: Db, request: string, targets: string[], reason: string): Promise<void> {
  await db.$executeRaw`
    INSERT INTO audit_entry (request, service, who, sign_in, role, call, targets, reason, asked, origin, outcome)
    VALUES (${request}, 'rating', 'olga', 'key', 'operator', 'setRating', ${targets}::text[], ${reason},
      ${JSON.stringify({ playerId: targets[1], reason })}::jsonb, '', 'done')`;
}

/** A match that p3 plays with a booster. */
async function boosted({ db, ledger }: Ladder): Promise<void> {
  await new PostgresBoosters(as('rating', db)).grant(
    {
      boosterId: 'bst_1',
      pool: 'ladder',
      playerId: 'p3',
      division: 'Gold',
      matches: 2,
      kFactor: 2,
      by: 'olga',
      reason: 'p3 won it',
    },
    noon,
  );
  await ended(
    db,
    { matchId: 'boosted', teams: [['p3'], ['p4']], ranks: [1, 2] },
    { boosters: { p3: 'bst_1' } },
  );
  await ledger.matches.rate('boosted', noon);
}

/** All rows of all tables, as text. */
async function dump(): Promise<string> {
  const { db } = data();
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`;
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await db.$queryRawUnsafe<{ text: string }[]>(
      // The fingerprint of a report is its text in this folder, and a hash in services.
      `SELECT (to_jsonb(row) - 'digest')::text AS text FROM "${name}" AS row`,
    );
    texts.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return texts.join('\n');
}

/** Lines that name a player as a whole id. */
const naming3 = (text: string): string[] =>
  text.split('\n').filter((line) => /(?<![\w@-])p3(?![\w@-])/.test(line));

describe('the places of players’ data', () => {
  it('are all tables of the schema, but those without players', () => {
    const schema = readFileSync('prisma/schema.prisma', 'utf8');
    const tables = [...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, table = '']) => table);
    const known = [...places.map(({ table }) => table), ...naming, ...withoutPlayers];
    expect(tables.toSorted()).toEqual([...new Set(known)].toSorted());
  });

  it('are all in docs/privacy.md', () => {
    const page = readFileSync('docs/privacy.md', 'utf8');
    expect(
      [...places.map(({ table }) => table), ...naming].filter((table) => !page.includes(`\`${table}\``)),
    ).toEqual([]);
  });

  it('have the rows of a player', async () => {
    await played();
    await data().db.calibrationSearch.create({
      data: {
        pool: 'ladder',
        playerId: 'p3',
        search: { tried: [] },
        state: 'open',
        updatedAt: new Date(noon),
      },
    });
    const found = await rowsOf(data().db, 'p3');
    expect(found['calibration_search']?.rows).toMatchObject([
      { pool: 'ladder', player_id: 'p3', state: 'open' },
    ]);
    expect(Object.keys(found)).toEqual(
      expect.arrayContaining(['rating', 'rating_change', 'rating_event', 'match_player', 'booster']),
    );
    expect(JSON.stringify(found)).not.toMatch(/"p4"/);
    expect(found['player_habit']?.rows).toEqual([
      {
        pool: 'ladder',
        player_id: 'p3',
        kind: 'device',
        first_seen_at: expect.any(String),
        seen_at: expect.any(String),
      },
    ]);
    expect(found['audit_entry']?.rows).toMatchObject([{ call: 'setRating', outcome: 'done' }]);
    expect(await rowsOf(data().db, 'nobody')).toEqual({});
  });
});

describe('an erasure', () => {
  it('leaves no row that names the player, and every other rating as it is, also after a rebuild', async () => {
    const { db } = data();
    const ladder = await played();
    expect(naming3(await dump()).length).toBeGreaterThan(50);
    const before = await inForce(db, 'ladder');

    const rows = await erasePlayer(db, rename, said);
    expect(rows).toMatchObject({
      rating_event: expect.any(Number),
      season_standing: expect.any(Number),
      player_habit: 1,
      audit_entry: 1,
    });
    expect(await db.playerHabit.findMany({ select: { playerId: true } })).toEqual([{ playerId: 'p4' }]);
    expect(naming3(await dump())).toEqual([]);
    const mine = (texts: readonly string[]): string[] =>
      texts.map((text) => text.replaceAll('"p3"', '"erased-000000000000000001"')).toSorted();
    const after = await inForce(db, 'ladder');
    expect(mine(after.ratings)).toEqual(mine(before.ratings));
    expect(mine(after.changes)).toEqual(mine(before.changes));

    await rebuilt(db, 'ladder');
    expect(mine((await inForce(db, 'ladder')).ratings)).toEqual(mine(before.ratings));
    expect(mine((await inForce(db, 'ladder')).changes)).toEqual(mine(before.changes));
    // And the id is that of a stranger, who can play.
    await ladder.season(20, seededRandom(4));
    const live = await inForce(db, 'ladder');
    await rebuilt(db, 'ladder');
    expect(await inForce(db, 'ladder')).toEqual(live);
    expect(await erasePlayer(db, { id: 'nobody', alias: 'erased-000000000000000002' }, said)).toMatchObject({
      rating: 0,
      match_player: 0,
    });
  });

  it('is refused under a legal hold, in a match, and while a pool is rebuilt; then nothing changes', async () => {
    const { db } = data();
    await played();
    const before = await dump();
    const refused = (why: string): Promise<void> =>
      expect(erasePlayer(db, rename, said)).rejects.toThrow(
        expect.objectContaining({ message: expect.stringContaining(why) }),
      );

    await db.legalHold.create({
      data: { playerId: 'p3', by: 'olga', reason: 'A court asked.', since: new Date(noon) },
    });
    await refused('legal hold by olga: A court asked. "muster players release p3" ends it.');
    await db.legalHold.update({ where: { playerId: 'p3' }, data: { reason: 'court order 12' } });
    await refused('legal hold by olga: court order 12. "muster players release p3" ends it.');
    await db.legalHold.deleteMany();
    const [match] = await db.match.findMany({ take: 1 });
    await db.livePlayer.create({ data: { playerId: 'p3', matchId: match?.id ?? '' } });
    await refused('p3 is in match');
    await db.livePlayer.deleteMany();
    expect(await dump()).toBe(before);
    await replica(db).request('ladder', withoutRules);
    await refused('"ladder" is being rebuilt');
    await expect(erasePlayer(db, rename, said)).rejects.toThrow(ErasureRefused);
  });

  it('has one legal hold: it may be repeated, and a second one with another reason is refused', async () => {
    const { db } = data();
    await hold(db, 'p7', { by: 'olga', reason: 'court1' }, noon);
    await hold(db, 'p7', { by: 'olga', reason: 'court1' }, noon + 5);
    await expect(hold(db, 'p7', { by: 'olga', reason: 'court2' }, noon + 9)).rejects.toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          /^p7 is already under a legal hold by olga since [-\d]+ [:\d]+: court1\. .*"muster players release p7"/,
        ),
      }),
    );
    expect(await db.legalHold.findMany()).toEqual([
      { playerId: 'p7', by: 'olga', reason: 'court1', since: new Date(noon) },
    ]);
  });

  it('is the only rewrite of the ledger, and no service may say that it erases', async () => {
    const { db } = data();
    await played();
    await expect(
      db.$executeRaw`UPDATE rating_change SET player_id = 'x' WHERE player_id = 'p3'`,
    ).rejects.toThrow('append-only');
    const rewrite = createDb(data().url, { maxConnections: 1 });
    await expect(
      rewrite.$transaction(async (tx) => {
        await tx.$executeRaw`GRANT UPDATE ON rating_change TO muster_rating`;
        await tx.$executeRaw`SET LOCAL ROLE muster_rating`;
        await tx.$executeRaw`SELECT set_config('muster.erasure', 'on', true)`;
        await tx.$executeRaw`UPDATE rating_change SET player_id = 'x' WHERE player_id = 'p3'`;
      }),
    ).rejects.toThrow('append-only');
    await rewrite.$disconnect();
  });
});
