import { message, Unsolvable, type Message } from '@muster/domain';
import type { SplitOptions } from '@muster/solver';
import { callVote, check, freshBalance, settle, type BalanceState, type Directive } from './check.js';
import { exemptionOf } from './exemptions.js';
import { mixTeams } from './mixing.js';
import type { Policy } from './policy.js';
import { isPlaying, teamParam, type Move, type Roster } from './roster.js';
import { afterEvent, type RosterEvent } from './roster-events.js';
import {
  freshScramble,
  scrambleAfter,
  scrambleModeOf,
  type RoundEvent,
  type ScrambleState,
} from './scramble.js';
import { openPick, sidesOf, wish, type SidePick, type Wish } from './side-pick.js';
import { withWorth, worthBy } from './worth.js';

/** What a server tells of a match from one moment to the next. */
export type MatchEvent =
  | RosterEvent
  | Exclude<RoundEvent, { kind: 'scrambled' }>
  /** The players have voted for even teams. */
  | { readonly kind: 'vote' }
  /** From now on players may name a side; the last winners are divided evenly. */
  | { readonly kind: 'side-pick'; readonly forMs?: number; readonly winners?: readonly string[] }
  | { readonly kind: 'wish'; readonly playerId: string; readonly side: Wish };

/** What is known of a match that is told of event by event; plain JSON. It begins with `freshLive`. */
export interface LiveState extends BalanceState {
  /** The rounds, once one was told of. */
  readonly rounds?: ScrambleState;
  /** New teams that the server was told and has not shown yet. */
  readonly mixing?: { readonly at: number; readonly moves: readonly Move[] } | null;
  /** Wishes that nobody sees before the time is over. */
  readonly sides?: (SidePick & { readonly winners: readonly string[] }) | null;
}

export const freshLive: LiveState = freshBalance;

/**
 * Moves that a server is to make, all of them. `balance`: the match has become unfair. `scramble`: a round called for new teams.
 * `sides`: the wishes are in.
 */
export interface LiveDirective extends Directive {
  readonly kind: 'balance' | 'scramble' | 'sides';
}

export interface Look {
  readonly state: LiveState;
  readonly directive: LiveDirective | null;
  /** When to look again if nothing happens, milliseconds since the epoch; null: not before the next event. */
  readonly dueAt: number | null;
  /** How the teams stand, for players. */
  readonly why: readonly Message[];
}

/**
 * Takes down what happened; who is to move because of it, `look` says.
 *
 * @param now milliseconds since the epoch
 * @throws Unsolvable when it makes no sense: a team that is none, a wish when none may be named. Then nothing happened
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
      const { winners } = state.sides;
      return {
        roster,
        state: { ...state, sides: { ...wish(state.sides, event.playerId, event.side, now), winners } },
      };
    }
    default:
      return { roster: afterEvent(roster, event), state };
  }
}

/**
 * Looks at a match as it is: whether somebody is to move, be it for balance, for a scramble that is due, or because the
 * wishes are in. One order at a time: while the server carries one out, or until its time is over, there is no other.
 *
 * @param state what the look before answered, with what has happened since
 * @param now milliseconds since the epoch
 * @param deadline when the search for new teams ends with the best that it has; none when left out
 * @throws Unsolvable when the roster makes no sense
 */
export function evaluate(
  roster: Roster,
  policy: Policy,
  state: LiveState,
  now: number,
  deadline?: SplitOptions['deadline'],
): Look {
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
): Look {
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
  return { ...state, sides: { ...openPick(now, forMs), winners } };
}

/** Takes down that the new teams are there; what the server has not made in time is forgotten. */
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

/** Rounds are counted anew, and nothing is due. */
function withoutScramble(state: LiveState, roster: Roster): LiveState {
  const { rounds } = state;
  if (!rounds) return state;
  // What `scrambled` does hangs on no mode.
  const rules = { winsInARow: 1, fullRounds: 1, bench: 'anyone' } as const;
  return {
    ...state,
    rounds: scrambleAfter('arena', rules, rounds, { kind: 'scrambled' }, roster.teams).state,
  };
}

/** These mix because the teams should be others; before the first real round the best will do, whoever has them. */
const wantOthers = new Set(['streak', 'no-capture', 'full-rounds']);

function mixed(
  roster: Roster,
  policy: Policy,
  state: LiveState,
  now: number,
  deadline: SplitOptions['deadline'],
): Look {
  const trigger = state.rounds!.pending!;
  const into = wantOthers.has(trigger.cause) ? 'other' : 'best';
  // By what the rules count, or a check would find the new teams unbalanced.
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

function sidesChosen(roster: Roster, policy: Policy, state: LiveState, now: number): Look {
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
    /** For each player who moves. */
    each: readonly Message[];
  },
  now: number,
): Look {
  const { kind, moves, exact, why, each } = made;
  const explained = moves.map((move) => ({
    ...move,
    why: [message('balance.you-play-for', { to: teamParam(roster, move.to) }), ...each],
  }));
  return {
    // A delay that ran was for teams that are no more.
    state: { ...state, since: null, mixing: { at: now, moves } },
    directive: { kind, moves: explained, withinMs, exact, why },
    dueAt: now + withinMs,
    why,
  };
}
