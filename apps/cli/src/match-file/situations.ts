import type { Situation } from '@muster/domain';
import type { RecordedMatch } from './match-file.js';

/** What to make of the circumstances in a match file. */
export interface SituationOptions {
  /** False takes every match for its players alone. */
  readonly situations: boolean;
  /** Names of the sides that the first and the second team play. */
  readonly sides?: readonly [string, string] | undefined;
}

/** The circumstances that a file tells of. */
export interface Situations {
  readonly circumstances: readonly ('side' | 'venue')[];
  of(match: RecordedMatch): Situation | undefined;
  /** What was used or not used, and why: sentences for people. */
  readonly words: string;
}

/** A label says something only when it comes again. */
const leastOfALabel = 5;
/** No side is worth this much; a file in which the first team wins as often or as seldom is ordered by the outcome. */
const mostOfASide = 0.9;
const enoughToTell = 30;

/**
 * Finds out what a file tells of its matches beside who played. The order of two teams is a side of its own (home and away, as
 * a rule); the first field of the context is the venue if it is a label that comes again.
 */
export function situationsOf(matches: readonly RecordedMatch[], options: SituationOptions): Situations {
  if (!options.situations) return none('none, as asked.');
  const duels = matches.filter(({ body }) => body.teams.length === 2);
  if (duels.length === 0) return none('none; no match is of two teams.');
  if (!options.sides && tellsTheOutcome(duels))
    return none(
      'none; the team named first wins nearly always or never, so the order tells the outcome. If it is a side, name both with --sides.',
    );
  const sides = options.sides ?? (['first', 'second'] as const);
  const venues = venuesOf(duels);
  const words = `side (${sides.join(', ')}, by the order of the teams)`;
  return {
    circumstances: venues.known ? ['side', 'venue'] : ['side'],
    of: (match) =>
      match.body.teams.length === 2
        ? { sides, venue: venues.known ? (venueOf(match) ?? undefined) : undefined }
        : undefined,
    words: `${words}${venues.words}`,
  };
}

function none(words: string): Situations {
  return { circumstances: [], of: () => undefined, words };
}

function tellsTheOutcome(duels: readonly RecordedMatch[]): boolean {
  const decided = duels.filter(({ body: { ranks } }) => ranks[0] !== ranks[1]);
  const won = decided.filter(({ body: { ranks } }) => (ranks[0] ?? 0) < (ranks[1] ?? 0)).length;
  return decided.length >= enoughToTell && Math.max(won, decided.length - won) > mostOfASide * decided.length;
}

function venuesOf(duels: readonly RecordedMatch[]): { readonly known: boolean; readonly words: string } {
  const labels = duels.map(venueOf).filter((label) => label !== null);
  const different = new Set(labels).size;
  const no = (why: string): { known: boolean; words: string } => ({
    known: false,
    words: `; no venue: ${why}.`,
  });
  if (different === 0) return no('the context names none');
  if (different === 1) return no('the context names the same one everywhere');
  const mean = labels.length / different;
  if (mean < leastOfALabel) return no(`the first field of the context is different nearly every time`);
  return {
    known: true,
    words: ` and venue (${different} of them, ${mean.toFixed(0)} matches each on average).`,
  };
}

/** The first field of the context. One without a letter is a score or a number: no place, and perhaps the outcome. */
function venueOf({ context }: RecordedMatch): string | null {
  const [label = ''] = context.split(':');
  return /\p{L}/u.test(label) ? label.trim() : null;
}
