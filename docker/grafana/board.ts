import { figures, figuresByTheme, type Figure, type FigureName } from '@muster/contracts';
import {
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

/** What an operator asks, by the theme of the figures that answer it. */
const questions: Readonly<Record<string, string>> = {
  'Tickets and the matcher': 'How long do players wait, and why?',
  'Teams and matches': 'Are matches fair?',
  'Servers, placements and results': 'Are there servers, and do results arrive?',
  Ratings: 'Do ratings predict matches?',
  'Jobs and background work': 'Is work done?',
  'Events for other systems': 'Do other systems get events?',
  'Calls and connections': 'Are calls answered?',
};

/** Figures that are shown in the panel of another: what it is compared with. */
const beside: Partial<Readonly<Record<FigureName, FigureName>>> = {
  ticketsWaiting: 'queueLeast',
  oldestTicket: 'queueLate',
  oldestUnplaced: 'queuePlacementTimeout',
  oldestHeartbeat: 'silenceLimit',
  logLoss: 'logLossMatches',
  loopIdle: 'loopDue',
};

/** Figures that are shown by some of their labels only, or combined in another way than their scope says. */
const otherwise: Partial<
  Readonly<Record<FigureName, { by?: readonly string[]; combine?: 'max' | 'min'; none?: boolean }>>
> = {
  httpRequests: { by: ['status'] },
  loopIdle: { combine: 'max' },
  loopDue: { combine: 'max' },
  silenceLimit: { combine: 'max' },
  sourceUp: { combine: 'min' },
  // Nothing is stated while there is none.
  matchesUnplaced: { none: true },
  oldestUnplaced: { none: true },
  claimsLost: { none: true },
  observationsMerged: { none: true },
};

/** More series than these are not read in a panel. */
const mostLines = 12;

interface Shown {
  readonly expr: string;
  readonly legend: string;
}

const legendOf = (labels: readonly string[], more = ''): string =>
  [...labels.map((label) => `{{${label}}}`), more].filter(Boolean).join(' ');

/** How a figure is read: counters as rates, distributions as quantiles, what each replica states about the system once. */
function shownOf(name: FigureName): Shown[] {
  const figure: Figure = figures[name];
  const { by = figure.labels, combine, none = false } = otherwise[name] ?? {};
  const filter = figure.labels.includes('queue') ? ',queue=~"$queue"' : '';
  const select = (suffix = ''): string => `${figure.name}${suffix}{namespace=~"$namespace"${filter}}`;
  const rate = (suffix = ''): string => `rate(${select(suffix)}[$__rate_interval])`;
  const most = (expr: string): string =>
    by.some((label) => isLong(label)) ? `topk(${mostLines}, ${expr})` : expr;
  if (figure.kind === 'histogram')
    return [0.5, 0.95].map((quantile) => ({
      expr: most(
        `histogram_quantile(${quantile}, sum by (${[...by, 'le'].join(', ')}) (${rate('_bucket')}))`,
      ),
      legend: legendOf(by, `p${quantile * 100}`),
    }));
  const over = combine ?? (figure.scope === 'system' ? 'max' : 'sum');
  const value = figure.kind === 'counter' ? rate() : select();
  const expr = most(`${over} by (${by.join(', ')}) (${value})`);
  return [{ expr: none ? `${expr} or on () vector(0)` : expr, legend: legendOf(by) }];
}

/** Labels with many values. */
const isLong = (label: string): boolean => ['endpoint', 'method', 'loop', 'problem'].includes(label);

/** `timeToMatch` as “Time to match”. */
function titleOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace('Http', 'HTTP').replace('Rpc', 'gRPC');
}

function unitOf({ kind, name }: Figure): string {
  if (name.endsWith('_seconds')) return 's';
  if (name.endsWith('_ratio')) return 'percentunit';
  return kind === 'counter' ? 'cps' : 'short';
}

const source = { type: 'prometheus', uid: '$datasource' };

function panel(title: string, description: string, unit: string, shown: readonly Shown[]): PanelBuilder {
  return new PanelBuilder()
    .title(title)
    .description(description)
    .unit(unit)
    .min(0)
    .datasource(source)
    .span(8)
    .height(7)
    .targets(
      shown.map(({ expr, legend }, i) =>
        new DataqueryBuilder()
          .expr(expr)
          .legendFormat(legend)
          .refId(String.fromCodePoint(65 + i)),
      ),
    );
}

function panelOf(name: FigureName): PanelBuilder {
  const figure: Figure = figures[name];
  const compared = beside[name];
  const also = compared === undefined ? [] : shownOf(compared);
  const shown = [
    ...shownOf(name),
    ...also.map(({ expr, legend }) => ({
      expr,
      legend: `${legend} ${titleOf(compared ?? '').toLowerCase()}`,
    })),
  ];
  return panel(titleOf(name), `${figure.help} ${figure.advice}`, unitOf(figure), shown);
}

/** What is looked at first. */
const first: readonly PanelBuilder[] = [
  panel('Alerts that fire', 'See docs/alerts.md.', 'short', [
    { expr: 'sum by (alertname) (ALERTS{alertstate="firing"}) or on () vector(0)', legend: '{{alertname}}' },
  ]),
  panel('Matches formed and rated', 'Per second.', 'cps', [
    { expr: 'sum(rate(muster_matches_formed_total{outcome="formed"}[$__rate_interval]))', legend: 'formed' },
    { expr: 'sum(rate(muster_matches_rated_total{outcome="rated"}[$__rate_interval]))', legend: 'rated' },
  ]),
  panel('Calls that fail', 'The share of calls with a status of 500 or more.', 'percentunit', [
    {
      expr: '(sum(rate(muster_http_requests_total{status=~"5.."}[$__rate_interval])) or vector(0)) / sum(rate(muster_http_requests_total[$__rate_interval]))',
      legend: 'calls',
    },
  ]),
];

/** What each process of Muster takes of its machine. */
const processes: readonly PanelBuilder[] = [
  [
    'Processor time',
    'Near 1 a process has all that it can use.',
    'short',
    'rate(process_cpu_seconds_total[$__rate_interval])',
  ],
  ['Memory', 'Resident memory.', 'bytes', 'process_resident_memory_bytes'],
  [
    'Event loop lag',
    '99 % of its turns begin after less; 0.05 s when it has nothing to do.',
    's',
    'nodejs_eventloop_lag_p99_seconds',
  ],
  [
    'Garbage collection',
    'Share of the time.',
    'percentunit',
    'sum without (kind) (rate(nodejs_gc_duration_seconds_sum[$__rate_interval]))',
  ],
  ['Open files', 'Connections count; compare `process_max_fds`.', 'short', 'process_open_fds'],
].map(([title = '', description = '', unit = '', expr = '']) =>
  panel(title, description, unit, [
    { expr: `${expr} and on (namespace, instance) muster_open_calls`, legend: '{{service}} {{instance}}' },
  ]),
);

/** The rows of the board: questions, and the panels that answer them. */
function rows(): (readonly [string, readonly PanelBuilder[]])[] {
  const compared = new Set<string>(Object.values(beside));
  const themes = Object.entries(figuresByTheme).map(
    ([theme, its]): readonly [string, readonly PanelBuilder[]] => [
      questions[theme] ?? theme,
      (Object.keys(its) as FigureName[]).filter((name) => !compared.has(name)).map(panelOf),
    ],
  );
  return [['Is all well?', first], ...themes, ['Have processes what they need?', processes]];
}

const variable = (name: string, label: string): QueryVariableBuilder =>
  new QueryVariableBuilder(name)
    .label(label)
    .datasource(source)
    .query(`label_values(muster_tickets_waiting, ${name})`)
    .refresh(2)
    .multi(true)
    .includeAll(true)
    // A label that no series has is matched, too.
    .allValue('.*');

/** The board of Muster: a panel for each declared figure, in rows by what an operator asks. */
export function board(): object {
  const made = new DashboardBuilder('Muster')
    .uid('muster')
    .tags(['muster'])
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .tooltip(DashboardCursorSync.Crosshair)
    .readonly()
    .withVariable(new DatasourceVariableBuilder('datasource').label('Source').type('prometheus'))
    .withVariable(variable('namespace', 'Namespace'))
    .withVariable(variable('queue', 'Queue'));
  for (const [question, panels] of rows()) {
    made.withRow(new RowBuilder(question));
    for (const each of panels) made.withPanel(each);
  }
  return made.build();
}
