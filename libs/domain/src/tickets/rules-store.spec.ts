import { describe, expect, it } from 'vitest';
import type { QueueRules } from '../schemas/queue-rules.js';
import { changesNothing, sameRules, type RulesApplyTo, type RulesVersion } from './rules-store.js';

const rules: QueueRules = {
  name: 'q',
  mode: 'm',
  pool: 'p',
  teams: 2,
  teamSize: 3,
  maxPartySize: 3,
  skillWindow: [
    { afterSeconds: 0, limit: 4 },
    { afterSeconds: 9, limit: null },
  ],
  teamGap: [{ afterSeconds: 0, limit: null }],
  latencyLimitMs: [{ afterSeconds: 0, limit: null }],
  roles: { tank: 1, healer: 1 },
  ticketTtlSeconds: 60,
  placementTimeoutSeconds: 60,
};
const wider: QueueRules = { ...rules, skillWindow: [{ afterSeconds: 0, limit: null }] };

/** Versions in order: rules, and the tickets they apply to. */
const versions = (...each: [QueueRules, RulesApplyTo][]): RulesVersion[] =>
  each.map(([of, appliesTo], i) => ({
    queue: 'q',
    version: i + 1,
    rules: of,
    why: '',
    appliesTo,
    createdAt: 0,
  }));

describe('sameRules', () => {
  it('ignores the order of fields, and fields without a value', () => {
    const turned = Object.fromEntries(Object.entries(rules).toReversed());
    expect(sameRules({ ...rules, ...turned }, rules)).toBe(true);
    expect(sameRules({ ...rules, bots: undefined }, rules)).toBe(true);
    expect(sameRules({ ...rules, roles: { healer: 1, tank: 1 } }, rules)).toBe(true);
  });

  it.each<[string, Partial<QueueRules>]>([
    ['a number', { teamSize: 4 }],
    ['a corner', { skillWindow: [{ afterSeconds: 0, limit: 4 }] }],
    [
      'null and a number',
      { skillWindow: [rules.skillWindow[0] ?? { afterSeconds: 0, limit: 1 }, { afterSeconds: 9, limit: 9 }] },
    ],
    ['an additional field', { calibrationMatches: 0 }],
    ['a role', { roles: { tank: 1 } }],
    ['a role of another name', { roles: { tank: 1, medic: 1 } }],
  ])('detects %s', (_what, other) => {
    expect(sameRules({ ...rules, ...other }, rules)).toBe(false);
    expect(sameRules(rules, { ...rules, ...other })).toBe(false);
  });
});

describe('changesNothing', () => {
  it.each<[string, RulesVersion[], RulesApplyTo, boolean]>([
    ['a new queue', [], 'new', false],
    ['other rules', versions([wider, 'new']), 'new', false],
    ['the same rules', versions([rules, 'new']), 'new', true],
    ['rules that were in force before the last', versions([rules, 'new'], [wider, 'new']), 'new', false],
    ['the same for waiting tickets, none of which has others', versions([rules, 'new']), 'all', true],
    [
      'the same for waiting tickets, some of which have others',
      versions([wider, 'new'], [rules, 'new']),
      'all',
      false,
    ],
    [
      'the same for waiting tickets, which have them already',
      versions([wider, 'new'], [rules, 'all']),
      'all',
      true,
    ],
    [
      'the same, with others in between',
      versions([rules, 'all'], [wider, 'new'], [rules, 'new']),
      'all',
      false,
    ],
  ])('%s', (_what, before, appliesTo, nothing) => {
    expect(changesNothing(before, { rules, appliesTo })).toBe(nothing);
  });
});
