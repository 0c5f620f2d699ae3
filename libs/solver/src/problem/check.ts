import { own } from '@muster/domain';
import type { SplitOptions, SplitProblem, SplitRefusal, Weighted } from './problem.js';

export const mostPlayers = 1000;
export const mostBest = 100;
export const mostRoles = 8;

export function refuse(
  why: SplitRefusal['why'],
  message: string,
  path?: string,
  relax: SplitRefusal['relax'] = [],
): SplitRefusal {
  return { outcome: 'refused', why, message, ...(path === undefined ? {} : { path }), relax };
}

/** Refuses an invalid problem. @param path of the invalid value */
export function malformed(message: string, path: string): SplitRefusal {
  return refuse('malformed', message, path);
}

/** @returns what is wrong with the players alone, or null */
export function checkPlayers(players: readonly Weighted[]): SplitRefusal | null {
  if (players.length > mostPlayers)
    return refuse(
      'too-large',
      `There are ${players.length} players; at most ${mostPlayers} can be split.`,
      'players',
    );
  const ids = new Set<string>();
  let magnitude = 0;
  for (const [i, { id, weight }] of players.entries()) {
    if (!Number.isFinite(weight))
      return malformed(`The weight of ${id} is ${weight}; give a finite number.`, `players[${i}].weight`);
    if (ids.has(id)) return malformed(`${id} is named twice; name each player once.`, `players[${i}].id`);
    ids.add(id);
    magnitude += Math.abs(weight);
  }
  if (magnitude > 1e306)
    return malformed('The weights are so large that their sum overflows; scale them down.', 'players');
  return null;
}

/** @returns what is wrong with the options, or null */
export function checkOptions({
  best,
  seed,
  power,
  memoryBytes,
  mostSteps,
  patience,
  deadline,
}: SplitOptions): SplitRefusal | null {
  if (best !== undefined && !(Number.isInteger(best) && best >= 1 && best <= mostBest))
    return malformed(`best is ${best}; ask for 1 to ${mostBest} splits.`, 'best');
  if (seed !== undefined && !Number.isSafeInteger(seed))
    return malformed(`seed is ${seed}; give a whole number.`, 'seed');
  for (const [name, value = 0] of Object.entries({ power, memoryBytes, mostSteps, patience }))
    if (!(value >= 0 && (name !== 'power' || value < Infinity)))
      return malformed(`${name} is ${value}; give a number of at least 0.`, name);
  if (mostSteps === Infinity && deadline === undefined)
    return malformed('mostSteps is Infinity; give a deadline, or a number of steps.', 'mostSteps');
  if (deadline !== undefined && Number.isNaN(deadline.at))
    return malformed('The deadline is not a number.', 'deadline');
  return null;
}

/** @returns what is malformed in the problem, or null. Whether it has an answer is another question. */
export function checkProblem(problem: SplitProblem): SplitRefusal | null {
  const { players, teamSizes } = problem;
  const flaw = checkPlayers(players) ?? checkSizes(players.length, teamSizes);
  if (flaw) return flaw;
  const ids = new Set(players.map((player) => player.id));
  return (
    checkRoles(problem, teamSizes.length) ??
    checkAvoid(problem, ids) ??
    checkBots(problem) ??
    checkObjective(problem, ids) ??
    checkCurrent(problem, ids) ??
    checkSecond(problem)
  );
}

function checkSizes(players: number, teamSizes: readonly number[]): SplitRefusal | null {
  if (teamSizes.length < 2) return malformed('Give at least two team sizes.', 'teamSizes');
  if (teamSizes.length > mostPlayers)
    return refuse(
      'too-large',
      `There are ${teamSizes.length} teams; at most ${mostPlayers} can be made.`,
      'teamSizes',
    );
  const bad = teamSizes.findIndex((size) => !Number.isSafeInteger(size) || size < 1);
  if (bad >= 0)
    return malformed(
      `A team of ${teamSizes[bad]} is none; each size is a whole number of at least 1.`,
      `teamSizes[${bad}]`,
    );
  const places = teamSizes.reduce((sum, size) => sum + size, 0);
  if (places !== players)
    return malformed(
      `The teams have ${places} places but there are ${players} players; make the sizes add up.`,
      'teamSizes',
    );
  return null;
}

function checkRoles({ roles = {} }: SplitProblem, teams: number): SplitRefusal | null {
  const names = Object.keys(roles);
  if (names.length > mostRoles)
    return refuse('too-large', `There are ${names.length} roles; at most ${mostRoles} can be kept.`, 'roles');
  for (const role of names) {
    const { min = 0, max = mostPlayers } = own(roles, role) ?? {};
    if (!Number.isSafeInteger(min) || min < 0 || !Number.isSafeInteger(max) || max < min)
      return malformed(
        `Each of the ${teams} teams cannot have ${min} to ${max} of ${role}; give whole numbers with 0 ≤ min ≤ max.`,
        `roles.${role}`,
      );
  }
  return null;
}

function checkAvoid({ avoid = [] }: SplitProblem, ids: ReadonlySet<string>): SplitRefusal | null {
  for (const [i, [a, b]] of avoid.entries()) {
    const unknownId = [a, b].find((id) => !ids.has(id));
    if (unknownId !== undefined)
      return malformed(`avoid names ${unknownId}, who is no player here.`, `avoid[${i}]`);
    if (a === b) return malformed(`${a} cannot avoid themself; name two players.`, `avoid[${i}]`);
  }
  return null;
}

function checkBots({ bots, players, teamSizes }: SplitProblem): SplitRefusal | null {
  if (!bots) return null;
  const { weight, fillTo, maxSizeDifference } = bots;
  if (!Number.isFinite(weight) || Math.abs(weight) > 1e300)
    return malformed(`The weight of a bot is ${weight}; give a finite number.`, 'bots.weight');
  if (!Number.isSafeInteger(fillTo) || fillTo < 0 || fillTo > 10 * mostPlayers)
    return malformed(
      `fillTo is ${fillTo}; give a whole number from 0 to ${10 * mostPlayers}.`,
      'bots.fillTo',
    );
  if (!Number.isSafeInteger(maxSizeDifference) || maxSizeDifference < 0)
    return malformed(
      `maxSizeDifference is ${maxSizeDifference}; give a whole number of at least 0, such as 2.`,
      'bots.maxSizeDifference',
    );
  if (players.length < teamSizes.length) return malformed('Each team needs at least one player.', 'players');
  return null;
}

function checkObjective({ objective, players }: SplitProblem, ids: ReadonlySet<string>): SplitRefusal | null {
  if (objective?.kind !== 'win') return null;
  if (!(Number.isFinite(objective.beta) && objective.beta > 0))
    return malformed(`beta is ${objective.beta}; give a number above 0.`, 'objective.beta');
  const without = players.find(({ id }) => !Object.hasOwn(objective.sigmas, id));
  if (without) return malformed(`sigmas has none for ${without.id}.`, 'objective.sigmas');
  const unknownId = Object.keys(objective.sigmas).find((id) => !ids.has(id));
  if (unknownId !== undefined)
    return malformed(`sigmas names ${unknownId}, who is no player here.`, 'objective.sigmas');
  const bad = players.find(({ id }) => {
    const sigma = own(objective.sigmas, id)!;
    return !(Number.isFinite(sigma) && sigma >= 0 && sigma < 1e150);
  });
  if (bad) return malformed(`The sigma of ${bad.id} is not a number of at least 0.`, 'objective.sigmas');
  return null;
}

function checkCurrent({ current, teamSizes }: SplitProblem, ids: ReadonlySet<string>): SplitRefusal | null {
  if (!current) return null;
  if (current.length !== teamSizes.length)
    return malformed(`current has ${current.length} teams, teamSizes ${teamSizes.length}.`, 'current');
  return checkTeams(current, ids);
}

/** @returns an id of the teams that is unknown or on two teams, or null */
export function checkTeams(
  current: readonly (readonly string[])[],
  ids: ReadonlySet<string>,
): SplitRefusal | null {
  const seen = new Set<string>();
  for (const [t, team] of current.entries()) {
    for (const id of team) {
      if (!ids.has(id)) return malformed(`current names ${id}, who is no player here.`, `current[${t}]`);
      if (seen.has(id)) return malformed(`current names ${id} twice.`, `current[${t}]`);
      seen.add(id);
    }
  }
  return null;
}

function checkSecond({ second }: SplitProblem): SplitRefusal | null {
  if (!second) return null;
  if (!(Number.isFinite(second.slack) && second.slack >= 0))
    return malformed(`slack is ${second.slack}; give a number of at least 0.`, 'second.slack');
  return null;
}
