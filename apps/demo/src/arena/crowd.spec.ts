import { seededRandom } from '@muster/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawn, nextTraffic, type CrowdRules } from './crowd.js';

const rules: CrowdRules = { people: 60, usually: 15, stay: 120 };

describe('nextTraffic', () => {
  it('adds no more than exist, and leaves at least four of those present', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer(), (present, seed) => {
        const { come, go } = nextTraffic(rules, present, seededRandom(seed));
        expect(come).toBeGreaterThanOrEqual(0);
        expect(present + come).toBeLessThanOrEqual(rules.people);
        expect(go).toBeGreaterThanOrEqual(0);
        if (go > 0) expect(present - go).toBeGreaterThanOrEqual(4);
      }),
    );
  });

  it('fills a server up and keeps it filled, with changing people', () => {
    const random = seededRandom(3);
    let present = 0;
    let gone = 0;
    let sum = 0;
    for (let t = 0; t < 4_000; t++) {
      const { come, go } = nextTraffic(rules, present, random);
      present += come - go;
      gone += go;
      if (t >= 1_000) sum += present;
    }
    expect(sum / 3_000).toBeGreaterThan(rules.usually * 0.7);
    expect(sum / 3_000).toBeLessThan(rules.usually * 1.3);
    // Every 120 moments, the usual number of players is replaced.
    expect(gone).toBeGreaterThan((4_000 / 120) * rules.usually * 0.7);
  });
});

describe('drawn', () => {
  const all = Array.from({ length: 20 }, (_, i) => ({ playerId: `p${i}`, weight: 1 }));

  it('draws the same ones again, and others under another name', () => {
    expect(drawn(all, 5, 'one')).toEqual(drawn(all.toReversed(), 5, 'one'));
    expect(drawn(all, 5, 'one')).not.toEqual(drawn(all, 5, 'two'));
    expect(new Set(drawn(all, 30, 'one')).size).toBe(20);
  });

  it('draws the same ones when a player is missing who was not drawn', () => {
    const [first = '', ...rest] = drawn(all, 20, 'one');
    const without = all.filter(({ playerId }) => playerId !== rest[10]);
    expect(drawn(without, 3, 'one')).toEqual([first, ...rest.slice(0, 2)]);
  });

  it('draws players of four times the weight four times as often', () => {
    const two = [
      { playerId: 'heavy', weight: 4 },
      { playerId: 'light', weight: 1 },
    ];
    const draws = Array.from({ length: 5_000 }, (_, i) => drawn(two, 1, `draw ${i}`)[0]);
    const share = draws.filter((playerId) => playerId === 'heavy').length / draws.length;
    expect(share).toBeGreaterThan(0.77);
    expect(share).toBeLessThan(0.83);
  });
});
