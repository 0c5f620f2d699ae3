import { gamesLeft, gamesUntil, spreadAfter } from '../settling.js';
import { outcomeBetween, readNumbers, teamAfter } from '../contest.js';
import { sigmoid } from '../maths/logistic.js';
import type { Contest, ModelKind, PlayerFacts, Ranks, RatingModel } from '../model.js';
import { discountRate, sharesOfTime } from './time.js';
import { amount, type ValuesOf } from '../parameters.js';
import { validRange } from '../valid-range.js';

/** A field skill, a skill in command, and the number of rounds behind them. */
export interface HiveState {
  readonly skill: number;
  readonly commander: number;
  readonly rounds: number;
}

/** Skills beyond this are treated as a mistake. */
const highest = 1e9;
/** For the uncertainty, since a state does not contain the size of its rounds: as large as the source's example. */
const usualPlayers = 20;

const parameters = {
  c: amount(
    2,
    1e-3,
    1e3,
    'how steep the logistic curve is: even teams of clones a point apart are c/2 of log-odds apart',
  ),
  alpha: amount(
    4,
    0,
    1e4,
    'step of a skill, for a player who was all of the round’s time; about 8 suits rounds of twenty, but in a duel one win would decide it',
  ),
  start: amount(10, -1e6, 1e6, 'skill of a stranger'),
  commanderStart: amount(0, -1e6, 1e6, 'skill in command of a stranger'),
  commanderAlpha: amount(0.4, 0, 1e4, 'step of a skill in command, for a whole round in command'),
  commanderWeight: amount(1, 0, 1e3, 'log-odds for a point of difference in command'),
  timeRatio: amount(
    3,
    1,
    1e6,
    'what the first half of a median round is worth, in multiples of its second half; 1: every moment is worth the same',
  ),
  medianMinutes: amount(
    0,
    0,
    1e5,
    'length of a median round in minutes; 0: each round is taken for one, whatever its length',
  ),
  uncertainty: amount(3, 1e-3, 1e6, 'standard deviation reported for a stranger'),
  sigmaFloor: amount(0.1, 1e-6, 1e6, 'no uncertainty is reported below this'),
};

/**
 * The logistic model of Natural Selection 2: skills weighted by time, as a share of the time of both teams; the situation
 * as an offset; a second skill for command.
 */
export const hiveKind: ModelKind<HiveState, typeof parameters> = {
  name: 'hive',
  title: 'Hive logistic',
  about:
    'For long rounds that people join and leave, with a commander. Two teams. Where contributions are not evened out, the larger team is favoured the more the further skills are from 0.',
  parameters,
  needs: [],
  // Of teams of equal weight, which the normalisation of contributions ensures.
  zeroSum: true,
  open: openHive,
};

/** The totals of a team, all weighted by time. */
interface HiveTeam {
  readonly time: number;
  readonly skill: number;
  /** Share of the round with a commander, at least 1: the divisor of the shares in command. */
  readonly command: number;
  readonly commander: number;
}

type Given = ValuesOf<typeof parameters>;

function openHive(given: Given): RatingModel<HiveState> {
  const { c, start, commanderStart, timeRatio, sigmaFloor } = given;
  // 0: each round counts as one of median length.
  const medianMs = given.medianMinutes * 60_000;
  const settling = {
    start: given.uncertainty,
    step: given.alpha / usualPlayers,
    slope: c / (4 * usualPlayers),
  };
  const spreadAt = (rounds: number): number => Math.max(sigmaFloor, spreadAfter(settling, rounds));
  return {
    name: hiveKind.name,
    initial: () => ({ skill: start, commander: commanderStart, rounds: 0 }),
    seed: ({ mu, sigma }) => ({ skill: mu, commander: commanderStart, rounds: gamesUntil(spreadAt, sigma) }),
    moved: (state, mu) => ({ ...state, skill: mu }),
    restarted: ({ commander, rounds }, { mu, sigma }, keep) => ({
      skill: mu,
      commander: keep === 1 ? commander : commanderStart + keep * (commander - commanderStart),
      rounds: gamesLeft(spreadAt, rounds, sigma),
    }),
    range: validRange(start, Math.max(settling.start, 2 / c)),
    belief: ({ skill, rounds }) => ({ mu: skill, sigma: spreadAt(rounds) }),
    display: ({ skill }) => skill,
    flaw: flawOf,
    contestFlaw: ({ teams }) =>
      teams.length === 2
        ? null
        : `Hive logistic does not fit a match of ${teams.length} teams, it knows two sides only; use openskill-plackett-luce or elo there.`,
    timeShare: (stretches, lengthMs) =>
      sharesOfTime(stretches, lengthMs, discountRate(medianMs || lengthMs, timeRatio)),
    predict({ teams, weights, odds, facts }) {
      const a = sumsOf(teams[0] ?? [], weights?.[0], facts?.[0]);
      const b = sumsOf(teams[1] ?? [], weights?.[1], facts?.[1]);
      const first = chanceOf(given, a, b, odds);
      return [first, 1 - first];
    },
    rate: (contest, ranks) => rateRound(given, contest, ranks),
    write: ({ skill, commander, rounds }) => ({ skill, commander, rounds }),
    read: (json) => readNumbers(json, ['skill', 'commander', 'rounds'], 'a Hive skill'),
    brief: ({ skill, commander, rounds }) => ({ skill, commander, rounds }),
  };
}

function flawOf({ skill, commander, rounds }: HiveState): string | null {
  return Math.abs(skill) <= highest && Math.abs(commander) <= highest && rounds >= 0 && rounds < Infinity
    ? null
    : `has a skill of ${skill}, of ${commander} in command, after ${rounds} rounds; skills must be numbers within ±${highest}, and the rounds not negative`;
}

/** p = σ(c · Σ t·s·x / Σ t + b + difference of the commanders) */
function chanceOf(
  { c, commanderWeight }: Given,
  a: HiveTeam,
  b: HiveTeam,
  odds: readonly number[] | undefined,
): number {
  const time = a.time + b.time;
  const favour = (odds?.[0] ?? 0) - (odds?.[1] ?? 0);
  if (time === 0) return sigmoid(favour);
  return sigmoid((c * (a.skill - b.skill)) / time + commanderWeight * (a.commander - b.commander) + favour);
}

function rateRound(given: Given, contest: Contest<HiveState>, [one = 1, other = 1]: Ranks): HiveState[][] {
  const { teams, weights, odds, facts } = contest;
  const a = sumsOf(teams[0] ?? [], weights?.[0], facts?.[0]);
  const b = sumsOf(teams[1] ?? [], weights?.[1], facts?.[1]);
  const time = a.time + b.time;
  const surplus = outcomeBetween(one, other) - chanceOf(given, a, b, odds);
  return [rateTeam(given, contest, 0, a, time, surplus), rateTeam(given, contest, 1, b, time, -surplus)];
}

/**
 * Moves each participating player of a team.
 *
 * @param time of both teams
 * @param surplus score less expectation of the team
 */
function rateTeam(
  { alpha, commanderAlpha }: Given,
  contest: Contest<HiveState>,
  t: number,
  sums: HiveTeam,
  time: number,
  surplus: number,
): HiveState[] {
  const facts = contest.facts?.[t];
  return teamAfter(
    contest.teams[t] ?? [],
    contest.weights?.[t],
    ({ skill, commander, rounds }, weight, p) => {
      const command = facts ? commandOf(facts[p]) / sums.command : 0;
      return {
        skill: skill + alpha * (weight / time) * surplus,
        commander: commander + commanderAlpha * command * surplus,
        rounds: rounds + 1,
      };
    },
  );
}

function sumsOf(
  team: readonly HiveState[],
  weights: readonly number[] | undefined,
  facts: readonly PlayerFacts[] | undefined,
): HiveTeam {
  let time = 0;
  let skill = 0;
  let command = 0;
  let commander = 0;
  for (let p = 0; p < team.length; p++) {
    const player = team[p] as HiveState;
    const weight = weights?.[p] ?? 1;
    if (weight === 0) continue;
    time += weight;
    skill += weight * player.skill;
    if (!facts) continue;
    const share = commandOf(facts[p]);
    command += share;
    commander += share * player.commander;
  }
  // Shares that add up to more than one round are normalised; a team without a commander has none, not a mean one.
  const held = Math.max(1, command);
  return { time, skill, command: held, commander: commander / held };
}

/** Share of the round in command, 0 to 1, for any recorded value. */
function commandOf(facts: PlayerFacts | undefined): number {
  const share = facts?.command ?? 0;
  return share > 0 ? Math.min(1, share) : 0;
}
