import type { Population, PopulationRegion } from './population.js';

/** A small game has players on two shores of one ocean; a large one everywhere. */
const shores: readonly PopulationRegion[] = [
  { name: 'eu', share: 0.65, peakHour: 20, latencyMs: { eu: 25, na: 105 } },
  { name: 'na', share: 0.35, peakHour: 2, latencyMs: { eu: 105, na: 30 } },
];
const everywhere: readonly PopulationRegion[] = [
  { name: 'eu', share: 0.45, peakHour: 20, latencyMs: { eu: 25, na: 105, asia: 190 } },
  { name: 'na', share: 0.35, peakHour: 2, latencyMs: { eu: 105, na: 30, asia: 160 } },
  { name: 'asia', share: 0.2, peakHour: 13, latencyMs: { eu: 190, na: 160, asia: 30 } },
];

const shared = {
  accountsPerPlayer: 10,
  swing: 0.6,
  connectionMs: 15,
  skill: { mean: 25, sigma: 25 / 3, performance: 25 / 6, ratingError: 1.25 },
  noShow: 0.002,
  newcomers: { share: 0.004, matches: 30, control: 0.5, smurfs: 0.1, smurfSigmas: 2 },
  roles: {},
} as const satisfies Partial<Population>;

const modes = {
  '5v5': {
    parties: { shares: [0.68, 0.18, 0.07, 0.03, 0.04], friendSpread: 4 },
    session: { matches: 4, breakSeconds: 40 },
    match: { minutes: 15, spreadMinutes: 4 },
  },
  '1v1': {
    parties: { shares: [1], friendSpread: 4 },
    session: { matches: 6, breakSeconds: 25 },
    match: { minutes: 6, spreadMinutes: 2 },
  },
} as const satisfies Record<string, Partial<Population>>;

const sizes: Readonly<Record<string, number>> = {
  '30': 30,
  '100': 100,
  '300': 300,
  '1k': 1_000,
  '3k': 3_000,
  '10k': 10_000,
  '30k': 30_000,
  '100k': 100_000,
  '500k': 500_000,
};

/** Players of a small game expect longer waits. */
function patienceSeconds(concurrentPlayers: number): number {
  if (concurrentPlayers <= 30) return 900;
  return concurrentPlayers <= 300 ? 600 : 300;
}

/** Populations to try rules on, by names such as `5v5-300`: a mode, and the number of concurrent players. */
export const populationPresets: ReadonlyMap<string, Population> = new Map(
  Object.entries(modes).flatMap(([mode, kind]) =>
    Object.entries(sizes).map(([size, concurrentPlayers]) => {
      const population: Population = {
        ...shared,
        ...kind,
        name: `${mode}-${size}`,
        concurrentPlayers,
        regions: concurrentPlayers <= 1_000 ? shores : everywhere,
        patience: { medianSeconds: patienceSeconds(concurrentPlayers), spread: 0.6 },
      };
      return [population.name, population] as const;
    }),
  ),
);
