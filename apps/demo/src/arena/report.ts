import { tableLines } from '@muster/plot/table';

/** What one of the two servers came to. */
export interface ServerFigures {
  readonly policy: string;
  /** Share of the time at which both teams had 40 to 60 % by true skill; null before the first moment. */
  readonly fairShare: number | null;
  /** How often somebody was moved during play. */
  readonly moves: number;
  /** How many different people that were. */
  readonly playersMoved: number;
  readonly scrambles: number;
  readonly roundsRated: number;
}

/** What the arena demo came to; printed as its last line. */
export interface ArenaReport {
  readonly demo: 'arena';
  readonly seconds: number;
  /** With the policy first, without it second. */
  readonly servers: readonly ServerFigures[];
  /** Where the win-probability traces are drawn; null while they are not. */
  readonly plot: string | null;
}

export function nothingPlayed(): ArenaReport {
  return { demo: 'arena', seconds: 0, servers: [], plot: null };
}

/** Below this a run says little: people come and go a few times only. */
const tellingSeconds = 100;

/** The report as a table, with where the plot is. */
export function reportLines({ servers, plot, seconds }: ArenaReport): string[] {
  if (servers.length === 0) return ['Nobody has played yet.'];
  const rows: readonly (readonly [string, (figures: ServerFigures) => string])[] = [
    ['fair time (40–60 %)', ({ fairShare }) => (fairShare === null ? '-' : percent(fairShare))],
    ['moves', ({ moves }) => String(moves)],
    ['players moved', ({ playersMoved }) => String(playersMoved)],
    ['scrambles', ({ scrambles }) => String(scrambles)],
    ['rounds rated', ({ roundsRated }) => String(roundsRated)],
  ];
  return [
    '',
    ...tableLines(
      [
        { head: `${seconds.toFixed(0)} s` },
        ...servers.map(({ policy }) => ({
          head: policy === 'none' ? 'without' : `with ${policy}`,
          right: true,
        })),
      ],
      rows.map(([name, cell]) => [name, ...servers.map(cell)]),
    ),
    '',
    ...(seconds < tellingSeconds
      ? ['So short a run is mostly chance; some minutes show what the policy does.']
      : []),
    ...(plot === null ? [] : [`The win probability of both matches over time: ${plot}`]),
  ];
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
