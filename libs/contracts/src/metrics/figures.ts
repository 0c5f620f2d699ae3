import type { Figure } from './figure.js';
import { ratingFigures, serverFigures } from './servers.js';
import { callFigures, eventFigures, workFigures } from './system.js';
import { matchFigures, ticketFigures } from './tickets.js';

export type { Figure, Scope, StatedBy } from './figure.js';

/** All figures by theme, in the order of their page. */
export const figuresByTheme = {
  'Tickets and the matcher': ticketFigures,
  'Teams and matches': matchFigures,
  'Servers, placements and results': serverFigures,
  Ratings: ratingFigures,
  'Jobs and background work': workFigures,
  'Events for other systems': eventFigures,
  'Calls and connections': callFigures,
} as const satisfies Record<string, Record<string, Figure>>;

/** All figures, by what the code calls them. */
export const figures = {
  ...ticketFigures,
  ...matchFigures,
  ...serverFigures,
  ...ratingFigures,
  ...workFigures,
  ...eventFigures,
  ...callFigures,
} as const satisfies Record<string, Figure>;

export type FigureName = keyof typeof figures;
type Of<N extends FigureName> = (typeof figures)[N];
type Kept<Kind extends Figure['kind']> = {
  [N in FigureName]: Of<N> extends { readonly kind: Kind; readonly scope: 'process' } ? N : never;
}[FigureName];

/** A figure that a process counts. */
export type CounterName = Kept<'counter'>;
/** A figure whose distribution a process keeps. */
export type HistogramName = Kept<'histogram'>;
/** A value for each label of a figure. */
export type LabelsOf<N extends FigureName> = Readonly<Record<Of<N>['labels'][number], string>>;

/** Takes what happens in this process. It costs about a microsecond and never fails. */
export interface Meter {
  /** Adds to a counter, 1 by default. */
  count<N extends CounterName>(figure: N, labels: LabelsOf<N>, by?: number): void;
  /** Adds a value to a distribution; times are in seconds. */
  observe<N extends HistogramName>(figure: N, labels: LabelsOf<N>, value: number): void;
  /** Adds the time of a computation to a distribution. */
  timed<N extends HistogramName, T>(figure: N, labels: LabelsOf<N>, compute: () => T): T;
}

/** Keeps nothing: for tests, and for commands that no one scrapes. */
export const noMeter: Meter = {
  count: () => undefined,
  observe: () => undefined,
  timed: (_figure, _labels, compute) => compute(),
};
