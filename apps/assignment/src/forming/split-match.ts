import type { FormTeamsJob } from '@muster/contracts';
import { own, Unsolvable } from '@muster/domain';
import {
  split,
  type Certificate,
  type SplitAnswer,
  type SplitOptions,
  type SplitProblem,
} from '@muster/solver';
import { solved } from '../teams/solved.js';

/** Most choices of how many humans each team has that are tried, the most even first. */
const mostChoices = 60;
/** Steps of the solver after which no further choice is tried once there are teams. */
const mostSteps = 6_000_000;

/**
 * The most even teams of a match: parties together, roles filled, avoided players on other teams, bots in the free places.
 * Every team has at least one human. The certificate's figures are differences of sums, with bots too.
 *
 * @param headStart points that the first of two teams leads by, whoever plays in it; only without bots
 * @throws Unsolvable when there are no such teams
 */
export function splitMatch(
  job: FormTeamsJob,
  weightOf: (playerId: string) => number,
  options: SplitOptions,
  headStart = 0,
): SplitAnswer {
  const { rules, tickets, bots } = job;
  const { teams, teamSize, roles = {} } = rules;
  const players = tickets.flatMap(({ ticketId, playerIds, canPlay = {} }) =>
    playerIds.map((id) => ({
      id,
      weight: weightOf(id),
      ...(playerIds.length > 1 ? { party: ticketId } : {}),
      ...canPlayOf(canPlay, id),
    })),
  );
  const problem = {
    players,
    roles: Object.fromEntries(Object.entries(roles).map(([role, min]) => [role, { min }])),
    avoid: apart(tickets),
  };
  if (bots === 0 && headStart !== 0) return withHeadStart(problem, headStart, teamSize, options);
  if (bots === 0)
    return solved(split({ ...problem, teamSizes: Array.from({ length: teams }, () => teamSize) }, options));
  if (rules.bots === undefined)
    throw new Unsolvable('Bots are to fill places, but the rules do not say what a bot counts.');
  return withBots(problem, rules.bots.skill, { teams, teamSize }, options);
}

/** No player has these ids: they contain a space. */
const head = 'head start';
const opposite = 'no head start';

/**
 * Two teams, of which the first has a head start: it is a player of its own, who is never on a team with another of weight
 * 0. So the solver's proof holds for the signed lead, and each order of two teams is a split of its own.
 */
function withHeadStart(
  problem: Omit<SplitProblem, 'teamSizes'>,
  headStart: number,
  teamSize: number,
  options: SplitOptions,
): SplitAnswer {
  const answer = solved(
    split(
      {
        ...problem,
        players: [...problem.players, { id: head, weight: headStart }, { id: opposite, weight: 0 }],
        avoid: [...(problem.avoid ?? []), [head, opposite]],
        teamSizes: [teamSize + 1, teamSize + 1],
      },
      options,
    ),
  );
  return {
    ...answer,
    solutions: answer.solutions.map((solution) => {
      const isFirst = solution.teams[0]?.includes(head) ?? true;
      const inOrder = <T>(of: readonly T[]): T[] => (isFirst ? [...of] : of.toReversed());
      return {
        ...solution,
        teams: inOrder(solution.teams).map((team) => team.filter((id) => id !== head && id !== opposite)),
        bots: inOrder(solution.bots),
        sums: inOrder(solution.sums),
      };
    }),
  };
}

/** The roles of a player, where their ticket names any. */
function canPlayOf(
  canPlay: Readonly<Record<string, readonly string[]>>,
  id: string,
): { canPlay?: readonly string[] } {
  const roles = own(canPlay, id);
  return roles ? { canPlay: roles } : {};
}

/** One player each of the tickets that must not be on one team: a party is on a team as a whole. */
function apart(tickets: FormTeamsJob['tickets']): [string, string][] {
  const ticketOf = new Map(tickets.flatMap((ticket, t) => ticket.playerIds.map((id) => [id, t] as const)));
  const pairs = new Map<string, [string, string]>();
  for (const [t, { avoid = [] }] of tickets.entries())
    for (const { playerId, scope } of avoid) {
      const other = ticketOf.get(playerId);
      if (scope !== 'team' || other === undefined || other === t) continue;
      const [a, b] = [Math.min(t, other), Math.max(t, other)];
      pairs.set(`${a} ${b}`, [tickets[a]?.playerIds[0] ?? '', tickets[b]?.playerIds[0] ?? '']);
    }
  return [...pairs.values()];
}

/**
 * Teams of `teamSize` places each, bots in those that no human takes. Of two teams neither can be too large when they
 * differ by at most the number of bots. With more teams, each choice of how many humans they have is a separate problem.
 */
function withBots(
  problem: Omit<SplitProblem, 'teamSizes'>,
  skill: number,
  { teams, teamSize }: { teams: number; teamSize: number },
  options: SplitOptions,
): SplitAnswer {
  const places = teams * teamSize;
  const humans = problem.players.length;
  const rules = { weight: skill, fillTo: places };
  const [even = [], ...others] = humansByTeam(humans, teams, teamSize);
  if (teams === 2) {
    const bots = { ...rules, maxSizeDifference: places - humans };
    return inPoints(solved(split({ ...problem, teamSizes: even, bots }, options)));
  }
  const choices = [even, ...others.slice(0, mostChoices - 1)];
  const all: ReturnType<typeof split>[] = [];
  const answers: SplitAnswer[] = [];
  for (const teamSizes of choices) {
    const steps = answers.reduce((sum, { operations }) => sum + operations, 0);
    if (answers.length > 0 && steps > mostSteps) break;
    const answer = split(
      { ...problem, teamSizes, bots: { ...rules, maxSizeDifference: 0 } },
      { ...options, mostSteps: 0 },
    );
    all.push(answer);
    if (answer.outcome === 'split') answers.push(inPoints(answer));
  }
  const [first, ...rest] = answers.toSorted((a, b) => a.certificate.value - b.certificate.value);
  if (!first) return solved(all[0] ?? split({ ...problem, teamSizes: even }, options));
  const searchedAll =
    all.length === others.length + 1 &&
    all.every((answer) => answer.outcome === 'split' || answer.why === 'infeasible');
  const proven = searchedAll && answers.every(({ certificate }) => certificate.status === 'proven');
  const lowerBound = searchedAll ? Math.min(...answers.map(({ certificate }) => certificate.lowerBound)) : 0;
  const { best = 1 } = options;
  return {
    ...first,
    solutions: [first, ...rest]
      .flatMap(({ solutions }) => solutions)
      .toSorted((a, b) => a.difference - b.difference)
      .slice(0, best),
    ranked: proven && answers.every(({ ranked }) => ranked),
    certificate: {
      ...first.certificate,
      status: proven ? 'proven' : 'bounded',
      lowerBound,
      gap: first.certificate.value - lowerBound,
      ...(proven ? {} : { stopped: first.certificate.stopped ?? 'size' }),
    },
    because:
      answers.length === 1
        ? first.because
        : `${first.because}; the best of ${answers.length} choices of sizes`,
    ways: answers.every(({ ways }) => ways !== null)
      ? answers.reduce((sum, { ways }) => sum + (ways ?? 0), 0)
      : null,
    operations: answers.reduce((sum, { operations }) => sum + operations, 0),
  };
}

/**
 * The numbers of humans that the teams may have, each from one to `most`, the largest first; the most even choices first.
 */
function humansByTeam(humans: number, teams: number, most: number): number[][] {
  const choices: number[][] = [];
  const add = (sizes: readonly number[], left: number): void => {
    if (choices.length > mostChoices) return;
    const open = teams - sizes.length;
    if (open === 0) return void choices.push([...sizes]);
    const largest = Math.min(sizes.at(-1) ?? most, left - (open - 1));
    // From the even share upward, so that even choices come first.
    for (let size = Math.ceil(left / open); size <= largest; size++) add([...sizes, size], left - size);
  };
  add([], humans);
  return choices;
}

/**
 * With bots the solver compares ratios. All teams have as many places, so the most even ratio is the least difference;
 * bounds on ratios are reported in rating points: for raised sums that add up to S, the largest is at least their mean.
 */
function inPoints(answer: SplitAnswer): SplitAnswer {
  const [best] = answer.solutions;
  if (!best) return answer;
  const { certificate, shift } = answer;
  const raised = best.sums.map(
    (sum, t) => sum + shift * ((best.teams[t]?.length ?? 0) + (best.bots[t] ?? 0)),
  );
  const mean = raised.reduce((sum, one) => sum + one, 0) / raised.length;
  const value = best.difference;
  const lowerBound = certificate.status === 'proven' ? value : Math.min(value, certificate.lowerBound * mean);
  const reported: Certificate = { ...certificate, value, lowerBound, gap: value - lowerBound };
  return { ...answer, certificate: reported };
}
