import { seededRandom } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import {
  comparePlacements,
  placementTrials,
  simulatePlacement,
  type PlacementMethod,
  type PlacementScore,
  type PlacementTrial,
} from './simulate-placement.js';

/** The same seed gives both methods the same newcomers and the same random numbers. */
const run = (method: PlacementMethod, trial: Partial<PlacementTrial>, players: number): PlacementScore =>
  simulatePlacement({ matches: 10, teamSize: 1, ...trial, method, players }, seededRandom(20));

describe('R3 the search against OpenSkill, simulated', () => {
  it('places duellists nearer the truth, with a calibrated error', () => {
    const search = run('search', {}, 4000);
    expect(search.error).toBeLessThan(0.95 * run('openskill', {}, 4000).error);
    expect(Math.abs(search.bias)).toBeLessThan(0.15);
    expect(search.within1).toBeGreaterThan(0.66);
    expect(search.within1).toBeLessThan(0.72);
    expect(search.within2).toBeGreaterThan(0.94);
    expect(search.within2).toBeLessThan(0.98);
  });

  it('places one among ten nearer the truth, with a calibrated error', () => {
    const search = run('search', { teamSize: 5 }, 6_000);
    expect(search.error).toBeLessThan(run('openskill', { teamSize: 5 }, 6_000).error);
    expect(search.within1).toBeGreaterThan(0.66);
    expect(search.within1).toBeLessThan(0.74);
    expect(search.within2).toBeGreaterThan(0.94);
  });

  it('finds a strong player among newcomers', () => {
    const truth = 25 + (2 * 25) / 3;
    const duels = run('search', { truth }, 2000);
    expect(duels.error).toBeLessThan(1.05 * run('openskill', { truth }, 2000).error);
    expect(duels.within2).toBeGreaterThan(0.9);
    // Ten results of ten players cannot overrule the prior that few newcomers are so strong; OpenSkill, which overrules it
    // sooner, is worse for all others.
    const teams = run('search', { truth, teamSize: 5 }, 2000);
    expect(teams.error).toBeLessThan(1.1 * run('openskill', { truth, teamSize: 5 }, 2000).error);
  });

  it('gives the same figures for the same seed, and a pair for every trial', () => {
    const compared = comparePlacements(50, 3);
    expect(compared).toEqual(comparePlacements(50, 3));
    expect(compared.map(({ title }) => title)).toEqual(placementTrials.map(({ title }) => title));
  });
});
