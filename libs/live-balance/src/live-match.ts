import { message, Unsolvable, type Message } from '@muster/domain';
import type { SplitOptions } from '@muster/solver';
import { callVote, check, freshBalance, settle, type BalanceState, type Directive } from './moves/check.js';
import { exemptionOf } from './roster/exemptions.js';
import { mixTeams } from './scrambles/mixing.js';
import type { Policy } from './policy.js';
import { isPlaying, teamParam, type Move, type Roster } from './roster/roster.js';
import { afterEvent, type RosterEvent } from './roster/roster-events.js';
import {
  freshScramble,
  scrambleAfter,
  scrambleModeOf,
  type RoundEvent,
  type ScrambleState,
} from './scrambles/scramble.js';
import { sidesOf, type SidePick, type Wish } from './scrambles/side-pick.js';
import { withWorth, worthBy } from './worth.js';

/** An event of a match that a server reports. */
export type MatchEvent =
  | RosterEvent
  | Exclude<RoundEvent, { kind: 'scrambled' }>
  /** A vote for even teams has passed. */
  | { readonly kind: 'vote' }
  /** From now on players may name a side; the last winners are divided evenly. */
  | { readonly kind: 'side-pick'; readonly forMs?: number; readonly winners?: readonly string[] }
  | { readonly kind: 'wish'; readonly playerId: string; readonly side: Wish };

/** The state of a match that is reported by events; plain JSON. It starts with `freshLive`. */
export interface LiveState extends BalanceState {
  /** The rounds, once one was reported. */
  readonly rounds?: ScrambleState;
  /** New teams that the server was ordered to make and has not shown yet. */
  readonly mixing?: { readonly at: number; readonly moves: readonly Move[] } | null;
  /** Wishes, hidden until the pick closes. */
  readonly sides?: SidePick | null;
}

export const freshLive: LiveState = freshBalance;

/**
 * Moves that a server has to make, all of them. `balance`: the match has become unfair. `scramble`: a round triggered new
 * teams.
 * `sides`: the side pick has closed.
 */
export interface LiveDirective extends Directive {
  readonly kind: 'balance' | 'scramble' | 'sides';
}

export interface Evaluation {
  readonly state: LiveState;
  readonly directive: LiveDirective | null;
  /** When to evaluate again if nothing happens, milliseconds since the epoch; null: not before the next event. */
  readonly dueAt: number | null;
  /** The state of the teams, as text for players. */
  readonly why: readonly Message[];
}

/**
 * Applies an event to the state; `evaluate` decides about moves.
 *
 * @param now milliseconds since the epoch
 * @throws Unsolvable when the event is invalid (an unknown team, a wish while no pick is open); the state is then unchanged
 */
export function applyEvent(
  { roster, state }: { readonly roster: Roster; readonly state: LiveState },
  policy: Policy,
  event: MatchEvent,
  now: number,
): { readonly roster: Roster; readonly state: LiveState } {
  switch (event.kind) {
    case 'vote':
      return { roster, state: { ...state, ...callVote(state) } };
    case 'waiting-ended':
    case 'captured':
    case 'round-ended':
      return { roster, state: afterRound(roster, policy, state, event) };
    case 'side-pick':
      return { roster, state: opened(roster, policy, state, event, now) };
    case 'wish': {
      if (!state.sides || now >= state.sides.closesAt)
        throw new Unsolvable('No side can be named now: no side pick is open.', {});
      const wishes = { ...state.sides.wishes, [event.playerId]: event.side };
      return { roster, state: { ...state, sides: { ...state.sides, wishes } } };
    }
    default:
      return { roster: afterEvent(roster, event), state };
  }
}

/**
 * Evaluates a match: whether players have to move, for balance, for a scramble that is due, or because a side pick has
 * closed. There is one order at a time: no other comes while the server carries one out, until its deadline.
 *
 * @param state the state after the previous evaluation and the events since
 * @param now milliseconds since the epoch
 * @param deadline when the search for new teams ends with the best result so far; none when left out
 * @throws Unsolvable when the roster is invalid
 */
export function evaluate(
  roster: Roster,
  policy: Policy,
  state: LiveState,
  now: number,
  deadline?: SplitOptions['deadline'],
): Evaluation {
  const settled = settleMixing(roster, policy, { ...state, ...settle(roster, policy, state, now) }, now);
  const underWay = settled.mixing ?? settled.ordered;
  const canMix = underWay === null && exemptionOf(roster, policy.exempt, policy.ranked) === null;
  if (settled.mixing)
    return {
      state: settled,
      directive: null,
      dueAt: settled.mixing.at + policy.withinMs,
      why: [message('scramble.soon', { players: settled.mixing.moves.length })],
    };
  if (settled.sides && canMix) {
    if (now >= settled.sides.closesAt) return sidesChosen(roster, policy, settled, now);
    const why = [message('sides.named', { players: Object.keys(settled.sides.wishes).length })];
    return { state: settled, directive: null, dueAt: settled.sides.closesAt, why };
  }
  if (settled.rounds?.pending && canMix) return mixed(roster, policy, settled, now, deadline);
  return balanced(roster, policy, settled, now);
}

function balanced(
  roster: Roster,
  policy: Policy,
  state: LiveState,
  now: number,
  before: readonly Message[] = [],
): Evaluation {
  const checked = check(roster, policy, state, now);
  return {
    state: { ...state, ...checked.state },
    directive: checked.directive && { kind: 'balance', ...checked.directive },
    dueAt: checked.dueAt,
    why: [...before, ...checked.why],
  };
}

function afterRound(
  roster: Roster,
  { scramble: rules }: Policy,
  state: LiveState,
  event: Extract<MatchEvent, RoundEvent>,
): LiveState {
  if (!rules) return state;
  const mode = scrambleModeOf(roster, rules);
  if (mode === null)
    throw new Unsolvable(
      `Nobody knows when teams are mixed in ${roster.mode === undefined ? 'a mode without a name' : `the mode ${roster.mode}`}; name one in the policy’s scramble.mode.`,
      { mode: roster.mode ?? null },
    );
  const step = scrambleAfter(mode, rules, state.rounds ?? freshScramble, event, roster.teams);
  return { ...state, rounds: step.state };
}

function opened(
  roster: Roster,
  policy: Policy,
  state: LiveState,
  { forMs = policy.sides.forMs, winners = [] }: Extract<MatchEvent, { kind: 'side-pick' }>,
  now: number,
): LiveState {
  const exempt = exemptionOf(roster, policy.exempt, policy.ranked);
  if (exempt !== null)
    throw new Unsolvable('No side can be named: nobody is moved in this match now.', {
      messages: [exempt],
    });
  if (roster.teams !== 2)
    throw new Unsolvable(`Sides are named where there are two; there are ${roster.teams} teams.`, {});
  return { ...state, sides: { opensAt: now, closesAt: now + forMs, wishes: {}, winners } };
}

/** Records that the new teams are in place; moves that the server did not make in time are dropped. */
function settleMixing(roster: Roster, policy: Policy, state: LiveState, now: number): LiveState {
  const { mixing } = state;
  if (!mixing) return state;
  const teamOf = new Map(roster.players.filter(isPlaying).map(({ playerId, team }) => [playerId, team]));
  const isOpen = ({ playerId, to }: Move): boolean => teamOf.has(playerId) && teamOf.get(playerId) !== to;
  const open = mixing.moves.filter(isOpen);
  if (open.length > 0 && now - mixing.at < policy.withinMs)
    return { ...state, mixing: { ...mixing, moves: open } };
  return withoutScramble({ ...state, mixing: null }, roster);
}

/** Resets the rounds and any due scramble. */
function withoutScramble(state: LiveState, roster: Roster): LiveState {
  const { rounds } = state;
  if (!rounds) return state;
  // `scrambled` has the same effect in every mode.
  const rules = { winsInARow: 1, fullRounds: 1, bench: 'anyone' } as const;
  return {
    ...state,
    rounds: scrambleAfter('arena', rules, rounds, { kind: 'scrambled' }, roster.teams).state,
  };
}

/** These causes demand other teams; before the first real round, the best teams will do, even the present ones. */
const wantOthers = new Set(['streak', 'no-capture', 'full-rounds']);

function mixed(
  roster: Roster,
  policy: Policy,
  state: LiveState,
  now: number,
  deadline: SplitOptions['deadline'],
): Evaluation {
  const trigger = state.rounds!.pending!;
  const into = wantOthers.has(trigger.cause) ? 'other' : 'best';
  // By the measure of the rules, or a check would find the new teams unbalanced.
  const { moves, exact, why } = mixTeams(withWorth(roster, worthBy(roster, policy)), into, deadline);
  const because = [...trigger.why, ...why];
  if (moves.length === 0) return balanced(roster, policy, withoutScramble(state, roster), now, because);
  return ordered(
    roster,
    policy,
    state,
    { kind: 'scramble', moves, exact, why: because, each: trigger.why },
    now,
  );
}

function sidesChosen(roster: Roster, policy: Policy, state: LiveState, now: number): Evaluation {
  const { sides, ...rest } = state;
  const over: LiveState = withoutScramble({ ...rest, sides: null }, roster);
  try {
    const chosen = sidesOf(roster, {
      wishes: sides!.wishes,
      winners: sides!.winners,
      policy,
      seed: sides!.opensAt,
    });
    if (chosen.moves.length === 0) return balanced(roster, policy, over, now, chosen.why);
    const made = {
      kind: 'sides',
      moves: chosen.moves,
      exact: true,
      why: chosen.why,
      each: chosen.why,
    } as const;
    return ordered(roster, policy, over, made, now);
  } catch (error) {
    if (!(error instanceof Unsolvable)) throw error;
    return balanced(roster, policy, over, now, [message('sides.impossible', { detail: error.message })]);
  }
}

function ordered(
  roster: Roster,
  { withinMs }: Policy,
  state: LiveState,
  made: {
    kind: 'scramble' | 'sides';
    moves: readonly Move[];
    exact: boolean;
    why: readonly Message[];
    /** For each moved player. */
    each: readonly Message[];
  },
  now: number,
): Evaluation {
  const { kind, moves, exact, why, each } = made;
  const explained = moves.map((move) => ({
    ...move,
    why: [message('balance.you-play-for', { to: teamParam(roster, move.to) }), ...each],
  }));
  return {
    // A running delay was for the previous teams.
    state: { ...state, since: null, mixing: { at: now, moves } },
    directive: { kind, moves: explained, withinMs, exact, why },
    dueAt: now + withinMs,
    why,
  };
}
