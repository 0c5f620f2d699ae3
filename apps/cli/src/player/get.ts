import type { RatingView } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { counted, indented, plain, right, signed, tableLines } from '@muster/command-line/terminal/table';
import { beliefText, historyLines, type Change } from './history.js';

/** Tells of a player's rating with its latest changes. */
export async function getPlayer(
  ask: Ask,
  playerId: string,
  { pool, history }: { readonly pool: string; readonly history: number },
): Promise<Answer> {
  const rating = await ask((operator) => operator.rating(pool, playerId));
  const { changes } =
    history === 0
      ? { changes: [] }
      : await ask((operator) => operator.ratingHistory(pool, playerId, { limit: history }));
  return { json: { ...rating, history: changes }, text: (ink) => ratingText(rating, changes, ink) };
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
        ['aspect', ...right('log-odds'), '', ...right('even duel', 'matches')],
        aspects.map(({ name, mean, sd, matches }) => [
          name,
          signed(mean, 3),
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
