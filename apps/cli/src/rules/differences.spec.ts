import type { QueueRules } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { describe, expect, it } from 'vitest';
import { inkFor } from '@muster/command-line/terminal/ink';
import { appliedText } from './apply.js';
import { diffText } from './diff.js';
import { differencesBetween, differenceText } from './differences.js';

const plainInk = inkFor({}, {});

const [rules] = defaultQueues as [QueueRules, ...QueueRules[]];
const lines = (after: Partial<QueueRules>, before: QueueRules = rules): string[] =>
  differencesBetween(before, { ...before, ...after }).map(differenceText);

describe('differencesBetween', () => {
  it('finds none in equal rules, in any order', () => {
    expect(lines({})).toEqual([]);
    const turned = Object.fromEntries(Object.entries(rules).toReversed());
    expect(lines({ ...turned, bots: undefined })).toEqual([]);
  });

  it('has path, old and new value of each difference', () => {
    const skillWindow = rules.skillWindow.map((corner, i) => (i === 1 ? { ...corner, limit: 6 } : corner));
    expect(lines({ maxPartySize: 3, skillWindow })).toEqual([
      '5v5.skillWindow[1].limit: 8 -> 6',
      '5v5.maxPartySize: 5 -> 3',
    ]);
    expect(lines({ mode: 'duel' })).toEqual(['5v5.mode: "arena" -> "duel"']);
  });

  it('reports added and removed objects as a whole', () => {
    const bots = { afterSeconds: 60, skill: 20, minPlayers: 4 };
    const told = '{"afterSeconds":60,"skill":20,"minPlayers":4}';
    expect(lines({ bots })).toEqual([`5v5.bots: none -> ${told}`]);
    expect(lines({ bots: undefined }, { ...rules, bots })).toEqual([`5v5.bots: ${told} -> none`]);
    expect(lines({ skillWindow: rules.skillWindow.slice(0, 3) })).toEqual([
      '5v5.skillWindow[3]: {"afterSeconds":45,"limit":null} -> none',
    ]);
    expect(lines({ roles: { 'a.b': 1 } }, { ...rules, roles: {} })).toEqual(['5v5.roles["a.b"]: none -> 1']);
  });
});

describe('in text', () => {
  const differences = [{ path: '5v5.teams', before: 2, after: 3 }];

  it('the changes of a file', () => {
    const diffs = [
      { queue: '5v5', version: 3, differences },
      { queue: '1v1', version: 1, differences: [] },
      { queue: '3v3', version: 0, differences: [] },
    ];
    expect(diffText(diffs, ['old'], plainInk)).toEqual([
      '5v5: 1 difference to version 3',
      '  5v5.teams: 2 -> 3',
      '1v1: as in force (version 1)',
      '3v3: a new queue',
      'Not in the file, and unchanged: old',
    ]);
  });

  it('the applied rules', () => {
    const one = { queue: '5v5', before: 3, version: 4, changed: true, differences };
    expect(appliedText(one, false)).toEqual([
      '5v5: version 3 -> 4; waiting tickets keep their rules.',
      '  5v5.teams: 2 -> 3',
    ]);
    expect(appliedText(one, true)[0]).toContain('waiting tickets follow it as well');
    expect(appliedText({ ...one, before: 0, version: 1 }, false)).toEqual([
      '5v5: a new queue, at version 1.',
    ]);
    expect(appliedText({ ...one, version: 3, changed: false }, false)).toEqual([
      '5v5: already in force (version 3).',
    ]);
  });
});
