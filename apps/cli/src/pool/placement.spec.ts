import type { PlacementView } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { inkFor } from '@muster/command-line/terminal/ink';
import { placementText } from './placement.js';

const plainInk = inkFor({}, {});

const ink = plainInk;
const view: PlacementView = {
  pool: 'ctf',
  used: true,
  why: 'Stats explain 41 % of the differences between players that were left out; at least 10 % are asked.',
  rules: { leastR2: 0.1, minMatches: 200, window: 10 },
  fit: {
    fittedAt: Date.UTC(2026, 10, 3, 9, 30),
    matches: 1_240,
    rows: 12_100,
    players: 830,
    incomplete: 300,
    r2: 0.43,
    heldOutR2: 0.41,
    heldOutError: 3.2,
    errorOfMean: 4.2,
    reliability: 0.88,
    stats: [
      { name: 'damage', weight: 2.4 },
      { name: 'hero = axe', weight: -0.6 },
    ],
  },
};

describe('the placement of a pool as text', () => {
  it('says whether it is used, why, and what it was fitted to', () => {
    const text = placementText(view, ink).join('\n');
    expect(text).toContain('Placement in ctf: newcomers are placed by results and stats');
    expect(text).toContain('Stats explain 41 %');
    expect(text).toContain(
      'held-out R² of 0.1, 200 matches with stats; a newcomer is placed after 10 matches.',
    );
    expect(text).toContain(
      '2026-11-03 09:30 to 1,240 matches with stats: 12,100 rows of 830 players, 300 rows left out',
    );
    expect(text).toMatch(/R², held out +0\.410/);
    expect(text).toMatch(/damage +\+2\.400/);
    expect(text).toMatch(/hero = axe +−0\.600/);
  });

  it('says why it is not', () => {
    const text = placementText({ ...view, used: false, why: 'Too few.', rules: null, fit: null }, ink);
    expect(text).toEqual(['Placement in ctf: newcomers are placed by results alone', 'Too few.']);
  });
});
