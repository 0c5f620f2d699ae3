import { type QueueRules, QueueRulesSchema } from '@muster/domain/schemas';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkRulesDocument, pathText, rulesDocumentSchema } from './document.js';
import { readStoredRules } from '../http/queue/queue-rules.js';

const curve = [
  { afterSeconds: 0, limit: 4 },
  { afterSeconds: 5, limit: 8 },
  { afterSeconds: 45, limit: null },
];

/** Rules with every field. */
const full: QueueRules = {
  name: '5v5',
  mode: 'arena',
  pool: 'default',
  teams: 2,
  teamSize: 5,
  maxPartySize: 5,
  skillWindow: curve,
  teamGap: curve,
  latencyLimitMs: [
    { afterSeconds: 0, limit: 80 },
    { afterSeconds: 60, limit: null },
  ],
  pairPartiesSeconds: 30,
  roles: { tank: 1, healer: 1 },
  maps: { names: ['Blood Gulch', 'dust'], agreeSeconds: 20 },
  behaviour: { lowBelow: 0.3, apartSeconds: null },
  crossPlay: {
    groups: [
      ['pc', 'mac'],
      ['playstation', 'xbox'],
    ],
  },
  smallerTeams: [
    { afterSeconds: 60, teamSize: 4 },
    { afterSeconds: 90, teamSize: 3 },
  ],
  bots: { afterSeconds: 120, skill: 20, minPlayers: 4 },
  entry: { verified: true, minPlayMinutes: 600, minAccountDays: 14 },
  readyCheck: { seconds: 20, coolDownSeconds: [0, 60, 600], forgiveAfterSeconds: 86_400 },
  noShows: { coolDownSeconds: [300, 1_800], forgiveAfterSeconds: 604_800 },
  leavers: { coolDownSeconds: [300, 3_600, 86_400], forgiveAfterSeconds: 604_800 },
  backfill: { seconds: 120 },
  ticketTtlSeconds: 600,
  placementTimeoutSeconds: 300,
  calibrationMatches: 10,
};

/** A ticket's life that every step of {@link full} is within. */
const brief = { ticketTtlSeconds: 125 };
const corner = (afterSeconds: unknown, limit: unknown) => ({ afterSeconds, limit });
const without = (field: keyof QueueRules): object =>
  Object.fromEntries(Object.entries(full).filter(([key]) => key !== field));

/** The flaw, the document, and every path with a part of its message. */
type Wrong = [what: string, document: unknown, ...flaws: [path: string, says: string][]];

const wrong: Wrong[] = [
  // Shape and range.
  ['nothing', null, ['', 'the document is empty']],
  ['a sentence', 'five against five', ['', 'not "five against five"']],
  ['no queue', { queues: [] }, ['queues', 'the list is empty']],
  ['no list', { queues: full }, ['queues', 'must be a list of the rules of queues, not an object']],
  ['a list with a hole', { queues: [null] }, ['queues[0]', 'must be the rules of a queue, not null']],
  ['a field beside the list', { queues: [full], queue: 1 }, ['queue', 'do you mean queues?']],
  ['a name that is missing', without('name'), ['name', 'is missing; it must be the name of a queue']],
  ['a name that was taken for a number', { ...full, name: 55 }, ['name', 'not 55']],
  ['a name with capitals', { ...full, name: 'Ranked' }, ['name', 'small letters, digits and -']],
  ['two queues of one name', [full, full], ['[1].name', 'a queue "5v5" in this document already, number 1']],
  ['no mode', { ...full, mode: '' }, ['mode', 'must be the name of a game mode']],
  ['a pool with a space', { ...full, pool: 'my pool' }, ['pool', 'must be the name of a rating pool']],
  ['one team', { ...full, teams: 1 }, ['teams', 'must be a whole number from 2 to 10, not 1']],
  ['a number in words', { ...full, teams: 'two' }, ['teams', 'not "two"']],
  ['half a player', { ...full, teamSize: 4.5 }, ['teamSize', 'a whole number from 1 to 50, not 4.5']],
  ['teams of a hundred', { ...full, teamSize: 100 }, ['teamSize', 'from 1 to 50, not 100']],
  [
    'a slip of the pen',
    { ...without('skillWindow'), skilWindow: curve },
    ['skillWindow', 'is missing'],
    ['skilWindow', 'do you mean skillWindow?'],
  ],
  [
    'a field of another system',
    { ...full, elo: 1200 },
    ['elo', 'there is no field "elo" here; there is name, mode'],
  ],
  [
    'a field of a corner',
    { ...full, teamGap: [{ afterSeconds: 0, limit: 3, max: 9 }] },
    ['teamGap[0].max', 'there is afterSeconds, limit'],
  ],
  [
    'a number instead of a curve',
    { ...full, skillWindow: 8 },
    ['skillWindow', 'must be a list of 1 to 20 corners, not 8'],
  ],
  ['a curve without corners', { ...full, skillWindow: [] }, ['skillWindow', 'not an empty list']],
  [
    'a corner without a limit',
    { ...full, skillWindow: [{ afterSeconds: 0 }] },
    ['skillWindow[0].limit', 'is missing; it must be a number above 0'],
  ],
  ['a limit of nothing', { ...full, skillWindow: [corner(0, 0)] }, ['skillWindow[0].limit', 'above 0']],
  [
    'a limit without end',
    { ...full, teamGap: [corner(0, Infinity)] },
    ['teamGap[0].limit', 'or null for no limit any more, not Infinity'],
  ],
  [
    'a time before the beginning',
    { ...full, teamGap: [corner(-1, 3)] },
    ['teamGap[0].afterSeconds', 'from 0 to 86400, not -1'],
  ],
  [
    'a life in milliseconds',
    { ...full, ticketTtlSeconds: 600_000 },
    ['ticketTtlSeconds', 'seconds from 1 to 86400, not 600000'],
  ],
  ['tickets that end at once', { ...full, ticketTtlSeconds: 0 }, ['ticketTtlSeconds', 'from 1 to']],
  [
    'servers that nobody waits for',
    { ...full, placementTimeoutSeconds: null },
    ['placementTimeoutSeconds', 'not null'],
  ],
  [
    'a hundred calibration matches',
    { ...full, calibrationMatches: 100 },
    ['calibrationMatches', 'from 0 to 50, not 100'],
  ],
  [
    'a policy of live balance that is none',
    { ...full, liveBalance: 'fair' },
    ['liveBalance', 'must be a policy by its name (none, sectors-edge'],
  ],
  [
    'a policy with a rule of no kind',
    { ...full, liveBalance: { like: 'synelo', rules: [{ kind: 'vibes' }] } },
    ['liveBalance.rules[0].kind', 'powers, weight, sizes or swaps'],
  ],
  [
    'a policy that mixes teams in a mode without rules',
    { ...full, liveBalance: { scramble: { mode: 'dance', winsInARow: 3, fullRounds: 2, bench: 'anyone' } } },
    ['liveBalance.scramble.mode', 'must be one of arena, attack-defend'],
  ],
  [
    'a policy with a slip of the pen',
    { ...full, liveBalance: { like: 'synelo', rankd: 'move' } },
    ['liveBalance.rankd', 'do you mean ranked?'],
  ],
  ['an entry of nothing', { ...full, entry: {} }, ['entry', 'asks for nothing; give verified']],
  ['an entry that is a number', { ...full, entry: 10 }, ['entry', 'must be verified, minPlayMinutes']],
  [
    'an entry for the unverified',
    { ...full, entry: { verified: false } },
    ['entry.verified', 'must be true, or be left out where anybody may come, not false'],
  ],
  [
    'hours of play',
    { ...full, entry: { verified: true, minPlayHours: 10 } },
    ['entry.minPlayHours', 'there is no field "minPlayHours" here'],
  ],
  [
    'half a minute of play',
    { ...full, entry: { minPlayMinutes: 0.5 } },
    ['entry.minPlayMinutes', 'a whole number from 1 to 10000000, not 0.5'],
  ],
  [
    'an account of two centuries',
    { ...full, entry: { minAccountDays: 73_000 } },
    ['entry.minAccountDays', 'from 1 to 36500, not 73000'],
  ],
  [
    'calibration of nobody',
    { ...full, entry: { minMatches: 20 } },
    ['entry.minMatches', 'nobody plays the 10 calibration matches'],
  ],
  [
    'a role without a number',
    { ...full, roles: { tank: 'one' } },
    ['roles.tank', 'a whole number from 1 to 50, not "one"'],
  ],
  ['a role that nobody plays', { ...full, roles: { tank: 0 } }, ['roles.tank', 'from 1 to 50, not 0']],
  [
    'a role with a space',
    { ...full, roles: { 'off tank': 1 } },
    ['roles["off tank"]', 'the name of a role must'],
  ],
  ['a list of roles', { ...full, roles: ['tank'] }, ['roles', 'not a list of 1']],
  ['maps without when', { ...full, maps: { names: ['dust'] } }, ['maps.agreeSeconds', 'is missing']],
  [
    'no map',
    { ...full, maps: { names: [], agreeSeconds: 9 } },
    ['maps.names', 'a list of 1 to 200 maps, not an empty list'],
  ],
  [
    'a map with a space behind',
    { ...full, maps: { names: ['dust '], agreeSeconds: 9 } },
    ['maps.names[0]', 'without spaces around'],
  ],
  [
    'behaviour in percent',
    { ...full, behaviour: { lowBelow: 30, apartSeconds: null } },
    ['behaviour.lowBelow', 'from 0 to 1, not 30'],
  ],
  [
    'platforms in capitals',
    { ...full, crossPlay: { groups: [['PC']] } },
    ['crossPlay.groups[0][0]', 'small letters, digits and -, 32 at most, not "PC"'],
  ],
  [
    'platforms in no groups',
    { ...full, crossPlay: { groups: ['pc', 'xbox'] } },
    ['crossPlay.groups[0]', 'a list of 1 to 16 platforms, not "pc"'],
    ['crossPlay.groups[1]', 'a list of 1 to 16 platforms, not "xbox"'],
  ],
  ['bots of no skill', { ...full, bots: { afterSeconds: 60, minPlayers: 4 } }, ['bots.skill', 'is missing']],
  [
    'nothing where something is meant',
    { ...full, bots: null },
    ['bots', 'must be afterSeconds, skill and minPlayers, not null'],
  ],
  [
    'a ready check without time',
    { ...full, readyCheck: { ...full.readyCheck, seconds: 0 } },
    ['readyCheck.seconds', 'seconds from 1 to 300, not 0'],
  ],
  [
    'a ready check of nothing but time',
    { ...full, readyCheck: { seconds: 20 } },
    ['readyCheck.coolDownSeconds', 'a list of 1 to 20 cool-downs'],
    ['readyCheck.forgiveAfterSeconds', 'is missing'],
  ],
  [
    'one cool-down for all',
    { ...full, noShows: { coolDownSeconds: 300, forgiveAfterSeconds: 3_600 } },
    ['noShows.coolDownSeconds', 'must be a list of 1 to 20 cool-downs, not 300'],
  ],
  [
    'a cool-down for ever',
    { ...full, leavers: { coolDownSeconds: [300, null], forgiveAfterSeconds: 3_600 } },
    ['leavers.coolDownSeconds[1]', 'must be seconds from 0 to 604800, not null'],
  ],
  [
    'leavers who are asked',
    { ...full, leavers: { ...full.leavers, seconds: 20 } },
    ['leavers.seconds', 'there is coolDownSeconds, forgiveAfterSeconds'],
  ],
  [
    'a backfill without time',
    { ...full, backfill: { seconds: 0 } },
    ['backfill.seconds', 'seconds from 1 to 3600, not 0'],
  ],
  // Contradictions.
  [
    'a backfill that is over before it is accepted',
    { ...full, backfill: { seconds: 20 } },
    ['backfill.seconds', 'more than 20 (readyCheck.seconds), not 20'],
  ],
  [
    'cool-downs that shrink',
    { ...full, readyCheck: { seconds: 20, coolDownSeconds: [60, 30], forgiveAfterSeconds: 3_600 } },
    ['readyCheck.coolDownSeconds[1]', 'may not be shorter than the one before (was 60, is 30)'],
  ],
  [
    'offences forgotten too soon',
    { ...full, leavers: { coolDownSeconds: [60, 7_200], forgiveAfterSeconds: 3_600 } },
    ['leavers.forgiveAfterSeconds', 'at least 7200, not 3600'],
  ],
  [
    'a party larger than a team',
    { ...full, maxPartySize: 6 },
    ['maxPartySize', 'must fit into a team: at most 5 (teamSize), not 6'],
  ],
  [
    'pairs of parties where there are none',
    { ...full, maxPartySize: 1 },
    ['pairPartiesSeconds', 'no party may queue here'],
  ],
  [
    'parties that insist for ever',
    { ...full, pairPartiesSeconds: 600 },
    ['pairPartiesSeconds', 'is never reached'],
  ],
  [
    'a window that narrows',
    { ...full, skillWindow: [corner(0, 8), corner(20, 4)] },
    ['skillWindow[1].limit', 'may not narrow with waiting (was 8, is 4)'],
  ],
  [
    'a gap that narrows later',
    { ...full, teamGap: [corner(0, 3), corner(9, 9), corner(20, 6)] },
    ['teamGap[2].limit', '(was 9, is 6)'],
  ],
  [
    'a curve that begins late',
    { ...full, skillWindow: [corner(5, 8)] },
    ['skillWindow[0].afterSeconds', 'must be at 0 seconds, not 5'],
  ],
  [
    'corners out of order',
    { ...full, skillWindow: [corner(0, 4), corner(20, 8), corner(10, 9)] },
    ['skillWindow[2].afterSeconds', 'must rise in time (was 20, is 10)'],
  ],
  [
    'a corner twice',
    { ...full, teamGap: [corner(0, 4), corner(0, 8)] },
    ['teamGap[1].afterSeconds', '(was 0, is 0)'],
  ],
  [
    'a limit after no limit',
    { ...full, skillWindow: [corner(0, 4), corner(9, null), corner(20, 8)] },
    ['skillWindow[1].limit', 'only the last corner'],
  ],
  [
    'a last step that never matches',
    { ...full, skillWindow: [corner(0, 4), corner(600, null)] },
    ['skillWindow[1].afterSeconds', 'is never reached: a ticket expires after 600 s'],
  ],
  [
    'a time in milliseconds',
    { ...full, teamGap: [corner(0, 4), corner(45_000, 8)] },
    ['teamGap[1].afterSeconds', 'this is 45000 s'],
  ],
  [
    'latency in seconds',
    { ...full, latencyLimitMs: [corner(0, 0.08)] },
    ['latencyLimitMs[0].limit', '0.08 s would be 80'],
  ],
  [
    'more roles than players',
    { ...full, roles: { tank: 2, healer: 4 } },
    ['roles', 'want 6 players of a team of 5'],
  ],
  [
    'more roles than teams can be made for',
    {
      ...full,
      teamSize: 10,
      smallerTeams: [{ afterSeconds: 60, teamSize: 9 }],
      roles: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`role-${i}`, 1])),
    },
    ['roles', 'names 9 roles; teams can be made for 8 at most'],
  ],
  ['roles without a role', { ...full, roles: {} }, ['roles', 'names no role']],
  [
    'a small team that lacks a role',
    { ...full, roles: { tank: 2, healer: 2 } },
    ['smallerTeams[1].teamSize', 'a team of 3 cannot fill the roles, which want 4'],
  ],
  [
    'a map twice',
    { ...full, maps: { names: ['dust', 'inferno', 'dust'], agreeSeconds: null } },
    ['maps.names[2]', '"dust" is in the list already'],
  ],
  [
    'wishes for ever, not said so',
    { ...full, maps: { names: ['dust'], agreeSeconds: 900 } },
    ['maps.agreeSeconds', 'give null for “everybody’s wish, always”'],
  ],
  [
    'nobody of low behaviour',
    { ...full, behaviour: { lowBelow: 0, apartSeconds: null } },
    ['behaviour.lowBelow', 'nobody’s score is below 0'],
  ],
  [
    'apart for ever, not said so',
    { ...full, behaviour: { lowBelow: 0.3, apartSeconds: 600 } },
    ['behaviour.apartSeconds', 'give null for “never”'],
  ],
  [
    'a platform in two groups',
    {
      ...full,
      crossPlay: {
        groups: [
          ['pc', 'xbox'],
          ['xbox', 'switch', 'switch'],
        ],
      },
    },
    ['crossPlay.groups[1][0]', '"xbox" is in groups[0] already; a platform is in one group, once'],
    ['crossPlay.groups[1][2]', '"switch" is in this group already'],
  ],
  [
    'a party that opens nothing',
    { ...full, crossPlay: { groups: [['pc', 'xbox']], partiesOpenCrossPlay: true } },
    ['crossPlay.partiesOpenCrossPlay', 'there is one group, and all of it meet; leave it out'],
  ],
  [
    'platforms that parties open where there are no parties',
    {
      ...without('pairPartiesSeconds'),
      maxPartySize: 1,
      crossPlay: { groups: [['pc'], ['xbox']], partiesOpenCrossPlay: true },
    },
    ['crossPlay.partiesOpenCrossPlay', 'no party may queue here (maxPartySize is 1)'],
  ],
  [
    'smaller teams that are as large',
    { ...full, smallerTeams: [{ afterSeconds: 60, teamSize: 5 }] },
    ['smallerTeams[0].teamSize', 'must become smaller: below 5 (teamSize), not 5'],
  ],
  [
    'smaller teams that grow',
    {
      ...full,
      smallerTeams: [
        { afterSeconds: 60, teamSize: 3 },
        { afterSeconds: 90, teamSize: 4 },
      ],
    },
    ['smallerTeams[1].teamSize', 'below 3, not 4'],
  ],
  [
    'smaller teams out of order',
    {
      ...full,
      smallerTeams: [
        { afterSeconds: 60, teamSize: 4 },
        { afterSeconds: 30, teamSize: 3 },
      ],
    },
    ['smallerTeams[1].afterSeconds', 'steps must rise in time (was 60, is 30)'],
  ],
  [
    'smaller teams that come too late',
    { ...full, smallerTeams: [{ afterSeconds: 700, teamSize: 4 }] },
    ['smallerTeams[0].afterSeconds', 'is never reached'],
  ],
  [
    'co-op: one team of bots alone',
    { ...full, bots: { afterSeconds: 60, skill: 20, minPlayers: 1 } },
    [
      'bots.minPlayers',
      'at least 2 (teams), not 1; humans against a team of bots alone (co-op) are not matched',
    ],
  ],
  [
    'a ready check as long as a ticket’s life',
    { ...full, readyCheck: { ...full.readyCheck, seconds: 125 }, backfill: { seconds: 130 }, ...brief },
    ['readyCheck.seconds', 'shorter than the life of a ticket: below 125 (ticketTtlSeconds), not 125'],
  ],
  [
    'leave to go when the match is given up',
    { ...full, leaveWithoutServerSeconds: 300 },
    ['leaveWithoutServerSeconds', 'given up after 300 s (placementTimeoutSeconds), and this is 300 s'],
  ],
  [
    'a share of blame that one player exceeds',
    { ...full, massBlameShare: 0.09 },
    ['massBlameShare', 'larger share than 0.09, so every penalty would be lifted; give at least 0.1, or 0'],
  ],
  [
    'servers of another mode and map',
    { ...full, serverLabels: { modes: 'conquest', maps: 'moon', hardware: 'fast' } },
    ['serverLabels.modes', '"conquest" is not played here: the mode is "arena" (mode)'],
    ['serverLabels.maps', '"moon" is not played here: maps.names does not name it'],
  ],
  [
    'no place for a bot',
    { ...full, bots: { afterSeconds: 60, skill: 20, minPlayers: 10 } },
    ['bots.minPlayers', '10 places'],
  ],
  [
    'bots that come too late',
    { ...full, bots: { afterSeconds: 600, skill: 20, minPlayers: 4 } },
    ['bots.afterSeconds', 'is never reached'],
  ],
  [
    'several things at once',
    {
      queues: [
        { ...full, name: 'a' },
        { ...full, name: 'b', maxPartySize: 9, roles: { tank: 9 } },
      ],
    },
    ['queues[1].maxPartySize', 'at most 5'],
    ['queues[1].roles', 'want 9 players'],
  ],
];

describe('rules that make no sense', () => {
  it('are many', () => expect(wrong.length).toBeGreaterThanOrEqual(40));

  it.each(wrong)('%s', (_what, document, ...flaws) => {
    const checked = checkRulesDocument(document);
    const said = checked.ok ? [] : checked.flaws.map(({ path, message }) => [pathText(path), message]);
    expect(said).toEqual(flaws.map(([path, says]) => [path, expect.stringContaining(says)]));
  });
});

describe('rules that make sense', () => {
  it.each<[string, unknown, number]>([
    ['one queue', full, 1],
    ['one queue for an editor', { $schema: 'queue-rules.schema.json', ...full }, 1],
    ['a list', [full, { ...full, name: 'other' }], 2],
    ['queues', { $schema: 'x', 'x-shared': 1, queues: [full, { ...full, name: 'other' }] }, 2],
    [
      'parties of any size with nothing said of them',
      { ...without('pairPartiesSeconds'), maxPartySize: 1 },
      1,
    ],
    ['operators who decide on every penalty', { ...full, massBlameShare: 0 }, 1],
    ['a share of blame that one of the players has', { ...full, massBlameShare: 0.1 }, 1],
    [
      'servers with a map of which the queue says nothing',
      { ...without('maps'), serverLabels: { maps: 'moon' } },
      1,
    ],
    ['a curve of one corner', { ...full, skillWindow: [corner(0, null)] }, 1],
    ['a last step just before the end', { ...full, skillWindow: [corner(0, 4), corner(599.5, null)] }, 1],
  ])('%s', (_what, document, count) => {
    const checked = checkRulesDocument(document);
    expect(checked).toMatchObject({ ok: true });
    expect(checked.ok && checked.queues).toHaveLength(count);
  });

  it('come out as they went in', () => {
    expect(QueueRulesSchema.parse(full)).toEqual(full);
    expect(readStoredRules({ ...full, ofALaterRelease: true })).toEqual(full);
    // Rules that the release which stored them accepted are in force.
    for (const accepted of [
      { maxPartySize: 6 },
      { leaveWithoutServerSeconds: 400 },
      { massBlameShare: 0.01 },
    ])
      expect(readStoredRules({ ...full, ...accepted })).toMatchObject(accepted);
    expect(() => readStoredRules({ name: '5v5' })).toThrow('is missing');
  });
});

describe('the JSON Schema', () => {
  it('in docs is this one; if not: npm run -s muster -- rules schema > docs/queue-rules.schema.json', () => {
    const published: unknown = JSON.parse(readFileSync('docs/queue-rules.schema.json', 'utf8'));
    expect(published).toEqual(JSON.parse(JSON.stringify(rulesDocumentSchema())));
  });

  it('tells of every field what it is', () => {
    const fieldsWithout = (value: unknown): string[] => {
      if (typeof value !== 'object' || value === null) return [];
      const { properties } = value as { properties?: Record<string, { description?: string }> };
      const silent = Object.entries(properties ?? {}).filter(([, field]) => !field.description);
      return [...silent.map(([name]) => name), ...Object.values(value).flatMap(fieldsWithout)];
    };
    expect(fieldsWithout(rulesDocumentSchema()['$defs'])).toEqual([]);
  });
});
