import {
  message,
  scrambleModes,
  Unsolvable,
  type BalanceTerms,
  type Message,
  type ScrambleMode,
} from '@muster/domain';
import { plain } from '../roster/exemptions.js';
import { isPlaying, type Roster } from '../roster/roster.js';

/** When teams are scrambled between rounds. */
export type ScrambleRules = NonNullable<BalanceTerms['scramble']>;

/**
 * The mode that decides about scrambles: that of the rules, else the roster's; compared by letters and digits, ignoring
 * case.
 *
 * @returns null where neither names a known mode
 */
export function scrambleModeOf({ mode }: Pick<Roster, 'mode'>, rules: ScrambleRules): ScrambleMode | null {
  return (
    rules.mode ?? scrambleModes.find((known) => mode !== undefined && plain(known) === plain(mode)) ?? null
  );
}

/** An event of a round. Rounds are numbered from 1; an event of a round that has ended already has no effect. */
export type RoundEvent =
  /** The phase of waiting for players is over. */
  | { readonly kind: 'waiting-ended' }
  /** A team captured the point, the flag, or another objective. */
  | { readonly kind: 'captured'; readonly round: number; readonly team: number }
  | {
      readonly kind: 'round-ended';
      readonly round: number;
      /** null: nobody won. */
      readonly winner: number | null;
      /** Attack/defend and payload: the attackers. */
      readonly attackers?: number;
      /** False for one stage of a longer round. True when absent. */
      readonly full?: boolean;
    }
  /** The teams have been scrambled: a due scramble is done. */
  | { readonly kind: 'scrambled' };

export type ScrambleCause = 'waiting-ended' | 'second-round' | 'streak' | 'no-capture' | 'full-rounds';

export interface ScrambleTrigger {
  readonly cause: ScrambleCause;
  /** Rounds that had ended when it fired. */
  readonly afterRound: number;
  /** `duel`: the next round is 1 v 1, arena's first; `teams`: all players get new teams. */
  readonly into: 'duel' | 'teams';
  /** For everybody on the server. */
  readonly why: readonly Message[];
}

/** The state of the rounds; plain JSON. A match starts with `freshScramble`. */
export interface ScrambleState {
  /** Rounds that have ended. */
  readonly rounds: number;
  readonly waitingEnded: boolean;
  /** Rounds won in a row since the last scramble. */
  readonly streak: { readonly team: number; readonly wins: number } | null;
  /** Full rounds since the last scramble. */
  readonly fullRounds: number;
  /** Teams that have captured something in this round, ascending. */
  readonly captured: readonly number[];
  /** A scramble that is due, until the server reports it as done. */
  readonly pending: ScrambleTrigger | null;
}

export const freshScramble: ScrambleState = {
  rounds: 0,
  waitingEnded: false,
  streak: null,
  fullRounds: 0,
  captured: [],
  pending: null,
};

export interface ScrambleStep {
  readonly state: ScrambleState;
  /** The trigger that fires now; null when none does, or when a scramble is due already. */
  readonly trigger: ScrambleTrigger | null;
}

/**
 * Whether a round's event triggers a scramble (L12):
 * - every mode: when waiting for players ends, once. In arena the next round is its first, a duel;
 * - arena: when round 1, always a duel, has ended; from round 3 on, when a team has won the set number in a row with the
 *   same teams;
 * - attack/defend, payload: the attackers captured nothing and did not win, or the set number of full rounds were played;
 * - king of the hill, control points, capture the flag: a team won and another team captured nothing.
 *
 * No cause fires twice: once a scramble is due, no other fires until the server reports that it is done (`scrambled`), and
 * then rounds and streaks are counted again.
 *
 * Source: SynElo, scramble triggers by game mode.
 *
 * @param teams number of teams, 2 or more
 * @throws Unsolvable when a number in the event is invalid
 */
export function scrambleAfter(
  mode: ScrambleMode,
  rules: ScrambleRules,
  state: ScrambleState,
  event: RoundEvent,
  teams = 2,
): ScrambleStep {
  checkEvent(event, teams);
  switch (event.kind) {
    case 'waiting-ended':
      if (state.waitingEnded) return quiet(state);
      return fire(
        { ...state, waitingEnded: true },
        'waiting-ended',
        mode === 'arena' && state.rounds === 0 ? 'duel' : 'teams',
        message('scramble.all-here'),
      );
    case 'captured': {
      if (event.round <= state.rounds || state.captured.includes(event.team)) return quiet(state);
      return quiet({ ...state, captured: [...state.captured, event.team].toSorted((a, b) => a - b) });
    }
    case 'round-ended':
      return event.round <= state.rounds ? quiet(state) : afterRound(mode, rules, state, event, teams);
    case 'scrambled':
      return quiet({ ...state, pending: null, streak: null, fullRounds: 0 });
  }
}

const quiet = (state: ScrambleState): ScrambleStep => ({ state, trigger: null });

/** A duel is not due for long: arena's first round is always one. */
function fire(
  state: ScrambleState,
  cause: ScrambleCause,
  into: ScrambleTrigger['into'],
  why: Message,
): ScrambleStep {
  if (state.pending) return quiet(state);
  const trigger: ScrambleTrigger = { cause, afterRound: state.rounds, into, why: [why] };
  return { state: { ...state, pending: into === 'duel' ? null : trigger }, trigger };
}

type RoundEnded = Extract<RoundEvent, { kind: 'round-ended' }>;

function afterRound(
  mode: ScrambleMode,
  { winsInARow, fullRounds }: ScrambleRules,
  state: ScrambleState,
  { round, winner, attackers, full = true }: RoundEnded,
  teams: number,
): ScrambleStep {
  const wins = winner !== null && state.streak?.team === winner ? state.streak.wins + 1 : 1;
  const next: ScrambleState = {
    ...state,
    rounds: round,
    captured: [],
    streak: winner === null ? null : { team: winner, wins },
    fullRounds: state.fullRounds + (full ? 1 : 0),
  };
  const hasCaptured = (team: number): boolean => state.captured.includes(team);
  if (mode === 'arena') {
    if (round === 1) return fire(next, 'second-round', 'teams', message('scramble.duel-over'));
    return round >= 3 && winner !== null && wins >= winsInARow
      ? fire(next, 'streak', 'teams', message('scramble.streak', { wins }))
      : quiet(next);
  }
  if (mode === 'attack-defend' || mode === 'payload') {
    if (attackers !== undefined && winner !== attackers && !hasCaptured(attackers))
      return fire(next, 'no-capture', 'teams', message('scramble.attackers-captured-nothing'));
    return next.fullRounds >= fullRounds
      ? fire(next, 'full-rounds', 'teams', message('scramble.full-rounds', { rounds: next.fullRounds }))
      : quiet(next);
  }
  const others = Array.from({ length: teams }, (_, team) => team).filter((team) => team !== winner);
  const what = mode === 'capture-the-flag' ? 'flag' : 'point';
  return winner !== null && others.some((team) => !hasCaptured(team))
    ? fire(next, 'no-capture', 'teams', message('scramble.never-captured', { what }))
    : quiet(next);
}

function checkEvent(event: RoundEvent, teams: number): void {
  if (event.kind !== 'captured' && event.kind !== 'round-ended') return;
  if (!Number.isSafeInteger(event.round) || event.round < 1)
    throw new Unsolvable(`Round ${event.round} is none; rounds are numbered from 1.`, { event });
  const named = event.kind === 'captured' ? [event.team] : [event.winner ?? 0, event.attackers ?? 0];
  const unknownTeam = named.find((team) => !Number.isSafeInteger(team) || team < 0 || team >= teams);
  if (unknownTeam !== undefined)
    throw new Unsolvable(`There is no team ${unknownTeam}; ${teams} teams are numbered from 0.`, { event });
}

/**
 * The players who take part in a scramble: all but bots, spectators and players on no team.
 *
 * @param waiting ids of players who sit out this round, and so are on no team: they take part
 */
export function scramblePool(roster: Roster, waiting: readonly string[] = []): Roster['players'] {
  const waits = new Set(waiting);
  return roster.players.filter(
    (player) => !player.bot && (isPlaying(player) || (!player.spectator && waits.has(player.playerId))),
  );
}
