import type { PlacementView } from '@muster/contracts';
import { callMuster } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { inkFor, type Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { counted, indented, tableLines } from '@muster/command-line/terminal/table';

const shown = 10;

/** Prints whether a pool places newcomers by their stats, and why. @throws Error with a user-facing message */
export async function poolPlacement(
  name: string,
  options: OperatorOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const view = await callMuster(options, env, (operator) => operator.placement(name));
  print(options.json, view, () => placementText(view, inkFor(process.stdout, env)));
}

/** The placement of a pool as text. */
export function placementText({ pool, used, why, rules, fit }: PlacementView, ink: Ink): string[] {
  return [
    `${ink.bold(`Placement in ${pool}`)}: ${used ? 'newcomers are placed by results and stats' : 'newcomers are placed by results alone'}`,
    why,
    ...(rules
      ? [
          `Asked: held-out R² of ${rules.leastR2}, ${counted(rules.minMatches, 'match', 'matches')} with stats; a newcomer is placed after ${counted(rules.window, 'match', 'matches')}.`,
        ]
      : []),
    ...(fit ? ['', ...fitText(fit, ink)] : []),
  ];
}

function fitText(fit: NonNullable<PlacementView['fit']>, ink: Ink): string[] {
  const { fittedAt, matches, rows, players, incomplete, stats } = fit;
  const figures: [string, number, string][] = [
    ['R²', fit.r2, 'share of the differences that the stats explain'],
    ['R², held out', fit.heldOutR2, 'the same for players left out of the fit'],
    ['error, held out', fit.heldOutError, 'root mean square, in points of the rating'],
    ['error of the mean', fit.errorOfMean, 'the same with every player placed at the mean'],
    ['reliability', fit.reliability, 'share of the variance of skill that ratings have'],
  ];
  return [
    `${ink.bold('Fitted')} ${moment(fittedAt)} to ${counted(matches, 'match', 'matches')} with stats: ${counted(rows, 'row')} of ${counted(players, 'player')}${incomplete > 0 ? `, ${incomplete.toLocaleString('en')} rows left out as incomplete` : ''}`,
    ...indented(
      tableLines(
        [{ head: 'figure' }, { head: 'value', right: true }, { head: '' }],
        figures.map(([name, value, meaning]) => [name, value.toFixed(3), meaning]),
      ),
    ),
    '',
    ...indented(
      tableLines(
        [{ head: 'stat' }, { head: 'points for a standard deviation', right: true }],
        stats
          .slice(0, shown)
          .map(({ name, weight }) => [name, `${weight < 0 ? '−' : '+'}${Math.abs(weight).toFixed(3)}`]),
      ),
    ),
  ];
}
