import { right, tableLines } from '@muster/plot/table';

/** The results of one of the two servers. */
export interface ServerFigures {
  readonly policy: string;
  /** Share of the time at which both teams had 40 to 60 % by true skill; null before the first moment. */
  readonly fairShare: number | null;
  /** Number of moves during play. */
  readonly moves: number;
  /** Number of different players moved. */
  readonly playersMoved: number;
  readonly scrambles: number;
  readonly roundsRated: number;
}

/** The results of the arena demo; printed as its last line. */
export interface ArenaReport {
  readonly demo: 'arena';
  readonly seconds: number;
  /** With the policy first, without it second. */
  readonly servers: readonly ServerFigures[];
  /** The file of the win-probability traces; null while they are not drawn. */
  readonly plot: string | null;
}

/** A shorter run means little: people join and leave a few times only. */
const meaningfulSeconds = 100;

/** The report as a table, with the path of the plot. */
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
        `${seconds.toFixed(0)} s`,
        ...right(...servers.map(({ policy }) => (policy === 'none' ? 'without' : `with ${policy}`))),
      ],
      rows.map(([name, cell]) => [name, ...servers.map(cell)]),
    ),
    '',
    ...(seconds < meaningfulSeconds
      ? ['So short a run is mostly chance; some minutes show what the policy does.']
      : []),
    ...(plot === null ? [] : [`The win probability of both matches over time: ${plot}`]),
  ];
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
