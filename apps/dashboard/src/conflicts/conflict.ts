import { readOtherResult, type AnswerOf, type ConflictDecision } from '@muster/contracts';
import { numberWords } from '../ui/values/words.js';

export type Conflict = AnswerOf<'listConflicts'>['conflicts'][number];
type Match = AnswerOf<'readMatch'>;

/** The reports of one match that do not count. A decision is about all of them. */
export interface Contested {
  readonly matchId: string;
  /** Newest first. */
  readonly reports: readonly Conflict[];
  readonly decision: Conflict['decision'];
}

/** Conflicts by match, in the order of the list. */
export function byMatch(conflicts: readonly Conflict[]): readonly Contested[] {
  const groups = new Map<string, Conflict[]>();
  for (const each of conflicts) groups.set(each.matchId, [...(groups.get(each.matchId) ?? []), each]);
  return [...groups].map(([matchId, reports]) => ({
    matchId,
    reports,
    decision: reports.find(({ decision }) => decision)?.decision ?? null,
  }));
}

const strengths: readonly ConflictDecision[] = ['kept', 'other', 'void'];
/** What may still be decided: a later decision takes the place of a weaker one. */
export const decisionsAfter = (decision: Conflict['decision']): readonly ConflictDecision[] =>
  decision ? strengths.slice(strengths.indexOf(decision.as) + 1) : strengths;

/** What decisions are called, as facts. */
export const decisionWords: Readonly<Record<ConflictDecision, string>> = {
  kept: 'The counted result stays',
  other: 'The other report counts',
  void: 'The match is void',
};

/** A number in words, or players; null: it is not mentioned. */
export type Said = string | readonly string[] | null;

/** One line of two or more results beside each other. */
export interface Compared {
  readonly what: string;
  readonly counted: Said;
  readonly others: readonly Said[];
  /** Whether a report says something else; what it does not mention does not differ. */
  readonly differs: boolean;
}

/** The result that counts beside the reports that do not, line by line; lines that nobody mentions are left out. */
export function compare(match: Match, reports: readonly Conflict[]): readonly Compared[] {
  const counted = countedOf(match);
  const others = reports.map(({ body }) => reportedOf(body, match.ranks.length));
  const teams = Math.max(match.ranks.length, ...match.players.map(({ team }) => team + 1));
  const names = [...Array(teams).keys()].flatMap((team) => parts.map((part) => nameOf(team, part)));
  const mentioned = [...names, ...absences.map(([, what]) => what)].filter((what) =>
    [counted, ...others].some((each) => each.has(what)),
  );
  return mentioned.map((what) => {
    const own = counted.get(what);
    const said = others.map((other) => other.get(what));
    return {
      what,
      counted: own ?? null,
      others: said.map((each) => each ?? null),
      differs: said.some((each) => each !== undefined && String(each) !== String(own)),
    };
  });
}

type Lines = ReadonlyMap<string, string | readonly string[]>;

// Players are sorted: the order within a team means nothing.
const parts = ['rank', 'score', 'players'] as const;
const nameOf = (team: number, part: (typeof parts)[number]): string => `Team ${team + 1}, ${part}`;
const absences = [
  ['noShows', 'Players who never came'],
  ['leavers', 'Players who left'],
] as const;

function countedOf({ ranks, scores, players }: Match): Lines {
  const lines = new Map<string, string | readonly string[]>();
  for (const [team, rank] of ranks.entries()) lines.set(nameOf(team, 'rank'), String(rank));
  for (const [team, score] of (scores ?? []).entries()) lines.set(nameOf(team, 'score'), numberWords(score));
  for (const team of new Set(players.map((player) => player.team))) {
    const own = players.filter((player) => player.team === team);
    lines.set(nameOf(team, 'players'), own.map(({ playerId }) => playerId).toSorted());
  }
  return lines;
}

/** @param teams of the match, for a report that names the winner alone */
function reportedOf(body: unknown, teams: number): Lines {
  const lines = new Map<string, string | readonly string[]>();
  const fields = fieldsOf(body);
  const result = resultIn(body, teams);
  for (const [team, rank] of (result?.ranks ?? []).entries()) lines.set(nameOf(team, 'rank'), String(rank));
  for (const [team, players] of (result?.teams ?? []).entries())
    lines.set(nameOf(team, 'players'), players.toSorted());
  for (const [team, score] of listIn(fields['scores']).entries())
    if (typeof score === 'number') lines.set(nameOf(team, 'score'), numberWords(score));
  for (const [field, what] of absences) {
    const players = listIn(fields[field]).map(String);
    if (players.length > 0) lines.set(what, players.toSorted());
  }
  return lines;
}

/** A report of a release that writes others than this page knows has none. */
function resultIn(body: unknown, teams: number): ReturnType<typeof readOtherResult> | null {
  try {
    return readOtherResult(body, teams);
  } catch {
    return null;
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
