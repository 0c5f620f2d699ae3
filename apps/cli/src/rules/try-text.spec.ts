import type { RecordHead, RecordLine } from '@muster/contracts';
import { compareTries, studyRules, trialNotes } from '@muster/matchmaking';
import { recordedTickets, type WaitRecord } from '@muster/sdk';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inkFor } from '@muster/command-line/terminal/ink';
import { studyText } from './try-text.js';
import { readRecordFile, writeRecordFile } from './wait-record.js';

const plainInk = inkFor({}, {});

const anybody = [{ afterSeconds: 0, limit: null }];
const rules: RecordHead['rules'] = {
  name: 'duel',
  mode: 'duel',
  pool: 'duel',
  teams: 2,
  teamSize: 1,
  maxPartySize: 1,
  skillWindow: anybody,
  teamGap: anybody,
  latencyLimitMs: anybody,
  ticketTtlSeconds: 60,
  placementTimeoutSeconds: 60,
  version: 3,
};
const line = (ticketId: string, enqueuedAt: number, more: Partial<RecordLine> = {}): RecordLine => ({
  ticketId,
  build: 'b1',
  players: [{ playerId: ticketId, mu: 25, sigma: 2 }],
  latencyMs: {},
  rulesVersion: 3,
  enqueuedAt,
  expiresAt: enqueuedAt + 60_000,
  outcome: 'waiting',
  leftAt: null,
  ...more,
});
const met = { outcome: 'matched', leftAt: 10_000, matchId: 'm1' } as const;
const record: WaitRecord = {
  head: { queue: 'duel', from: 0, until: 30_000, rules },
  lines: [line('ann', 0, met), line('ben', 1_000, met), line('cid', 2_000)],
};

const fileOf = (...lines: RecordLine[]): string =>
  [record.head, ...lines].map((each) => JSON.stringify(each)).join('\n');

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'muster-record-'))));
afterAll(() => rm(folder, { recursive: true }));

describe('a record of tickets', () => {
  it('is read back from its file, each ticket once, in order of arrival', async () => {
    const file = join(folder, 'record.jsonl');
    const [ann, ben, cid] = record.lines;
    await writeRecordFile(file, { ...record, lines: [ben, cid, ann, ben].flatMap((each) => each ?? []) });
    expect(await readRecordFile(file)).toEqual(record);
  });

  it.each([
    ['', /x\.jsonl:1 is not JSON/],
    ['{"queue":"duel"}', /x\.jsonl:1 is not a line of a record: from /],
    [`${JSON.stringify(record.head)}\n\n{"ticketId":"a","build":"b","players":[]}`, /x\.jsonl:3 .*players/],
    [
      fileOf(line('ann', 0, { players: [{ playerId: 'ann', mu: 1e308, sigma: 2 }] })),
      /x\.jsonl:2 is not a line of a record: players\.0\.mu must be at most 1000000000000, not 1e\+308/,
    ],
    [
      fileOf(line('ann', 0), line('ben', 1e15)),
      /x\.jsonl:3 .*enqueuedAt 1000000000000000 is after it was read/,
    ],
  ])('reports the invalid line: %j', async (text, says) => {
    const file = join(folder, 'x.jsonl');
    await writeFile(file, text);
    await expect(readRecordFile(file)).rejects.toThrow(says);
  });
});

describe('the result of trying rules', () => {
  it('is a table and text', () => {
    const study = studyRules({
      tickets: recordedTickets(record),
      from: 0,
      until: 30_000,
      recordedRules: rules,
      inForce: rules,
      tried: { ...rules, teamSize: 2 },
      tickMs: 1_000,
    });
    const lines = studyText(
      {
        ...study,
        comparedToRecord: compareTries(study.recorded, study.inForce),
        queue: 'duel',
        from: 0,
        until: 30_000,
        file: 'some/new.yaml',
        against: null,
        notes: ['mind this.'],
      },
      plainInk,
    );
    expect(lines.slice(0, 17)).toEqual([
      'duel: 3 tickets that waited from 1970-01-01 00:00 to 1970-01-01 00:00 UTC',
      '',
      '                      as recorded  in force, replayed  new.yaml, replayed',
      'tickets                         3                   3                   3',
      '  matched                       2                   2                   0',
      '  waiting at the end            1                   1                   3',
      'matches                         1                   1                   0',
      'wait, p50                   9.0 s               0.0 s                   –',
      'wait, p90                  10.0 s               1.0 s                   –',
      'wait, p99                  10.0 s               1.0 s                   –',
      '|P−½|, mean                 0.000               0.000                   –',
      'beyond 40–60 %              0.0 %               0.0 %                   –',
      'spread, mean                  0.0                 0.0                   –',
      '',
      'Compared with what was recorded:',
      '  of 2 tickets that find a match either way',
      '    none would have waited longer, 2 (100 %) shorter (median 9.0 s)',
    ]);
    expect(lines).toEqual(
      expect.arrayContaining([
        'Compared with the rules in force, replayed:',
        '  no ticket finds a match either way',
        '  2 tickets would have found none that found one',
        'Note: mind this.',
      ]),
    );
  });

  it('notes what a replay cannot show', () => {
    const told = { ...record, lines: [...record.lines, line('dan', 0, { rulesVersion: 2 })] };
    const other = { ...rules, pool: 'other', roles: { tank: 1 }, entry: { minMatches: 5 } };
    const notes = (of: WaitRecord, tried: RecordHead['rules']): string[] =>
      trialNotes({ tickets: recordedTickets(of), recordedRules: rules, inForce: rules, tried }, 'new.yaml');
    expect(notes(record, rules)).toEqual([]);
    expect(notes(told, other)).toEqual([
      expect.stringMatching(/told earlier rules \(version 2; in force is 3\)/),
      expect.stringMatching(/new\.yaml reads the rating pool other, .* those of duel/),
      expect.stringMatching(/said they can play \(tank\)/),
      expect.stringMatching(/the entry of new\.yaml/),
    ]);
  });
});
