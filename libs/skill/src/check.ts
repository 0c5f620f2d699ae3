import { Unsolvable, type SkillBelief } from '@muster/domain';
import type { Ranks } from './model.js';

type Teams = readonly (readonly SkillBelief[])[];

/** Refuses what would turn into NaN or into a silent draw further down. */
export function checkTeams(teams: Teams): void {
  if (teams.length < 2)
    throw new Unsolvable(
      `A match has at least two teams; there ${teams.length === 1 ? 'is one' : 'are none'}.`,
    );
  teams.forEach((team, t) => {
    if (team.length === 0) throw new Unsolvable(`Team ${t + 1} has no players.`);
    team.forEach(({ mu, sigma }, p) => {
      if (!Number.isFinite(mu) || !Number.isFinite(sigma) || sigma <= 0) {
        throw new Unsolvable(
          `Player ${p + 1} of team ${t + 1} has mu ${mu} and sigma ${sigma}; both must be finite and sigma above 0.`,
        );
      }
    });
  });
}

/** Refuses a rank list of the wrong length or with something other than whole numbers in it. */
export function checkRanks(teams: Teams, ranks: Ranks): void {
  if (ranks.length !== teams.length)
    throw new Unsolvable(`There are ${teams.length} teams but ${ranks.length} ranks.`);
  ranks.forEach((rank, t) => {
    if (!Number.isInteger(rank) || rank < 1)
      throw new Unsolvable(`The rank of team ${t + 1} is ${rank}; it must be a whole number of at least 1.`);
  });
}

/** Refuses to hand out a belief that is not a number: better no rating than a broken one. */
export function checkBeliefs(teams: Teams): void {
  for (const { mu, sigma } of teams.flat()) {
    if (!Number.isFinite(mu) || !Number.isFinite(sigma) || sigma <= 0) {
      throw new Unsolvable(
        'The model has no finite answer for these ratings; check the pool’s parameters against its scale.',
      );
    }
  }
}
