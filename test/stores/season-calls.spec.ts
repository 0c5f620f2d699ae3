import type { BeginSeason } from '@muster/contracts';
import {
  PoolInvalid,
  SeasonConflict,
  StandingsUnavailable,
  TimePast,
  type SeasonRules,
} from '@muster/domain';
import { defaultPoolRules } from '@muster/skill';
import { beforeEach, describe, expect, it } from 'vitest';
import { SeasonArchive } from '../../apps/rating/src/seasons/archive.store.js';
import { Seasons } from '../../apps/rating/src/seasons/seasons.js';
import { PostgresSeasons } from '../../apps/rating/src/seasons/seasons.store.js';
import { as } from '../support/database.js';
import { databaseForEach, noon } from './fixtures.js';
import { aPool } from './ledger-fixtures.js';
import { Ladder } from './rebuild-fixtures.js';

const data = databaseForEach();
const minute = 60_000;
const hour = 60 * minute;
const own: SeasonRules = { keep: 0.6, uncertainty: 0.7, placementMatches: 0 };
const rules: SeasonRules = { keep: 0.5, uncertainty: 0.5, placementMatches: 5 };

let now: number;
let store: PostgresSeasons;
let seasons: Seasons;
let archive: SeasonArchive;
beforeEach(async () => {
  now = noon;
  const { ledger } = new Ladder(data().db, 'ladder');
  const db = as('rating', data().db);
  store = new PostgresSeasons(db);
  archive = new SeasonArchive(db);
  seasons = new Seasons(store, ledger.ratings, { now: () => now });
  await ledger.pools.create(aPool('ladder', { ...defaultPoolRules, season: own }));
  await ledger.pools.create(aPool('plain'));
});

const begin = (number: number, body: BeginSeason = {}, pool = 'ladder') =>
  seasons.begin(pool, number, body, 'olga');

describe('the time of a season', () => {
  it('may not be past: seconds in place of milliseconds begin nothing', async () => {
    const slip = begin(1, { startsAt: Math.floor((noon + hour) / 1000) });
    await expect(slip).rejects.toThrow(TimePast);
    await expect(slip).rejects.toThrow(
      /`startsAt` is 1970-01-.*milliseconds.*ISO 8601.*omit it to begin now/,
    );
    await expect(begin(1, { startsAt: noon - 2 * minute })).rejects.toThrow(TimePast);
    expect(await seasons.list('ladder')).toEqual([]);
    // The call may have taken a while.
    expect(await begin(1, { startsAt: noon - 10_000 })).toMatchObject({ startedAt: noon });
    expect(await begin(2)).toMatchObject({ startedAt: noon });
  });

  it('may be repeated when the announced one has passed', async () => {
    const announcement = { startsAt: noon + hour, name: 'Spring' };
    const announced = await begin(1, announcement);
    expect(announced).toMatchObject({ startedAt: null, startsAt: noon + hour });
    expect(await begin(1, announcement)).toEqual(announced);
    now = noon + 2 * hour;
    // The loop that begins seasons was behind.
    const begun = await begin(1, announcement);
    expect(begun).toMatchObject({ name: 'Spring', startsAt: noon + hour, startedAt: now });
    now += hour;
    expect(await begin(1, announcement)).toEqual(begun);
    await expect(begin(2, { startsAt: noon + hour })).rejects.toThrow(TimePast);
  });

  it('of a call that began at once may be repeated, too', async () => {
    const begun = await begin(1, { startsAt: noon - 5 });
    now += hour;
    expect(await begin(1, { startsAt: noon - 5 })).toEqual(begun);
  });
});

describe('a season that was announced', () => {
  const spring = { name: 'Spring', rules, reason: 'a new map' };

  it('keeps what was announced when it is begun by hand or moved', async () => {
    await begin(1, { ...spring, startsAt: noon + hour });
    expect(await begin(1, { startsAt: noon + 2 * hour })).toMatchObject({
      ...spring,
      startsAt: noon + 2 * hour,
    });
    expect(await begin(1)).toMatchObject({ ...spring, startedAt: noon });
    expect((await data().db.ratingEvent.findFirst({ where: { kind: 'season' } }))?.detail).toMatchObject(
      spring,
    );
    // Its rules, in a pool without.
    await begin(1, { ...spring, startsAt: noon + hour }, 'plain');
    expect(await begin(1, {}, 'plain')).toMatchObject(spring);
  });

  it('takes what is given in its place, and does not begin by a change without a time', async () => {
    await begin(1, { ...spring, startsAt: noon + hour });
    for (const change of [{ name: 'Summer' }, { rules: { ...rules, keep: 0 } }, { reason: 'another' }])
      await expect(begin(1, change)).rejects.toThrow(
        'Give `startsAt` to change the announcement, or leave the other fields out to begin it now.',
      );
    expect(await begin(1, { name: 'Summer', startsAt: noon + hour })).toMatchObject({ startedAt: null });
    expect(await begin(1, { name: 'Summer' })).toMatchObject({ ...spring, name: 'Summer', startedAt: noon });
  });

  it('and began early says when it began, not when it was to begin', async () => {
    await begin(1, { ...spring, startsAt: noon + hour });
    const begun = await begin(1);
    for (const startsAt of [noon, noon + hour]) expect(await begin(1, { startsAt })).toEqual(begun);
    await expect(begin(1, { startsAt: noon - hour })).rejects.toThrow(
      `it began at ${new Date(noon).toISOString()}`,
    );
  });

  it('has defaults for what nobody said', async () => {
    expect(await begin(1)).toMatchObject({
      name: 'Season 1',
      rules: own,
      reason: 'A new season.',
      by: 'olga',
    });
    await expect(begin(1, {}, 'plain')).rejects.toThrow(PoolInvalid);
  });
});

describe('a repeated call for a season that has begun', () => {
  const given = { name: 'Spring', rules, reason: 'a new map' };

  it('with equal values, or fewer, changes nothing', async () => {
    const begun = await begin(1, given);
    now += hour;
    for (const body of [given, {}, { name: 'Spring' }, { rules: { ...rules } }, { startsAt: noon }])
      expect(await begin(1, body)).toEqual(begun);
    // Also when a later one runs.
    await begin(2);
    expect(await begin(1, given)).toMatchObject({ ...begun, endedAt: now });
  });

  it.each<[string, BeginSeason, string]>([
    ['another name', { name: 'Summer' }, 'its name is "Spring"'],
    [
      'other rules',
      { rules: { ...rules, keep: 1 } },
      'its rules are keep 0.5, uncertainty 0.5, placementMatches 5',
    ],
    ['another reason', { reason: 'boredom' }, 'its reason is "a new map"'],
    ['a later time', { startsAt: noon + 9 * hour }, 'it began at 2026-'],
    ['a time that passed', { startsAt: noon - 9 * hour }, 'it began at 2026-'],
  ])('with %s is refused', async (_what, body, message) => {
    await begin(1, given);
    now += hour;
    await expect(begin(1, body)).rejects.toThrow(SeasonConflict);
    await expect(begin(1, body)).rejects.toThrow(message);
    await expect(begin(1, body)).rejects.toThrow('the next one is season 2');
  });
});

describe('final standings', () => {
  it('are refused until all are archived', async () => {
    await begin(1);
    const read = () => seasons.standings('ladder', 0, { from: 1, limit: 10 });
    await expect(read()).rejects.toThrow(StandingsUnavailable);
    while (await archive.continue(noon));
    expect(await read()).toMatchObject({ season: { archivedAt: noon }, standings: [] });
  });
});
