import type { QueueRules } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { flawAt, readDraft, textOf, valueAt, withChangesOf, withValue } from './draft.js';

const anybody = [{ afterSeconds: 0, limit: null }];
const rules: QueueRules = {
  name: 'duel',
  mode: 'duel',
  pool: 'duel',
  teams: 2,
  teamSize: 1,
  maxPartySize: 1,
  skillWindow: [
    { afterSeconds: 0, limit: 4 },
    { afterSeconds: 45, limit: null },
  ],
  teamGap: anybody,
  latencyLimitMs: anybody,
  ticketTtlSeconds: 60,
  placementTimeoutSeconds: 60,
};
const text = textOf(rules);

describe('a draft of rules', () => {
  it('is a text that reads as the rules', () => {
    expect(text).toContain('  - { afterSeconds: 45, limit: null }\n');
    expect(readDraft(text, 'duel')).toEqual({ rules, flaws: [], document: rules });
    expect(readDraft(JSON.stringify(rules), 'duel').rules).toEqual(rules);
  });

  it('changes in one place, and keeps its comments', () => {
    const commented = text.replace('teams: 2\n', 'teams: 2 # never three\n');
    const changed = withValue(commented, ['skillWindow', 0, 'limit'], 6);
    expect(changed).toBe(commented.replace('limit: 4', 'limit: 6'));
    expect(withValue(commented, ['teams'], 3)).toBe(commented.replace('teams: 2', 'teams: 3'));
  });

  it('takes and loses whole fields', () => {
    const readyCheck = { seconds: 20, coolDownSeconds: [0, 60], forgiveAfterSeconds: 3_600 };
    const asked = withValue(text, ['readyCheck'], readyCheck);
    expect(asked).toContain('readyCheck:\n  seconds: 20\n  coolDownSeconds: [ 0, 60 ]\n');
    expect(readDraft(asked, 'duel').rules).toEqual({ ...rules, readyCheck });
    expect(withValue(asked, ['readyCheck'], undefined)).toBe(text);
  });

  it('says where it is wrong, and what would be right', () => {
    const narrowing = withValue(text, ['skillWindow', 1, 'limit'], 2);
    const { rules: none, flaws } = readDraft(narrowing, 'duel');
    expect(none).toBeNull();
    expect(flaws).toMatchObject([{ path: ['skillWindow', 1, 'limit'], place: { line: 9 } }]);
    expect(flawAt(flaws, ['skillWindow'])).toContain('may not narrow with waiting (was 4, is 2)');
    expect(flawAt(flaws, ['teamGap'])).toBeUndefined();
  });

  it('is of the queue of the page alone', () => {
    expect(readDraft(text, '5v5').flaws).toMatchObject([{ path: ['name'], place: { line: 1 } }]);
    const two = JSON.stringify([rules, { ...rules, name: 'other' }]);
    expect(readDraft(two, 'duel')).toMatchObject({ rules: null, document: null });
    expect(readDraft('queues: [', 'duel')).toMatchObject({ rules: null, document: null });
  });

  it('takes over what another version changed, but for what it changed itself', () => {
    const own = withValue(withValue(text, ['teams'], 3), ['ticketTtlSeconds'], 90);
    const newest = { ...rules, ticketTtlSeconds: 120, placementTimeoutSeconds: 30, calibrationMatches: 5 };
    const merged = readDraft(withChangesOf(own, rules, newest), 'duel').rules;
    expect(merged).toEqual({ ...newest, teams: 3, ticketTtlSeconds: 90 });
    expect(withChangesOf(textOf(newest), newest, rules)).toBe(text);
    expect(withChangesOf('queues: [', rules, newest)).toBe('queues: [');
  });

  it('is read by paths as far as it is there', () => {
    expect(valueAt(rules, ['skillWindow', 0, 'limit'])).toBe(4);
    expect(valueAt(rules, ['readyCheck', 'seconds'])).toBeUndefined();
    expect(valueAt(null, ['teams'])).toBeUndefined();
  });
});
