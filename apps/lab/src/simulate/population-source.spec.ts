import { describe, expect, it } from 'vitest';
import { populationFrom, readPopulation } from './population-source.js';

describe('readPopulation', () => {
  it('is a preset with the overrides of the file', async () => {
    const preset = await populationFrom('5v5-300');
    const text = 'preset: 5v5-300\nname: ours\nconcurrentPlayers: 450\npatience: { medianSeconds: 90 }\n';
    expect(readPopulation(text, 'ours.yaml')).toEqual({
      ...preset,
      name: 'ours',
      concurrentPlayers: 450,
      patience: { ...preset.patience, medianSeconds: 90 },
    });
    expect(readPopulation('{ "preset": "1v1-1k" }', 'a.json').name).toBe('a.json');
  });

  it('replaces regions as a whole', () => {
    const text =
      'preset: 5v5-300\nregions:\n  - { name: sa, share: 1, peakHour: 23, latencyMs: { sa: 20 } }\n';
    expect(readPopulation(text, 'f').regions).toEqual([
      { name: 'sa', share: 1, peakHour: 23, latencyMs: { sa: 20 } },
    ]);
  });

  it.each([
    ['', 'f: preset: must be one of 5v5-30, '],
    ['preset: 6v6-30', 'f: preset: must be one of 5v5-30, '],
    ['preset: 5v5-30\nplayers: 5', 'f: there is no field "players" here'],
    ['preset: 5v5-30\nconcurrentPlayers: none', 'f: concurrentPlayers: must be a number from 2 to 2000000'],
    ['preset: 5v5-30\nskill: { sigma: 0 }', 'f: skill.sigma: must be a number above 0, 1000000 at most'],
    ['preset: 5v5-30\nnoShow: 0.9', 'f: noShow: must be a number from 0 to 0.5'],
    ['preset: 5v5-30\nregions: []', 'f: regions: must have a region at least'],
    [
      'preset: 5v5-30\nregions: [{ name: eu, peakHour: 3, latencyMs: { eu: 3 } }]',
      'f: regions[0].share: must be a number above 0',
    ],
    [
      'preset: 5v5-30\nregions: [{ name: eu, share: 1, peakHour: 3, latencyMs: { eu: -3 } }]',
      'f: regions[0].latencyMs.eu: must be a number from 0 to 10000',
    ],
    [
      'preset: 5v5-30\nregions:\n' +
        '  - { name: eu, share: 1, peakHour: 3, latencyMs: { eu: 3 } }\n'.repeat(2),
      'f: regions: there are two of the name "eu"',
    ],
    ['preset: 5v5-30\nparties: { shares: [0, 1] }', 'f: parties.shares: must begin with a part above 0'],
    ['preset: [', 'f:1:10 '],
    ['preset: 5v5-30\nnewcomers: { matches: 1.5 }', 'f: newcomers.matches: must be a whole number'],
  ])('explains the error in %j', (text, said) => {
    expect(() => readPopulation(text, 'f')).toThrow(said);
  });

  it('lists the presets if there is no such file', async () => {
    await expect(populationFrom('nowhere.yaml')).rejects.toThrow(/nowhere.yaml is not there; .* 5v5-300/);
  });
});
