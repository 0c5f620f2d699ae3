import type { PoolView } from '@muster/contracts';
import { MusterProblem } from '@muster/sdk';
import { describe, expect, it } from 'vitest';
import { explain } from '@muster/command-line/operator/connection';
import { objectionOf } from './open-pool.js';

const pool: PoolView = {
  name: 'ctf',
  gameMode: null,
  modifiers: [],
  rules: {
    model: 'elo',
    parameters: { k: 24 },
    aggregation: 'mean',
    circumstances: [],
    partyBonus: 'none',
    shadowMatches: 0,
    shadowCap: null,
    divisions: [],
    divisionMargin: null,
    staleAfterDays: 30,
    convergedBelow: 0.5,
  },
  calibration: { scale: { mean: 1, sd: 1 }, offsets: {}, drawRate: 0, matches: 0 },
  version: 1,
  generation: 1,
};

describe('objectionOf', () => {
  it('has none for a pool with the requested rules, or without a request', () => {
    expect(objectionOf(pool, {})).toBeNull();
    expect(objectionOf(pool, { model: 'elo', set: { k: 24, curve: 'default' } })).toBeNull();
  });

  it('names the next steps', () => {
    expect(objectionOf(pool, { model: 'glicko2' })).toBe(
      'The rating pool "ctf" exists and is rated by elo, not glicko2. Replay into another pool with --pool, or rebuild this one: muster pools rebuild ctf --model glicko2',
    );
    expect(objectionOf(pool, { set: { k: 'default' } })).toContain('exists with k=24, not default.');
    expect(objectionOf(pool, { set: { curve: 'normal' } })).toContain(
      'with curve=default, not normal. Replay into another pool with --pool, or rebuild this one: muster pools rebuild ctf --set curve=normal',
    );
  });
});

describe('explain', () => {
  const target = { url: 'http://a.example', operatorKey: 'k' };
  const says = (status: number, detail: string, code = 'x'): MusterProblem =>
    new MusterProblem({ type: `urn:muster:problem:${code}`, title: 'no', status, detail });

  it('distinguishes an outage, a wrong key and a refusal', () => {
    expect(explain(new TypeError('fetch failed'), target)).toContain('does not answer');
    expect(explain(says(401, 'Who?'), target)).toContain('rejects this operator key');
    expect(explain(says(422, 'There is no such thing.'), target)).toBe(
      'Muster at http://a.example says: There is no such thing.',
    );
  });
});
