import { Unsolvable } from '@muster/domain';
import type { Contest, Ranks, RatingModel, SkillState } from './model.js';

/**
 * A model that refuses invalid input, before it could become NaN or an unnoticed draw, and that never returns values that
 * are not numbers.
 */
export function guarded<S extends SkillState>(model: RatingModel<S>): RatingModel<S> {
  const fits = (contest: Contest<S>, isOver: boolean): void => {
    checkContest(contest);
    const { teams } = contest;
    for (let t = 0; t < teams.length; t++) {
      const team = teams[t] ?? [];
      for (let p = 0; p < team.length; p++) {
        const flaw = model.flaw(team[p] as S);
        if (flaw !== null) throw new Unsolvable(`Player ${p + 1} of team ${t + 1} ${flaw}.`);
      }
    }
    const missing = isOver || contest.facts ? model.missingFact?.(contest) : null;
    const misfit = model.contestFlaw(contest) ?? missing ?? null;
    if (misfit !== null) throw new Unsolvable(misfit);
  };
  return {
    ...model,
    seed(belief) {
      if (!Number.isFinite(belief.mu) || !(belief.sigma > 0) || !Number.isFinite(belief.sigma))
        throw new Unsolvable(
          `A rating needs a finite mean and an uncertainty above 0; these are ${belief.mu} and ${belief.sigma}.`,
        );
      const state = model.seed(belief);
      const flaw = model.flaw(state);
      if (flaw !== null)
        throw new Unsolvable(`A ${model.name} rating of ${belief.mu} ± ${belief.sigma} ${flaw}.`);
      return state;
    },
    moved(before, mu) {
      if (!Number.isFinite(mu)) throw new Unsolvable(`A rating needs a finite mean; this is ${mu}.`);
      if (model.belief(before).mu === mu) return before;
      return sound(model, model.moved(before, mu), `moved to ${mu}`);
    },
    restarted: (before, belief, keep) =>
      sound(model, model.restarted(before, belief, keep), `moved to ${belief.mu} by a season`),
    predict(contest) {
      fits(contest, false);
      const chances = model.predict(contest);
      if (chances.length !== contest.teams.length || chances.some((c) => !(c >= 0 && c <= 1)))
        throw noFiniteAnswer(model.name);
      return chances;
    },
    rate(contest, ranks) {
      fits(contest, true);
      checkRanks(contest.teams.length, ranks);
      const rated = model.rate(contest, ranks);
      for (const team of rated)
        for (const state of team) if (model.flaw(state) !== null) throw noFiniteAnswer(model.name);
      return rated;
    },
  };
}

/** @throws Unsolvable for a state with a flaw */
function sound<S extends SkillState>(model: RatingModel<S>, state: S, what: string): S {
  const flaw = model.flaw(state);
  if (flaw !== null) throw new Unsolvable(`A ${model.name} rating ${what} ${flaw}.`);
  return state;
}

function noFiniteAnswer(name: string): Unsolvable {
  return new Unsolvable(
    `${name} has no finite answer for these ratings; check the pool’s parameters against its scale.`,
  );
}

function checkContest({ teams, weights, opening, odds, at, facts }: Contest): void {
  if (teams.length < 2)
    throw new Unsolvable(
      `A match has at least two teams; there ${teams.length === 1 ? 'is one' : 'are none'}.`,
    );
  for (let t = 0; t < teams.length; t++)
    if (teams[t]?.length === 0) throw new Unsolvable(`Team ${t + 1} has no players.`);
  if (weights)
    checkShape(teams, weights, 'weights', (w) => w >= 0 && w < Infinity, 'finite and not negative');
  if (opening)
    checkShape(teams, opening, 'opening weights', (w) => w >= 0 && w < Infinity, 'finite and not negative');
  if (facts) checkShape(teams, facts, 'facts', () => true, '');
  if (odds && (odds.length !== teams.length || !odds.every(Number.isFinite)))
    throw new Unsolvable(`There must be finite log-odds for each of the ${teams.length} teams.`);
  if (at !== undefined && !Number.isFinite(at)) throw new Unsolvable(`The time of the match is ${at}.`);
}

function checkShape<T>(
  teams: readonly (readonly unknown[])[],
  given: readonly (readonly T[])[],
  what: string,
  sane: (value: T) => boolean,
  right: string,
): void {
  if (given.length !== teams.length)
    throw new Unsolvable(`There are ${teams.length} teams but ${what} of ${given.length}.`);
  given.forEach((row, t) => {
    if (row.length !== teams[t]?.length)
      throw new Unsolvable(`Team ${t + 1} has ${teams[t]?.length} players but ${what} of ${row.length}.`);
    row.forEach((value, p) => {
      if (!sane(value))
        throw new Unsolvable(
          `Player ${p + 1} of team ${t + 1} has ${JSON.stringify(value)} among the ${what}; it must be ${right}.`,
        );
    });
  });
}

/** Refuses a rank list of the wrong length or with something other than whole numbers in it. */
function checkRanks(teams: number, ranks: Ranks): void {
  if (ranks.length !== teams) throw new Unsolvable(`There are ${teams} teams but ${ranks.length} ranks.`);
  for (let t = 0; t < teams; t++) {
    const rank = ranks[t] ?? NaN;
    if (!Number.isInteger(rank) || rank < 1)
      throw new Unsolvable(`The rank of team ${t + 1} is ${rank}; it must be a whole number of at least 1.`);
  }
}
