import { chancesOfOdds, firstWithout, teamAfter } from '../contest.js';
import type { Contest, ModelKind, RatingModel } from '../model.js';
import { amount, choice, type ValuesOf } from '../parameters.js';
import { lastOf, worthOf } from '../settling.js';
import { evenPower, placeValue, stretchedPlaceValue } from './power.js';

/** The values of the places in the last matches, oldest first. */
export interface PubPowerState {
  readonly values: readonly number[];
}

/** The highest value of a place in any mode. */
const highest = 1000;

const parameters = {
  top: amount(24, 1, highest, 'what the first place is worth: the most players that the mode takes'),
  matches: amount(50, 1, 500, 'how many last matches count'),
  places: choice(
    ['counted', 'stretched'],
    'counted: each place is worth one less than the one before, 1 at least; stretched: the last place is worth 1, of few and of many',
  ),
  scale: amount(
    9.1,
    1e-3,
    1e6,
    'difference of team power that is one unit of log-odds; with 9.1, one of 10 is 3 to 1',
  ),
};

/** The mean place on the scoreboard, used by Sector's Edge to balance casual matches. */
export const pubPowerKind: ModelKind<PubPowerState, typeof parameters> = {
  name: 'pub-power',
  title: 'pubPower',
  about:
    'Mean place on the scoreboard over the last fifty matches: at once useful for casual play, but it rewards what the scoreboard does and not winning. Counted places are worth more in small matches.',
  parameters,
  needs: ['places'],
  zeroSum: false,
  open: openPubPower,
};

/** The parameters as rating uses them. */
type PubPowerSettings = ReturnType<typeof settingsOf>;

function openPubPower(given: ValuesOf<typeof parameters>): RatingModel<PubPowerState> {
  const settings = settingsOf(given);
  const { scale, matches, spread, middle } = settings;
  return {
    name: pubPowerKind.name,
    initial: () => ({ values: [] }),
    // The number of matches at that value with the same uncertainty.
    seed: ({ mu, sigma }) => ({
      values: Array.from({ length: Math.min(matches, Math.max(1, worthOf(spread, sigma))) }, () => mu),
    }),
    moved: ({ values }, mu) => ({ values: Array.from({ length: Math.max(1, values.length) }, () => mu) }),
    restarted: ({ values }, { mu, sigma }) => ({
      values: shifted(lastOf(values, worthOf(spread, sigma), mu === middle), mu),
    }),
    range: { mu: [1, highest], sigma: [1e-6, highest] },
    belief: (state) => ({
      mu: powerOf(settings, state),
      sigma: spread / Math.sqrt(1 + state.values.length),
    }),
    display: (state) => powerOf(settings, state),
    flaw: ({ values }) =>
      values.every((value) => value >= 1 && value <= highest)
        ? null
        : `has a place worth ${values.find((value) => !(value >= 1 && value <= highest))}; it must be 1 to ${highest}`,
    contestFlaw: () => null,
    missingFact,
    predict(contest) {
      const powers = teamPowers(settings, contest);
      return chancesOfOdds(powers.map((power, t) => power / scale + (contest.odds?.[t] ?? 0)));
    },
    rate: (contest) => rateTeams(settings, contest),
    write: ({ values }) => ({ values }),
    read: (json) => readPubPower(json, matches),
    brief: (state) => ({ pubPower: powerOf(settings, state), matches: state.values.length }),
  };
}

function settingsOf({ top, scale, matches, places }: ValuesOf<typeof parameters>) {
  return {
    top,
    scale,
    matches: Math.floor(matches),
    stretched: places === 'stretched',
    /** Prior mean and standard deviation of a place: uniform between 1 and the top. */
    middle: (1 + top) / 2,
    spread: Math.max(1, top) / Math.sqrt(12),
  };
}

function powerOf({ middle }: PubPowerSettings, { values }: PubPowerState): number {
  return values.length === 0 ? middle : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** These places around another mean, closer to each other where a place would be worth too little or too much. */
function shifted(values: readonly number[], mu: number): number[] {
  if (values.length === 0) return [];
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const room = Math.min(
    1,
    (highest - mu) / Math.max(1e-12, Math.max(...values) - mean),
    (mu - 1) / Math.max(1e-12, mean - Math.min(...values)),
  );
  return values.map((value) => Math.min(highest, Math.max(1, mu + room * (value - mean))));
}

/** A sentence on the first player without a place; null when there is none. */
function missingFact(contest: Contest<PubPowerState>): string | null {
  const playerWithout = firstWithout(contest, ({ place }) => Number.isInteger(place) && (place ?? 0) >= 1);
  return playerWithout === null
    ? null
    : `pubPower (pub-power) needs every player’s place on the scoreboard, a whole number from 1; that of ${playerWithout} is missing or something else. Use openskill-plackett-luce or log-weights where only results are known.`;
}

/** Sums of sortedPower by team; players without weight are not sorted. */
function teamPowers(settings: PubPowerSettings, { teams, weights }: Contest<PubPowerState>): number[] {
  const present = teams.flatMap((team, t) =>
    team.flatMap((player, p) => {
      const weight = weights?.[t]?.[p] ?? 1;
      return weight === 0 ? [] : [{ t, weight, power: powerOf(settings, player) }];
    }),
  );
  const sums = teams.map(() => 0);
  evenPower(present.map(({ power }) => power)).forEach((power, i) => {
    const { t, weight } = present[i] ?? { t: 0, weight: 0 };
    sums[t] = (sums[t] ?? 0) + weight * power;
  });
  return sums;
}

/** Adds the place of each participating player. */
function rateTeams(
  { top, matches, stretched }: PubPowerSettings,
  { teams, weights, facts }: Contest<PubPowerState>,
): PubPowerState[][] {
  const players = teams.reduce(
    (sum, team, t) => sum + team.filter((_player, p) => weights?.[t]?.[p] !== 0).length,
    0,
  );
  return teams.map((team, t) =>
    teamAfter(team, weights?.[t], ({ values }, _weight, p) => {
      const place = facts?.[t]?.[p]?.place ?? 1;
      const value = stretched ? stretchedPlaceValue(place, top, players) : placeValue(place, top);
      return { values: [...values, value].slice(-matches) };
    }),
  );
}

function readPubPower(json: unknown, matches: number): PubPowerState {
  if (typeof json === 'object' && json !== null && 'values' in json && Array.isArray(json.values)) {
    const values: unknown[] = json.values;
    if (values.every((value) => typeof value === 'number')) return { values: values.slice(-matches) };
  }
  throw new TypeError(`not a pubPower: ${JSON.stringify(json)}`);
}
