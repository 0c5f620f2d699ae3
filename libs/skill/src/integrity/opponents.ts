import { noEvidence, ratioOf, tempered, withMatch } from './evidence.js';
import type { Evidence, Onset } from './evidence.js';

/** Opponents that are remembered of a player. */
export const mostOpponents = 12;
/** Larger matches are not searched for pairs: their work grows with the square of the players. */
export const mostPlayersForPairs = 12;

/** The chance of a win that was agreed on. */
const agreed = 0.95;
/** Colluders meet in this share of their matches; others in that share at most. */
const often = 0.5;
const rarely = 0.1;
/** Meetings weigh at most this much, less than a case needs: who plays at quiet hours meets the same players. */
const mostByMeetings = Math.log(1_000);
/** A meeting is remembered as long as so many matches with others. */
const meetingLasts = 8;
const onset: Onset = { patience: 10, switching: 0.02 };

/** How a player's matches against one opponent went. */
export interface OpponentWatch {
  readonly playerId: string;
  readonly meetings: number;
  /** A draw is half a win. */
  readonly won: number;
  readonly expected: number;
  /** Matches that the loser of the one before won. */
  readonly turns: number;
  /** The last outcome; null: a draw. */
  readonly last: number | null;
  /** The player's own matches when they met first and last. */
  readonly since: number;
  readonly latest: number;
  /** Of agreed outcomes. */
  readonly evidence: Evidence;
  /** Logarithm of the evidence that they meet too often; not below 0. */
  readonly often: number;
}

/** An opponent of a match, and the outcome between the two. */
export interface Meeting {
  readonly playerId: string;
  /** The chance to do better than the opponent. */
  readonly chance: number;
  /** 1 better, 0 worse, a half for neither. */
  readonly outcome: number;
}

/**
 * A player's opponents after a match. Only those who are met again and again stay: an opponent is forgotten for a new one
 * when the last meeting was long ago for their number.
 *
 * @param match the number of the player's match, from 1
 */
export function watchOpponents(
  known: readonly OpponentWatch[],
  meetings: readonly Meeting[],
  match: number,
): OpponentWatch[] {
  const met = new Map(meetings.map((meeting) => [meeting.playerId, meeting]));
  const seen = known.map((opponent) => {
    const meeting = met.get(opponent.playerId);
    met.delete(opponent.playerId);
    return meeting ? withMeeting(opponent, meeting, match) : withoutMeeting(opponent);
  });
  const fresh = [...met.values()].map((meeting) =>
    withMeeting(firstOf(meeting.playerId, match), meeting, match),
  );
  if (seen.length + fresh.length <= mostOpponents) return [...seen, ...fresh];
  const worth = ({ meetings: times, latest }: OpponentWatch): number =>
    times - (match - latest) / meetingLasts;
  return [...seen, ...fresh].toSorted((a, b) => worth(b) - worth(a)).slice(0, mostOpponents);
}

/** Evidence that the two collude: of agreed outcomes, and of meetings, as a logarithm. */
export function collusionOf({ evidence, often: met }: OpponentWatch): number {
  return evidence.log + met;
}

function firstOf(playerId: string, match: number): OpponentWatch {
  const evidence = noEvidence(3);
  return {
    playerId,
    meetings: 0,
    won: 0,
    expected: 0,
    turns: 0,
    last: null,
    since: match,
    latest: match,
    evidence,
    often: 0,
  };
}

function withMeeting(
  { playerId, meetings, won, expected, turns, last, since, evidence, often: before }: OpponentWatch,
  { chance, outcome }: Meeting,
  match: number,
): OpponentWatch {
  const honest = tempered(chance);
  const turn = last === null ? honest : last === 1 ? 1 - agreed : agreed;
  const ratios = [agreed, 1 - agreed, turn].map((cheat) => ratioOf(honest, cheat, outcome));
  return {
    playerId,
    meetings: meetings + 1,
    won: won + outcome,
    expected: expected + chance,
    turns: turns + Number(last !== null && outcome === 1 - last),
    last: outcome === 0.5 ? null : outcome,
    since,
    latest: match,
    evidence: withMatch(evidence, ratios, onset),
    // The first meeting says nothing: somebody has to be met.
    often: meetings === 0 ? 0 : Math.min(mostByMeetings, before + Math.log(often / rarely)),
  };
}

function withoutMeeting(opponent: OpponentWatch): OpponentWatch {
  return { ...opponent, often: Math.max(0, opponent.often + Math.log((1 - often) / (1 - rarely))) };
}
