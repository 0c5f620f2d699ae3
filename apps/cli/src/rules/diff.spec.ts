import { describe, expect, it } from 'vitest';
import { inkFor } from '@muster/command-line/terminal/ink';
import { appliedText } from './apply.js';
import { diffText } from './diff.js';

const plainInk = inkFor({}, {});

describe('differences in text', () => {
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
