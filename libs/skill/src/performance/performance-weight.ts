import { chancesOfOdds, firstWithout, teamAfter } from '../contest.js';
import type { Contest, ModelKind, PlayerFacts, RatingModel } from '../model.js';
import { amount, type ValuesOf } from '../parameters.js';
import { lastOf, worthOf } from '../settling.js';
import { killRatio, performanceWeight, type Game } from './weight.js';

/** The last games, oldest first. */
export interface PerformanceState {
  readonly games: readonly Game[];
}

const parameters = {
  games: amount(100, 20, 500, 'how many last games count as all games'),
  exponent: amount(
    0.5,
    1e-3,
    100,
    'chances compare the teams’ sums of weights to this power; with 0.5, four times the weight is 2 to 1',
  ),
};

/** A weight lies between these: the product of four numbers of a game can be anything. */
const [least, most] = [1e-3, 1e6];
/** Spread of a newcomer's weight. */
const spread = 1;

/** The weight from kills, deaths, assists and power points that players of a shooter proposed for its balance. */
export const performanceWeightKind: ModelKind<PerformanceState, typeof parameters> = {
  name: 'performance-weight',
  title: 'Performance weight',
  about:
    'Kills per death and power points, overall and in the last twenty games, multiplied: made for balance by what players do. It rewards the scoreboard and not winning, and a product of four numbers varies a lot.',
  parameters,
  needs: ['performance'],
  zeroSum: false,
  open: openPerformanceWeight,
};

function openPerformanceWeight({
  exponent,
  ...given
}: ValuesOf<typeof parameters>): RatingModel<PerformanceState> {
  const kept = Math.floor(given.games);
  return {
    name: performanceWeightKind.name,
    initial: () => ({ games: [] }),
    seed: ({ mu, sigma }) => ({
      games: gamesOf(mu, Math.min(kept, Math.max(1, worthOf(spread, sigma)))),
    }),
    moved: ({ games }, mu) => ({ games: gamesOf(mu, Math.max(1, games.length)) }),
    restarted: ({ games }, { mu, sigma }) => ({
      games: scaled(lastOf(games, worthOf(spread, sigma), mu === 1), mu),
    }),
    range: { mu: [least, most], sigma: [1e-6, most] },
    belief: (state) => ({ mu: weightOf(state), sigma: spread / Math.sqrt(1 + state.games.length) }),
    display: weightOf,
    flaw: ({ games }) =>
      games.every(({ ratio, power }) => ratio >= 0 && ratio <= most && power >= 0 && power <= most)
        ? null
        : `has a game whose kills per death or power points are not between 0 and ${most}`,
    contestFlaw: () => null,
    missingFact,
    predict: (contest) => predictTeams(exponent, contest),
    rate: (contest) => rateTeams(kept, contest),
    write: ({ games }) => ({ games: games.map(({ ratio, power }) => [ratio, power]) }),
    read: (json) => readState(json, kept),
    brief: (state) => ({ weight: weightOf(state), games: state.games.length }),
  };
}

/** Equal games that give a weight: a ratio of 1, and the power that remains. */
function gamesOf(weight: number, count: number): Game[] {
  const game = { ratio: 1, power: Math.sqrt(100_000 * Math.min(most, Math.max(least, weight))) };
  return Array.from({ length: count }, () => game);
}

/** These games with ratios scaled to give a weight; equal games where none of them has a weight, or a ratio would be too large. */
function scaled(games: readonly Game[], weight: number): Game[] {
  if (games.length === 0) return [];
  // The weight has the product of two ratios as a factor.
  const factor = Math.sqrt(weight / performanceWeight(games));
  const all = games.map(({ ratio, power }) => ({ ratio: ratio * factor, power }));
  return all.every(({ ratio }) => ratio <= most) ? all : gamesOf(weight, games.length);
}

/** A newcomer has the weight of one kill per death and a power of 316: 1. */
function weightOf({ games }: PerformanceState): number {
  return games.length === 0 ? 1 : Math.min(most, Math.max(least, performanceWeight(games)));
}

function predictTeams(exponent: number, { teams, weights, odds }: Contest<PerformanceState>): number[] {
  return chancesOfOdds(
    teams.map((team, t) => {
      const sum = team.reduce((total, player, p) => total + (weights?.[t]?.[p] ?? 1) * weightOf(player), 0);
      return exponent * Math.log(Math.max(least, sum)) + (odds?.[t] ?? 0);
    }),
  );
}

const isAmount = (value: number | undefined): value is number =>
  value !== undefined && value >= 0 && value <= most;

const hasPerformance = ({ kills, deaths, assists = 0, power }: PlayerFacts): boolean =>
  isAmount(kills) && isAmount(deaths) && isAmount(assists) && isAmount(power);

/** A sentence on the first player without a performance; null when there is none. */
function missingFact(contest: Contest<PerformanceState>): string | null {
  const playerWithout = firstWithout(contest, hasPerformance);
  return playerWithout === null
    ? null
    : `Performance weight (performance-weight) needs every player’s kills, deaths and power points, from 0 to ${most}; those of ${playerWithout} are missing or something else. Use openskill-plackett-luce where only results are known.`;
}

/** Adds the game of each participating player. */
function rateTeams(kept: number, { teams, weights, facts }: Contest<PerformanceState>): PerformanceState[][] {
  return teams.map((team, t) =>
    teamAfter(team, weights?.[t], ({ games }, _weight, p) => {
      const { kills = 0, deaths = 0, assists = 0, power = 0 } = facts?.[t]?.[p] ?? {};
      const ratio = Math.min(most, killRatio(kills, deaths, assists));
      return { games: [...games, { ratio, power }].slice(-kept) };
    }),
  );
}

function readState(json: unknown, kept: number): PerformanceState {
  if (typeof json === 'object' && json !== null && 'games' in json && Array.isArray(json.games)) {
    const games: unknown[] = json.games;
    const read = games.flatMap((game) => {
      if (!Array.isArray(game)) return [];
      const [ratio, power]: unknown[] = game;
      return typeof ratio === 'number' && typeof power === 'number' ? [{ ratio, power }] : [];
    });
    if (read.length === games.length) return { games: read.slice(-kept) };
  }
  throw new TypeError(`not a performance weight: ${JSON.stringify(json)}`);
}
