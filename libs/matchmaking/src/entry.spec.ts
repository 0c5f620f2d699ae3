import { message, type EntryRules } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryGaps, gapMessage, type Entrant } from './entry.js';

const now = 1_800_000_000_000;
const dayMs = 86_400_000;
const all: EntryRules = { verified: true, minPlayMinutes: 120, minAccountDays: 7, minMatches: 10 };
const veteran: Entrant = {
  claims: { verified: true, playMinutes: 120, accountCreatedAt: now - 7 * dayMs },
  matches: 10,
};
const asked = (rules: EntryRules, entrant: Entrant) => entryGaps(rules, entrant, now);

describe('R20 entry to a queue', () => {
  it('is open to a player who meets it exactly', () => {
    expect(asked(all, veteran)).toEqual([]);
    expect(asked({}, { claims: {}, matches: 0 })).toEqual([]);
  });

  it('lists everything that is missing', () => {
    expect(asked(all, { claims: {}, matches: 9 })).toEqual([
      { requirement: 'verified', needed: null },
      { requirement: 'minPlayMinutes', needed: 120 },
      { requirement: 'minAccountDays', needed: 7 },
      { requirement: 'minMatches', needed: 10 },
    ]);
  });

  it('reports each gap as a message', () => {
    const gaps = asked(all, { claims: {}, matches: 9 });
    expect(gaps.map((gap) => gapMessage(gap, 'ann', true))).toEqual([
      message('entry.verified', { you: true, playerId: 'ann' }),
      message('entry.play-minutes', { you: true, playerId: 'ann', minutes: 120 }),
      message('entry.account-days', { you: true, playerId: 'ann', days: 7 }),
      message('entry.matches', { you: true, playerId: 'ann', matches: 10 }),
    ]);
  });

  it.each([
    ['verified', { verified: false }],
    ['minPlayMinutes', { playMinutes: 119.9 }],
    ['minAccountDays', { accountCreatedAt: now - 7 * dayMs + 1 }],
  ] as const)('lacks %s alone', (requirement, claims) => {
    const gaps = asked(all, { ...veteran, claims: { ...veteran.claims, ...claims } });
    expect(gaps.map((gap) => gap.requirement)).toEqual([requirement]);
  });

  it('asks for each entitlement', () => {
    const rules: EntryRules = { entitlements: ['season-pass', 'beta'] };
    const gaps = asked(rules, { claims: { entitlements: ['beta', 'expansion'] }, matches: 0 });
    expect(gaps).toEqual([{ requirement: 'entitlements', needed: 'season-pass' }]);
    expect(gaps.map((gap) => gapMessage(gap, 'ann', false))).toEqual([
      message('entry.entitlement', { you: false, playerId: 'ann', entitlement: 'season-pass' }),
    ]);
    expect(asked(rules, { claims: { entitlements: ['beta', 'season-pass'] }, matches: 0 })).toEqual([]);
  });

  it('never closes to a player who keeps playing', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), fc.nat(20), fc.nat(20), (minutes, more, matches, won) => {
        const before = asked(all, { claims: { playMinutes: minutes }, matches });
        const after = asked(all, { claims: { playMinutes: minutes + more }, matches: matches + won });
        const names = before.map((gap) => gap.requirement);
        expect(after.every((gap) => names.includes(gap.requirement))).toBe(true);
      }),
    );
  });
});
