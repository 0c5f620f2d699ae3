import { message, shown, type Message, type Signal } from '@muster/domain';
import type { Evidence } from './evidence.js';
import { accountsOf, alternateLog, compared, habitsLog, mostAccounts } from './habits.js';
import type { KnownHabits, OwnHabit } from './habits.js';
import { levelOf, type NewcomerWatch } from './newcomer.js';
import { collusionOf, type OpponentWatch } from './opponents.js';
import type { WatchedMatch } from './results.js';
import { flawOf, type ServerWatch } from './server.js';
import type { ThrownWatch } from './thrown.js';

type Found = Pick<WatchedMatch, 'matchId' | 'sequence'>;

/** Larger figures say nothing more, and would not be numbers in JSON. */
const mostEvidence = 1e12;

/** A logarithm of evidence as a ratio, to three digits. */
function ratioOf(log: number): number {
  return Number(Math.min(mostEvidence, Math.exp(log)).toPrecision(3));
}

function shareByChance(log: number): number {
  return Number(Math.min(1, Math.exp(-Math.min(log, Math.log(mostEvidence)))).toPrecision(3));
}

/** What speaks against every signal. */
function byChance(log: number): Message {
  return message('integrity.by-chance', { times: ratioOf(Math.max(0, log)) });
}

function explains(log: number): Message {
  return message('integrity.explains', { times: ratioOf(log) });
}

/** @param evidence from results alone: it bounds false alarms */
function signal(
  { matchId, sequence }: Found,
  evidence: Evidence,
  rest: Pick<Signal, 'kind' | 'players' | 'server' | 'matches' | 'pro' | 'contra'>,
  log = evidence.log,
): Signal {
  return {
    ...rest,
    evidence: ratioOf(log),
    byChance: shareByChance(evidence.log),
    matchId,
    sequence,
    contra: [byChance(evidence.log), ...rest.contra],
  };
}

export function newcomerSignal(playerId: string, watch: NewcomerWatch, match: Found): Signal {
  const { evidence, tally } = watch;
  return signal(match, evidence, {
    kind: 'newcomer',
    players: [playerId],
    server: null,
    matches: tally.matches,
    pro: [
      message('integrity.newcomer-won', {
        matches: tally.matches,
        won: shown(tally.won),
        expected: shown(tally.expected),
      }),
      message('integrity.newcomer-level', { level: levelOf(watch), times: ratioOf(evidence.log) }),
    ],
    contra: [message('integrity.newcomer-skilled')],
  });
}

/** A new account, and the older one that it looks like. */
export interface Alternate {
  readonly newcomer: string;
  readonly older: string;
  readonly own: readonly OwnHabit[];
  readonly habits: KnownHabits;
  readonly watch: NewcomerWatch;
}

export function alternateSignal(
  { newcomer, older, own, habits, watch }: Alternate,
  { matchId, sequence }: Found,
): Signal {
  const log = alternateLog(own, habits, watch);
  const { evidence, tally } = watch;
  const kinds = own.map((habit) => ({ habit, comparison: compared(habit, habits) }));
  const isAbove = evidence.log > 0;
  return {
    kind: 'alternate',
    players: [newcomer, older],
    server: null,
    evidence: ratioOf(log),
    byChance: shareByChance(log),
    matches: tally.matches,
    matchId,
    sequence,
    pro: [
      message('integrity.alternate-accounts', { newcomer, older }),
      ...kinds.flatMap(({ habit, comparison }) => (comparison === 'equal' ? [equalHabit(habit)] : [])),
      message('integrity.habits-explain', { times: ratioOf(habitsLog(own, habits)) }),
      ...(isAbove
        ? [message('integrity.newcomer-level', { level: levelOf(watch), times: ratioOf(evidence.log) })]
        : []),
    ],
    contra: [
      message('integrity.habits-by-chance', {
        times: ratioOf(Math.max(0, log)),
        accounts: accountsOf(own),
      }),
      ...kinds.flatMap(({ habit: { kind }, comparison }) => {
        if (comparison === 'different') return [message('integrity.habit-differs', { kind })];
        return comparison === 'common' ? [message('integrity.habit-common', { kind })] : [];
      }),
      ...(isAbove ? [] : [message('integrity.alternate-level')]),
      message('integrity.habits-shared'),
    ],
  };
}

function equalHabit({ kind, holders, players }: OwnHabit): Message {
  const least = players >= mostAccounts ? 'yes' : 'no';
  return message('integrity.habit-equal', { kind, holders, players, least });
}

export function thrownSignal(
  playerId: string,
  { evidence, tally, longest }: ThrownWatch,
  match: Found,
): Signal {
  return signal(match, evidence, {
    kind: 'thrown',
    players: [playerId],
    server: null,
    matches: tally.matches,
    pro: [
      message('integrity.thrown-lost', {
        matches: tally.matches,
        lost: shown(tally.matches - tally.won),
        expected: shown(tally.matches - tally.expected),
        longest,
      }),
      explains(evidence.log),
    ],
    contra: [message('integrity.thrown-streaks', { won: shown(tally.won) })],
  });
}

export function collusionSignal(
  playerId: string,
  opponent: OpponentWatch,
  match: Found,
  { matches, opponents }: { readonly matches: number; readonly opponents: readonly OpponentWatch[] },
): Signal {
  const { evidence, meetings, won, expected, turns, since } = opponent;
  const others = opponents.filter((each) => each !== opponent).map((each) => each.meetings);
  return signal(
    match,
    evidence,
    {
      kind: 'collusion',
      players: [playerId, opponent.playerId].toSorted(),
      server: null,
      matches: meetings,
      pro: [
        message('integrity.pair-met', { meetings, matches: matches - since + 1 }),
        message('integrity.pair-won', {
          playerId,
          meetings,
          won: shown(won),
          expected: shown(expected),
          turns,
        }),
        explains(evidence.log),
      ],
      contra: [message('integrity.pair-hours', { others: Math.max(0, ...others) })],
    },
    collusionOf(opponent),
  );
}

export function serverSignal(server: string, watch: ServerWatch, match: Found): Signal {
  const { evidence, favourites, first } = watch;
  const flaw = flawOf(watch);
  const isOfTeam = flaw === 'first-team' || flaw === 'last-team';
  const tally = isOfTeam ? first : favourites;
  const figures = { matches: tally.matches, won: shown(tally.won), expected: shown(tally.expected) };
  return signal(match, evidence, {
    kind: 'server',
    players: [],
    server,
    matches: tally.matches,
    pro: [
      isOfTeam
        ? message('integrity.server-first-team', figures)
        : message('integrity.server-favourites', figures),
      message('integrity.server-flaw', { flaw, times: ratioOf(evidence.log) }),
    ],
    contra: [message('integrity.server-circumstances')],
  });
}
