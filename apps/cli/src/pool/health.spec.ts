import type { PoolHealth } from '@muster/contracts';
import { describe, expect, it } from 'vitest';
import { inkFor } from '@muster/command-line/terminal/ink';
import { figuresText } from './health.js';

const plainInk = inkFor({}, {});

const score = { matches: 1_000, decided: 950, accuracy: 0.642, logLoss: 0.6312, brier: 0.219 };
const hour = 3_600_000;
const health: PoolHealth = {
  pool: 'season',
  version: 3,
  generation: 2,
  players: 40,
  overall: { raw: { ...score, logLoss: 0.6412 }, calibrated: score },
  deciles: [
    { predicted: 0.145, happened: 0.12, count: 200 },
    { predicted: 0.855, happened: 0.88, count: 800 },
  ],
  periods: Array.from({ length: 12 }, (_, i) => ({
    from: Date.UTC(2026, 0, i + 1),
    to: Date.UTC(2026, 0, i + 1) + hour,
    calibrated: i === 11 ? { ...score, matches: 3, decided: 0 } : score,
    drift: -0.06,
    converged: 0.5,
    players: 30 + i,
  })),
};

describe('figuresText', () => {
  it('shows raw and calibrated figures beside those of a coin flip', () => {
    const text = figuresText(health, plainInk).join('\n');
    expect(text).toContain('Health of season, version 3, generation 2: 1,000 predictions, 40 players');
    expect(text).toMatch(/^ {2}raw +1,000 +950 +0\.642 +0\.6412 +0\.2190$/m);
    expect(text).toMatch(/^ {2}calibrated +1,000 +950 +0\.642 +0\.6312 +0\.2190$/m);
    expect(text).toMatch(/^ {2}a coin flip +0\.500 +0\.6931 +0\.2500$/m);
    expect(text).toMatch(/^ {2}0\.145 +0\.120 +200$/m);
  });

  it('shows the last periods', () => {
    const lines = figuresText(health, plainInk);
    expect(lines).toContain('The last 10 of 12 periods, calibrated');
    expect(lines.at(-10)).toContain('2026-01-03 00:00  2026-01-03 01:00');
    expect(lines.at(-1)).toMatch(/ 3 +– +0\.6312 +0\.2190 +−0\.06 +50 % +41$/);
  });

  it('reports a pool without rated matches', () => {
    const none = { matches: 0, decided: 0, accuracy: 0, logLoss: 0, brier: 0 };
    const empty = { ...health, overall: { raw: none, calibrated: none }, deciles: [], periods: [] };
    expect(figuresText(empty, plainInk).at(-1)).toMatch(/^This pool has no rated matches yet/);
  });
});
