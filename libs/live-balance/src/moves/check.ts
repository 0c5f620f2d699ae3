import { message, type BalanceRule, type Message, type TeamParam } from '@muster/domain';
import { exemptionOf } from '../roster/exemptions.js';
import { chooseSwaps, findUneven } from './even-teams.js';
import { chooseByPowers, findByPowers } from './finding.js';
import type { Choice, Guards, Imbalance } from './imbalance.js';
import type { Policy } from '../policy.js';
import {
  afterMoves,
  checkRoster,
  isPlaying,
  sizesOf,
  teamParam,
  type Move,
  type Roster,
} from '../roster/roster.js';
import { raisedParam } from '../worth.js';
import { chooseBySizes, findBySizes } from './transfer.js';
import { chooseByWeight, findByWeight } from './twenty-percent.js';

/** The state of a match between two checks; plain JSON. A match starts with `freshBalance`. */
export interface BalanceState {
  /** The imbalance that the delay runs for, and when it was first found (milliseconds since the epoch); null: none. */
  readonly since: { readonly at: number; readonly from: number; readonly to: number } | null;
  /** Players who were moved for balance in this match. */
  readonly moved: readonly string[];
  /** Moves that the server was ordered to make and has not shown yet; null: none. */
  readonly ordered: { readonly at: number; readonly moves: readonly Move[] } | null;
  /** A vote for even teams has passed and is not used up yet. */
  readonly voted: boolean;
}

export const freshBalance: BalanceState = { since: null, moved: [], ordered: null, voted: false };

/** Records that a vote for even teams has passed; the next check acts on it. */
export const callVote = (state: BalanceState): BalanceState => ({ ...state, voted: true });

export interface Finding {
  readonly verdict: 'exempt' | 'balanced' | 'unbalanced';
  /** The kind of imbalance and its teams; null unless unbalanced. */
  readonly imbalance: Imbalance | null;
  readonly why: readonly Message[];
}

/** One move, explained to the moved player. */
export interface ExplainedMove extends Move {
  readonly why: readonly Message[];
}

/** Moves that a server has to make, all of them. */
export interface Directive {
  readonly moves: readonly ExplainedMove[];
  /** Milliseconds that the server has for it. */
  readonly withinMs: number;
  /** False where the search was not exhaustive; the moves are then good, not proven optimal. */
  readonly exact: boolean;
  /** For everybody on the server. */
  readonly why: readonly Message[];
}

/**
 * `exempt`, `balanced`: nothing to do. `delayed`: unbalanced, not for long enough. `waiting`: a player has to die first.
 * `ordered`: moves are under way. `nobody-fits`: the guards exclude every player. `moves`: there is a directive.
 */
export type CheckOutcome =
  'exempt' | 'balanced' | 'delayed' | 'waiting' | 'ordered' | 'nobody-fits' | 'moves';

export interface Check {
  readonly outcome: CheckOutcome;
  readonly finding: Finding;
  readonly directive: Directive | null;
  /** When `delayed`: from when on a player may be moved. When `ordered`: the server's deadline. Else null. */
  readonly dueAt: number | null;
  /** When `waiting`: one of these players has to die first. Else empty. */
  readonly forOneOf: readonly string[];
  /** The state for the next check. */
  readonly state: BalanceState;
  /** The whole result as text for players. */
  readonly why: readonly Message[];
}

/**
 * Checks a running match: whether its teams are unbalanced, and who has to move. Call it after each death, change of team,
 * arrival and departure, and at `dueAt`; additional calls are harmless.
 *
 * Under every policy: no bot and no member of a party is moved, nobody twice in a match, nobody inside an exemption; and no
 * directive makes a team that gains players too large or too strong by any rule of the policy.
 *
 * @param state the state after the previous check; `freshBalance` at the start of the match
 * @param now milliseconds since the epoch
 * @throws Unsolvable when the roster is invalid
 */
export function check(roster: Roster, policy: Policy, state: BalanceState, now: number): Check {
  checkRoster(roster);
  const settled = settle(roster, policy, state, now);
  const exempt = exemptionOf(roster, policy.exempt, policy.ranked);
  if (exempt !== null) {
    const finding: Finding = { verdict: 'exempt', imbalance: null, why: [exempt] };
    return answer('exempt', finding, { ...settled, since: null });
  }
  const found = find(roster, policy.rules, settled.voted);
  if (!found) {
    const finding: Finding = { verdict: 'balanced', imbalance: null, why: whyBalanced(roster, policy) };
    return answer('balanced', finding, { ...settled, since: null, voted: false });
  }
  const { rule, imbalance } = found;
  const finding: Finding = { verdict: 'unbalanced', imbalance, why: imbalance.why };
  const { since } = settled;
  const [from, to] = [teamParam(roster, imbalance.from), teamParam(roster, imbalance.to)];
  const isSame = since !== null && since.from === imbalance.from && since.to === imbalance.to;
  const at = isSame ? since.at : now;
  const next: BalanceState = { ...settled, since: { at, from: imbalance.from, to: imbalance.to } };
  if (settled.ordered) {
    const players = settled.ordered.moves.length;
    const why = [...imbalance.why, message('balance.moving-soon', { players })];
    return { ...answer('ordered', finding, next, why), dueAt: settled.ordered.at + policy.withinMs };
  }
  if (now - at < rule.delayMs) {
    const seconds = Math.ceil((at + rule.delayMs - now) / 1000);
    const why = [...imbalance.why, message('balance.delayed', { to, seconds })];
    return { ...answer('delayed', finding, next, why), dueAt: at + rule.delayMs };
  }
  const guards: Guards = {
    movedBefore: new Set(settled.moved),
    swings: swingGuard(roster, policy.rules, imbalance),
    settles: (moves) => overfull(afterMoves(roster, moves), policy).size === 0,
  };
  const choice = choose(roster, rule, imbalance, guards);
  if (choice.outcome === 'nobody-fits')
    return answer('nobody-fits', finding, { ...next, voted: false }, [...imbalance.why, ...choice.why]);
  if (choice.outcome === 'waits') {
    const why = [...imbalance.why, message('balance.next-death', { from, to })];
    return { ...answer('waiting', finding, next, why), forOneOf: choice.forOneOf };
  }
  const directive = directiveOf(roster, policy, imbalance, choice);
  const ordered = { at: now, moves: choice.moves };
  return { ...answer('moves', finding, { ...next, ordered, voted: false }, directive.why), directive };
}

function answer(outcome: CheckOutcome, finding: Finding, state: BalanceState, why = finding.why): Check {
  return { outcome, finding, directive: null, dueAt: null, forOneOf: [], state, why };
}

/** Records which ordered moves were made; moves that are not made in time are dropped. */
export function settle(roster: Roster, policy: Policy, state: BalanceState, now: number): BalanceState {
  const { ordered } = state;
  if (!ordered) return state;
  const teamOf = new Map(
    roster.players.map((player) => [player.playerId, isPlaying(player) ? player.team : null]),
  );
  // A player who left is done with; if they return, they count as moved.
  const isOpen = ({ playerId, from }: Move): boolean => teamOf.has(playerId) && teamOf.get(playerId) === from;
  const open = ordered.moves.filter(isOpen);
  const made = ordered.moves.filter((move) => !isOpen(move) && move.from !== null);
  const moved = [...new Set([...state.moved, ...made.map(({ playerId }) => playerId)])];
  const inTime = now - ordered.at < policy.withinMs;
  return { ...state, moved, ordered: open.length > 0 && inTime ? { ...ordered, moves: open } : null };
}

function findBy(roster: Roster, rule: BalanceRule, isVoted: boolean): Imbalance | null {
  switch (rule.kind) {
    case 'powers':
      return findByPowers(roster, rule);
    case 'weight':
      return findByWeight(roster, rule);
    case 'sizes':
      return findBySizes(roster, rule);
    case 'swaps':
      return findUneven(roster, rule, isVoted);
  }
}

function find(
  roster: Roster,
  rules: readonly BalanceRule[],
  isVoted: boolean,
): { rule: BalanceRule; imbalance: Imbalance } | null {
  for (const rule of rules) {
    const imbalance = findBy(roster, rule, isVoted);
    if (imbalance) return { rule, imbalance };
  }
  return null;
}

/**
 * Teams that some rule of a policy would move a player away from. Rules that swap are excluded: they do not shrink a team.
 */
export function overfull(roster: Roster, { rules }: Pick<Policy, 'rules'>): ReadonlySet<number> {
  const found = rules.filter(({ kind }) => kind !== 'swaps').map((rule) => findBy(roster, rule, false));
  return new Set(found.flatMap((imbalance) => (imbalance ? [imbalance.from] : [])));
}

function choose(roster: Roster, rule: BalanceRule, imbalance: Imbalance, guards: Guards): Choice {
  switch (rule.kind) {
    case 'powers':
      return chooseByPowers(roster, rule, imbalance, guards);
    case 'weight':
      return chooseByWeight(roster, rule, imbalance, guards);
    case 'sizes':
      return chooseBySizes(roster, rule, imbalance, guards);
    case 'swaps':
      return chooseSwaps(roster, rule, imbalance, guards);
  }
}

/**
 * Whether some rule would find, after the moves, that the team that gained has to give: that rule would move a player back.
 * Rules that swap do not count, since they do not shrink a team.
 */
function swingGuard(roster: Roster, rules: readonly BalanceRule[], { to }: Imbalance): Guards['swings'] {
  const before = rules
    .filter((rule) => rule.kind !== 'swaps')
    .map((rule) => ({ rule, found: findBy(roster, rule, false) }));
  return (moves) => {
    const after = afterMoves(roster, moves);
    return before.some(({ rule, found }) => {
      const back = findBy(after, rule, false);
      // A team that had too much before, and has no more now, was not made so by the moves.
      return back?.from === to && !isNoWorse(back, found);
    });
  };
}

function isNoWorse(after: Imbalance, before: Imbalance | null): boolean {
  if (!before || before.from !== after.from || before.to !== after.to || before.by !== after.by) return false;
  const gap = ({ by, from, to, sizes, strengths }: Imbalance): number =>
    by === 'size' ? sizes[from]! - sizes[to]! : strengths[from]! - strengths[to]!;
  return gap(after) <= gap(before);
}

function whyBalanced(roster: Roster, { rules }: Policy): Message[] {
  if (rules.length === 0) return [message('balance.off')];
  const weighs = rules.some(({ kind }) => kind === 'weight' || kind === 'swaps');
  const raised = weighs ? raisedParam(roster) : null;
  return [message('balance.even', { sizes: sizesOf(roster), raised })];
}

function directiveOf(
  roster: Roster,
  { withinMs }: Policy,
  imbalance: Imbalance,
  { moves, exact }: Extract<Choice, { outcome: 'moves' }>,
): Directive {
  const explained = moves.map((move): ExplainedMove => {
    const to = teamParam(roster, move.to);
    const why =
      move.from === null
        ? [message('balance.you-join', { to }), ...imbalance.why]
        : [message('balance.you-play-for', { to }), ...imbalance.why, message('balance.not-again')];
    return { ...move, why };
  });
  return { moves: explained, withinMs, exact, why: [...imbalance.why, movesText(roster, moves)] };
}

function movesText(roster: Roster, moves: readonly Move[]): Message {
  const ways = new Map<TeamParam, number>();
  for (const { to } of moves) {
    const way = teamParam(roster, to);
    ways.set(way, (ways.get(way) ?? 0) + 1);
  }
  return message('balance.moving', {
    ways: [...ways].map(([to, players]) => message('balance.moving-to', { players, to })),
  });
}
