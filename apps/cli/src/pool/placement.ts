import type { PlacementView } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { counted, indented, right, signed, tableLines } from '@muster/command-line/terminal/table';

const shown = 10;

/** Tells whether a pool places newcomers by their stats, and why. */
export async function poolPlacement(ask: Ask, name: string): Promise<Answer> {
  const view = await ask((operator) => operator.placement(name));
  return { json: view, text: (ink) => placementText(view, ink) };
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
        ['figure', ...right('value'), ''],
        figures.map(([name, value, meaning]) => [name, value.toFixed(3), meaning]),
      ),
    ),
    '',
    ...indented(
      tableLines(
        ['stat', ...right('points for a standard deviation')],
        stats.slice(0, shown).map(({ name, weight }) => [name, signed(weight, 3)]),
      ),
    ),
  ];
}
