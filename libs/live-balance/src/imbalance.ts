import { message, type Message } from '@muster/domain';
import { teamParam, type Move, type Roster, type TeamPlayer } from './roster.js';

/** What the teams are found to differ in. */
export type ImbalanceKind = 'size' | 'power' | 'weight' | 'difference';

/** A team too many, too strong, for another. */
export interface Imbalance {
  readonly by: ImbalanceKind;
  /** The team that somebody should leave, and the one that should get them. */
  readonly from: number;
  readonly to: number;
  /** Players and bots on each team. */
  readonly sizes: readonly number[];
  /** What each team counts for, in the rule's own measure. */
  readonly strengths: readonly number[];
  readonly why: readonly Message[];
}

/** What a rule makes of an imbalance. */
export type Choice =
  | {
      readonly outcome: 'moves';
      readonly moves: readonly Move[];
      /** False where there were too many ways to look at all of them; the moves are then good, not proven the best. */
      readonly exact: boolean;
    }
  /** Nobody can be moved yet: one of these has to die first. */
  | { readonly outcome: 'waits'; readonly forOneOf: readonly string[] }
  /** No guard lets anybody through. `why` is for players. */
  | { readonly outcome: 'nobody-fits'; readonly why: readonly Message[] };

/** What stands between a player and a move. */
export interface Guards {
  /** Ids of players who were moved in this match, beside those that the roster marks. */
  readonly movedBefore: ReadonlySet<string>;
  /** Whether these moves would make a team that gained players the one that has too much. */
  readonly swings: (moves: readonly Move[]) => boolean;
  /** Whether after these moves no rule would have anybody move. */
  readonly settles: (moves: readonly Move[]) => boolean;
}

/** When a rule may act. */
export interface MoveDelay {
  /** How long teams have to stay unbalanced first, in milliseconds. */
  readonly delayMs: number;
  /** Moves only those who are dead (`alive` is false on the roster). */
  readonly onlyDead: boolean;
}

export const mayMoveNow = ({ onlyDead }: MoveDelay, players: readonly TeamPlayer[]): TeamPlayer[] =>
  onlyDead ? players.filter(({ alive }) => alive === false) : [...players];

/** Says that there is nobody to choose from. */
export function nobodyIn(roster: Roster, team: number): Message {
  return message('balance.nobody-free', { from: teamParam(roster, team) });
}
