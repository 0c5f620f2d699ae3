import type { RatingView } from '@muster/contracts';
import { Connection } from '@muster/command-line/operator/connection';
import { print } from '@muster/command-line/operator/output';
import { inkFor, type Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { counted, indented, plain, tableLines } from '@muster/command-line/terminal/table';
import type { PlayerOptions } from './change.js';
import { beliefText, historyLines, type Change } from './history.js';

/** Prints a player's rating with its latest changes. @throws Error with a user-facing message */
export async function getPlayer(
  playerId: string,
  options: PlayerOptions & { readonly history: number },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { pool, history, json } = options;
  const connection = await Connection.open(options, env);
  const rating = await connection.ask((operator) => operator.rating(pool, playerId));
  const { changes } =
    history === 0
      ? { changes: [] }
      : await connection.ask((operator) => operator.ratingHistory(pool, playerId, { limit: history }));
  print(json, { ...rating, history: changes }, () =>
    ratingText(rating, changes, inkFor(process.stdout, env)),
  );
}

/** A rating and its latest changes. */
export function ratingText(rating: RatingView, changes: readonly Change[], ink: Ink): string[] {
  const { playerId, name, pool, division, display, matches } = rating;
  const title = `${ink.bold(playerId)}${name ? ` (${name})` : ''} in pool ${pool}`;
  const isKnown = matches > 0 || changes.length > 0;
  return [
    isKnown ? title : `${title} has no rating; this is the start value`,
    ...indented([
      `rating    ${beliefText(rating)} (mu ${plain(rating.mu)}, sigma ${plain(rating.sigma)})`,
      `display   ${plain(Number(display.toPrecision(5)))}`,
      `division  ${division.name}, step ${division.step} of ${division.of}${shadowWords(rating)}`,
      `matches   ${matches.toLocaleString('en')}${lastWords(rating)}`,
    ]),
    ...aspectLines(rating, ink),
    ...(changes.length === 0
      ? []
      : ['', ink.bold(changes.length === 1 ? 'The latest change' : `The latest ${changes.length} changes`)]),
    ...indented(historyLines(changes)),
  ];
}

/** Skills by aspect, as the chance to win a duel against an equal who has no such skill. */
function aspectLines({ aspects = [] }: RatingView, ink: Ink): string[] {
  if (aspects.length === 0) return [];
  return [
    '',
    ink.bold('Beside the common skill'),
    ...indented(
      tableLines(
        [
          { head: 'aspect' },
          { head: 'log-odds', right: true },
          { head: '' },
          { head: 'even duel', right: true },
          { head: 'matches', right: true },
        ],
        aspects.map(({ name, mean, sd, matches }) => [
          name,
          `${mean < 0 ? '−' : '+'}${Math.abs(mean).toFixed(3)}`,
          `± ${sd.toFixed(3)}`,
          `${(100 / (1 + Math.exp(-mean))).toFixed(1)} %`,
          matches.toLocaleString('en'),
        ]),
      ),
    ),
  ];
}

function shadowWords({ shadow: { hidden, matchesLeft } }: RatingView): string {
  return hidden ? `; hidden from the player for ${counted(matchesLeft, 'more match', 'more matches')}` : '';
}

function lastWords({ lastRatedAt, stale, inactiveFrom }: RatingView): string {
  const from = inactiveFrom ? `; inactivity counts from ${moment(inactiveFrom)}` : '';
  if (lastRatedAt === null) return from;
  return `, the last at ${moment(lastRatedAt)}${stale ? ': stale' : ''}${from}`;
}
