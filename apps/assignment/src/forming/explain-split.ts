import type { FormTeamsJob } from '@muster/contracts';
import { message, shown, type Message } from '@muster/domain';
import type { SplitAnswer, SplitSolution } from '@muster/solver';
import type { SideChoice } from './split-sides.js';

/**
 * Explains the chosen teams.
 *
 * @param answer with the best split first and the best rejected split second
 * @param prediction each team's chance to win
 */
export function explainSplit(answer: SplitAnswer, prediction: readonly number[]): Message[] {
  const { solutions, method, because, ranked } = answer;
  const [best, rejected] = solutions;
  const chances = prediction.map((chance, team) =>
    message('split.chance', { team, percent: Math.round(100 * chance) }),
  );
  return [
    ...waysIn(answer),
    ...(best ? judgement(best, answer) : []),
    message('split.found-by', { method, because }),
    ...(rejected
      ? [
          message('split.rejected', {
            ranked,
            difference: points(rejected.difference),
            sums: rejected.sums.map(tenths),
          }),
        ]
      : []),
    message('split.prediction', { teams: chances }),
    ...(best?.bots.some((bots) => bots > 0) ? [message('split.players-alone')] : []),
  ];
}

/**
 * Explains roles and bots, for players.
 *
 * @param roles by player, of those who fill one
 * @param bots by team
 */
export function explainPlaces(
  teams: readonly (readonly string[])[],
  roles: ReadonlyMap<string, string>,
  bots: readonly number[],
): Message[] {
  const played = teams.flatMap((players, team) => {
    const byRole = players.flatMap((playerId) => {
      const role = roles.get(playerId);
      return role === undefined ? [] : [message('split.role', { playerId, role })];
    });
    return byRole.length === 0 ? [] : [message('split.roles', { team, players: byRole })];
  });
  const filled = bots.flatMap((count, team) =>
    count === 0 ? [] : [message('split.bots-on', { bots: count, team })],
  );
  return [...played, ...(filled.length === 0 ? [] : [message('split.bots', { teams: filled })])];
}

/** Names the players with a booster, and where they play with it, so that others know of it. */
export function explainBoosters(tickets: FormTeamsJob['tickets']): Message[] {
  return tickets.flatMap(({ boosters = {} }) =>
    Object.entries(boosters).map(([playerId, { division, higher }]) =>
      message('match.booster', { playerId, division, higher }),
    ),
  );
}

/** Explains which team plays which side, and how that was chosen. @param sides by team; undefined where there are none */
export function explainSides(sides: readonly string[] | undefined, choice: SideChoice): Message[] {
  if (!sides) return [];
  return [
    message('split.sides', { teams: sides.map((side, team) => message('split.side', { team, side })) }),
    ...(choice === 'together' ? [message('split.for-sides')] : []),
    ...(choice === 'afterwards' ? [message('split.sides-after')] : []),
  ];
}

function waysIn({ ways }: SplitAnswer): Message[] {
  if (ways === null) return [];
  return [message(Number.isSafeInteger(ways) ? 'split.ways' : 'split.about-ways', { ways })];
}

/** The proof of evenness, and separately the numbers, which are not for players. */
function judgement(best: SplitSolution, { certificate }: SplitAnswer): Message[] {
  const sums = { sums: best.sums.map(tenths), difference: points(best.difference) };
  if (certificate.status === 'proven') return [message('split.proven'), message('split.sums', sums)];
  const { lowerBound, gap, stopped } = certificate;
  return [
    message('split.best-found', { stopped: stopped ?? 'size' }),
    message('split.bound', { ...sums, bound: points(lowerBound), gain: points(gap) }),
  ];
}

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** Two decimals, or the leading digits of a smaller number: a difference that is not 0 must not read as 0. */
function points(value: number): number {
  return shown(value) === 0 ? Number(value.toPrecision(1)) : shown(value);
}
