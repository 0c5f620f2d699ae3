import type { PlacementComparison, PlacementSpeed, SpeedComparison } from '@muster/lab-simulation';
import { grid, number, type Paint } from '../table.js';
import { shapes } from './history.js';
import type { HttpLoad } from './http.js';
import type { RebuildTime } from './rebuild.js';
import type { Speed } from './updates.js';

/** The measured parts; others are absent. */
export interface RatingReport {
  readonly models?: readonly Speed[];
  readonly packages?: readonly Speed[];
  readonly placement?: readonly PlacementComparison[];
  readonly speed?: readonly SpeedComparison[];
  readonly http?: HttpLoad;
  readonly rebuild?: readonly RebuildTime[];
}

/** The required matches per second of a model, five against five. */
const leastUpdates: Readonly<Record<string, number>> = {
  'openskill-plackett-luce': 500_000,
  'openskill-bradley-terry-full': 500_000,
  'openskill-bradley-terry-part': 500_000,
  'openskill-thurstone-mosteller-full': 500_000,
  'openskill-thurstone-mosteller-part': 500_000,
  trueskill: 100_000,
  glicko2: 100_000,
  elo: 300_000,
  hive: 300_000,
  synelo: 20_000,
};
const leastResults = 300;
const mostRebuildSeconds = 30;

/** The report as Markdown tables. */
export function tablesOf(report: RatingReport, paint: Paint): string {
  const { models, packages, placement, speed, http, rebuild } = report;
  const verdict = (met: boolean, aim: string): string => paint(met, `${aim}: ${met ? 'met' : 'missed'}`);
  return [
    models && `Matches rated a second:\n\n${speedTable(models, verdict)}`,
    packages && `The packages, beside them:\n\n${speedTable(packages, verdict)}`,
    placement && `Newcomers, off by how much after 10 matches:\n\n${placementTable(placement)}`,
    speed &&
      `Newcomers, matches until within half a sigma for good (median), and RMSE after ten:\n\n${courseTable(speed)}`,
    http && `Results of five against five over HTTP:\n\n${httpTable(http, verdict)}`,
    rebuild && `A pool rebuilt:\n\n${rebuildTable(rebuild, verdict)}`,
  ]
    .filter((table) => table !== undefined)
    .join('\n\n');
}

type Verdict = (met: boolean, aim: string) => string;

function speedTable(speeds: readonly Speed[], verdict: Verdict): string {
  const names = [...new Set(speeds.map(({ name }) => name))];
  const speedOf = (name: string, shape: string): number | null =>
    speeds.find((speed) => speed.name === name && speed.shape === shape)?.updatesPerSecond ?? null;
  const refusals = [
    ...new Set(speeds.flatMap(({ name, refusal }) => (refusal === null ? [] : [`${name}: ${refusal}`]))),
  ];
  const table = grid(
    ['model', ...shapes.map(({ name }) => name), 'aim (5v5)'],
    names.map((name) => {
      const cells = shapes.map((shape) => speedOf(name, shape.name));
      const least = leastUpdates[name];
      // A package of the same name has no target.
      const judged = least !== undefined && speeds.some(({ name: other }) => other === 'hive');
      const met = (speedOf(name, '5v5') ?? 0) >= (least ?? 0);
      return [
        name,
        ...cells.map((cell) => (cell === null ? 'n/a' : cell.toLocaleString('en-US'))),
        judged ? verdict(met, `≥ ${least.toLocaleString('en-US')}`) : '',
      ];
    }),
  );
  return refusals.length === 0
    ? table
    : `${table}\n\nn/a:\n${refusals.map((line) => `  ${line}`).join('\n')}`;
}

function placementTable(trials: readonly PlacementComparison[]): string {
  return grid(
    [
      'newcomers',
      'players',
      'RMSE, binary search',
      'RMSE, OpenSkill',
      'within 1 σ, search',
      'within 1 σ, OpenSkill',
    ],
    trials.map(({ title, search, openskill }) => [
      title,
      `${search.players}`,
      search.error.toFixed(2),
      openskill.error.toFixed(2),
      search.within1.toFixed(2),
      openskill.within1.toFixed(2),
    ]),
  );
}

function courseTable(speeds: readonly SpeedComparison[]): string {
  const cell = ({ matches, errorAfterTen }: PlacementSpeed): string =>
    `${matches ?? 'more than followed'}; ${errorAfterTen.toFixed(2)}`;
  const explained = speeds[0]?.withStats.map((each) => each.explained) ?? [];
  return grid(
    [
      'newcomers',
      'OpenSkill',
      'calibration',
      'then TrueSkill',
      ...explained.map((share) => `with stats, R² ${share}`),
      'bound',
      'bound, even matches',
    ],
    speeds.map(({ title, openskill, calibration, trueskill, withStats, bound, evenBound }) => [
      title,
      ...[openskill, calibration, trueskill, ...withStats, bound, evenBound].map(cell),
    ]),
  );
}

function httpTable(
  { resultsPerSecond, p50Ms, p99Ms, concurrency, seconds }: HttpLoad,
  verdict: Verdict,
): string {
  return grid(
    ['results/s', 'p50 ms', 'p99 ms', 'at once', 'seconds', 'aim'],
    [
      [
        `${resultsPerSecond}`,
        number(p50Ms),
        number(p99Ms),
        `${concurrency}`,
        `${seconds}`,
        verdict(resultsPerSecond >= leastResults, `≥ ${leastResults}/s`),
      ],
    ],
  );
}

function rebuildTable(runs: readonly RebuildTime[], verdict: Verdict): string {
  return grid(
    ['rebuilt', 'matches', 'seconds', 'events/s', 'CPU s, rating', 'CPU s, Postgres', 'aim'],
    runs.map(({ title, matches, seconds, eventsPerSecond, cpuSeconds }) => [
      title,
      matches.toLocaleString('en-US'),
      number(seconds),
      eventsPerSecond.toLocaleString('en-US'),
      cpuSeconds ? number(cpuSeconds.rating) : 'n/a',
      cpuSeconds ? number(cpuSeconds.postgres) : 'n/a',
      verdict(seconds < mostRebuildSeconds, `< ${mostRebuildSeconds} s`),
    ]),
  );
}

/** The report as one line of JSON. */
export function jsonOf({ models, packages, placement, speed, http, rebuild }: RatingReport): string {
  const lines = (speeds: readonly Speed[] | undefined): object[] | undefined =>
    speeds?.map(({ name, shape, updatesPerSecond }) => ({ model: name, case: shape, updatesPerSecond }));
  const longest = rebuild?.reduce((most, run) => (run.seconds > most.seconds ? run : most));
  return JSON.stringify({
    models: lines(models),
    packages: lines(packages),
    placement: placement?.map(({ title, search, openskill }) => ({
      case: title,
      searchRmse: search.error,
      openskillRmse: openskill.error,
    })),
    speed,
    http,
    rebuild: longest && { matches: longest.matches, seconds: longest.seconds, runs: rebuild },
  });
}
