import type { PoolHealth, QueryOf } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Ink } from '@muster/command-line/terminal/ink';
import { proposalText } from './show.js';
import { moment } from '@muster/command-line/terminal/moment';
import { checkPlotFile, writePlotFile } from '@muster/command-line/terminal/plot-file';
import { counted, indented, right, signed, tableLines } from '@muster/command-line/terminal/table';

type Plots = Readonly<Record<string, unknown>>;

/** The plots that were asked for. */
const plotsOf = ({ plot, calibrationPlot }: Plots) => [
  ...(typeof plot === 'string'
    ? [{ file: plot, kind: 'time' as const, drawn: 'log-loss, Brier score, drift and convergence' }]
    : []),
  ...(typeof calibrationPlot === 'string'
    ? [{ file: calibrationPlot, kind: 'calibration' as const, drawn: 'the calibration' }]
    : []),
];

/** Reads the quality of a pool's predictions, and plots it on request. */
export async function readHealth(
  ask: Ask,
  { pool, ...query }: QueryOf<'readPoolHealth'> & { readonly pool: string },
  plots: Plots,
): Promise<PoolHealth> {
  for (const { file } of plotsOf(plots)) await checkPlotFile(file);
  const health = await ask((operator) => operator.poolHealth(pool, query));
  for (const { file, kind } of plotsOf(plots))
    await writePlotFile(
      file,
      await ask((operator) => operator.poolHealthPlot(pool, { ...query, plot: kind })),
    );
  return health;
}

const shownPeriods = 10;
type Score = PoolHealth['overall']['raw'];

/** The figures of a coin flip. */
const coinFlip = { accuracy: 0.5, logLoss: Math.LN2, brier: 0.25 };

/** The figures, what may be run for the pool, and where the plots are. */
export function healthText(health: PoolHealth, plots: Plots, ink: Ink): string[] {
  const drawn = plotsOf(plots).map((each) => `The plot of ${each.drawn} is in ${each.file}.`);
  return [
    ...figuresText(health, ink),
    ...proposalText(health.proposals),
    ...(drawn.length > 0 ? ['', ...drawn] : []),
  ];
}

/** The figures as tables. */
export function figuresText(health: PoolHealth, ink: Ink): string[] {
  const { pool, players, version, generation, overall, deciles, periods } = health;
  const { matches } = overall.calibrated;
  const title = `${ink.bold(`Health of ${pool}`)}, version ${version}, generation ${generation}`;
  if (matches === 0) return [title, '', 'This pool has no rated matches yet.'];
  const last = periods.slice(-shownPeriods);
  const which =
    last.length < periods.length ? `The last ${last.length} of ${periods.length} periods` : 'Periods';
  return [
    `${title}: ${counted(matches, 'prediction')}, ${counted(players, 'player')}`,
    '',
    ...indented(overallTable(overall)),
    '',
    ink.bold('Predicted chances (calibrated), and observed frequency'),
    ...indented(decilesTable(deciles)),
    '',
    `${ink.bold(which)}, calibrated`,
    ...indented(periodsTable(last)),
  ];
}

function overallTable({ raw, calibrated }: PoolHealth['overall']): string[] {
  return tableLines(
    ['', ...right('predictions', 'decided', 'accuracy', 'log-loss', 'Brier')],
    [
      ['raw', ...counts(raw), ...cells(raw)],
      ['calibrated', ...counts(calibrated), ...cells(calibrated)],
      ['a coin flip', '', '', ...cells({ ...raw, ...coinFlip })],
    ],
  );
}

function decilesTable(deciles: PoolHealth['deciles']): string[] {
  return tableLines(
    right('said', 'observed', 'predictions'),
    deciles.map(({ predicted, happened, count }) => [
      predicted.toFixed(3),
      happened.toFixed(3),
      count.toLocaleString('en'),
    ]),
  );
}

function periodsTable(periods: PoolHealth['periods']): string[] {
  return tableLines(
    ['from', 'to', ...right('predictions', 'accuracy', 'log-loss', 'Brier', 'drift', 'converged', 'players')],
    periods.map((period) => [
      moment(period.from),
      moment(period.to),
      period.calibrated.matches.toLocaleString('en'),
      ...cells(period.calibrated),
      signed(period.drift, 2),
      `${(100 * period.converged).toFixed(0)} %`,
      period.players.toLocaleString('en'),
    ]),
  );
}

function counts({ matches, decided }: Score): string[] {
  return [matches.toLocaleString('en'), decided.toLocaleString('en')];
}

function cells({ accuracy, logLoss, brier, matches, decided }: Score): string[] {
  return [
    decided === 0 ? '–' : accuracy.toFixed(3),
    matches === 0 ? '–' : logLoss.toFixed(4),
    matches === 0 ? '–' : brier.toFixed(4),
  ];
}
