import { message, type BalanceRule, type Message } from '@muster/domain';
import { teamParam, type Move, type Roster, type TeamPlayer } from '../roster/roster.js';

/** The measure by which teams differ. */
export type ImbalanceKind = 'size' | 'power' | 'weight' | 'difference';

/** A team that is too large or too strong compared with another. */
export interface Imbalance {
  readonly by: ImbalanceKind;
  /** The team that has to give a player, and the one that gets them. */
  readonly from: number;
  readonly to: number;
  /** Players and bots on each team. */
  readonly sizes: readonly number[];
  /** The strength of each team, in the rule's own measure. */
  readonly strengths: readonly number[];
  readonly why: readonly Message[];
}

/** The remedy that a rule chooses for an imbalance. */
export type Choice =
  | {
      readonly outcome: 'moves';
      readonly moves: readonly Move[];
      /** False where the search was not exhaustive; the moves are then good, not proven optimal. */
      readonly exact: boolean;
    }
  /** Nobody can be moved yet: one of these players has to die first. */
  | { readonly outcome: 'waits'; readonly forOneOf: readonly string[] }
  /** The guards exclude every player. `why` is for players. */
  | { readonly outcome: 'nobody-fits'; readonly why: readonly Message[] };

/** The conditions that restrict moves. */
export interface Guards {
  /** Ids of players who were moved in this match, in addition to those that the roster marks. */
  readonly movedBefore: ReadonlySet<string>;
  /** Whether these moves would give a team that gains players too much. */
  readonly swings: (moves: readonly Move[]) => boolean;
  /** Whether no rule would move anybody after these moves. */
  readonly settles: (moves: readonly Move[]) => boolean;
}

/** When a rule may act. */
export type MoveDelay = Pick<BalanceRule, 'delayMs' | 'onlyDead'>;

export const mayMoveNow = ({ onlyDead }: MoveDelay, players: readonly TeamPlayer[]): TeamPlayer[] =>
  onlyDead ? players.filter(({ alive }) => alive === false) : [...players];

/** Reports that there are no candidates. */
export function noCandidates(roster: Roster, team: number): Message {
  return message('balance.nobody-free', { from: teamParam(roster, team) });
}
