import type { CrossPlayRules } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import {
  agreesOnPlatform,
  crossPlayText,
  platformFactsOf,
  platformGroup,
  platformsMet,
} from './cross-play.js';

const apart: CrossPlayRules = { groups: [['pc'], ['playstation', 'xbox']] };
const opened: CrossPlayRules = { ...apart, partiesOpenCrossPlay: true };
const ticket = (...platforms: (string | undefined)[]) => ({
  players: platforms.map((platform, i) => ({
    playerId: `p${i}`,
    mu: 25,
    sigma: 8,
    ...(platform === undefined ? {} : { platform }),
  })),
});

describe('C1 the platforms that a ticket may meet', () => {
  it.each<[CrossPlayRules | undefined, string[], string[] | null]>([
    [undefined, ['pc'], null],
    [apart, ['pc'], ['pc']],
    [apart, ['xbox'], ['playstation', 'xbox']],
    [apart, ['playstation', 'xbox'], ['playstation', 'xbox']],
    // They were queued under other rules: only equal ones meet.
    [apart, ['vita'], ['vita']],
    [apart, [''], ['']],
    [apart, ['pc', 'xbox'], ['pc', 'xbox']],
    [opened, ['pc', 'xbox'], ['pc']],
    [opened, ['xbox'], ['playstation', 'xbox']],
    [opened, ['pc', 'vita'], ['pc', 'vita']],
  ])('under %j, on %j: %j', (rules, platforms, met) => {
    expect(platformsMet(rules, platforms)).toEqual(met);
  });

  it('are equal for equivalent rules in any order', () => {
    const turned = { groups: [['xbox', 'playstation'], ['pc']] };
    expect(crossPlayText(turned)).toBe(crossPlayText(apart));
    expect(crossPlayText({ ...turned, partiesOpenCrossPlay: false })).toBe(crossPlayText(apart));
    expect(platformGroup(turned, ['xbox'])).toBe(platformGroup(apart, ['playstation']));
    // The first group decides where a party with several platforms plays.
    expect(crossPlayText({ ...turned, partiesOpenCrossPlay: true })).not.toBe(crossPlayText(opened));
    expect(platformGroup(opened, ['pc', 'xbox'])).toBe(platformGroup(opened, ['pc']));
    expect(platformGroup(opened, ['pc'])).not.toBe(platformGroup(apart, ['pc']));
    expect(platformGroup(undefined, ['pc'])).toBe('');
  });

  it('is its own where one of its players plays without cross-play', () => {
    expect(platformFactsOf({ ...ticket('xbox', 'xbox'), crossPlay: false })).toEqual({
      platforms: ['xbox'],
      only: 'xbox',
    });
    const alone = { platforms: ['xbox'], only: 'xbox' };
    const any = platformFactsOf(ticket('xbox'));
    expect([alone, any].map((facts) => agreesOnPlatform(facts, 'xbox'))).toEqual([true, true]);
    expect([alone, any].map((facts) => agreesOnPlatform(facts, 'pc'))).toEqual([false, false]);
    // No message says that all of this match are on one platform, or that they will be.
    expect([alone, any].map((facts) => agreesOnPlatform(facts, undefined))).toEqual([false, true]);
    expect(agreesOnPlatform(platformFactsOf(ticket('xbox', undefined)), 'xbox')).toBe(false);
  });
});
