import type { Situation } from '@muster/domain';
import type { RecordedMatch } from './match-file.js';

/** Options for the situations of a match file. */
export interface SituationOptions {
  /** False ignores sides and venues. */
  readonly situations: boolean;
  /** Names of the sides of the first and the second team. */
  readonly sides?: readonly [string, string] | undefined;
}

/** The situations of the matches of a file. */
export interface Situations {
  readonly circumstances: readonly ('side' | 'venue')[];
  of(match: RecordedMatch): Situation | undefined;
  /** Which situations are used, and why. */
  readonly words: string;
}

/** A label is informative only if it recurs. */
const minLabelCount = 5;
/** No side has this advantage: a file in which the first team wins more or less often is ordered by outcome. */
const maxSideShare = 0.9;
const minDecided = 30;

/**
 * Detects the situations of the matches in a file. The order of two teams gives the sides (usually home and away); the
 * first field of the context is the venue if it is a recurring label.
 */
export function situationsOf(matches: readonly RecordedMatch[], options: SituationOptions): Situations {
  if (!options.situations) return none('none, as requested.');
  const duels = matches.filter(({ body }) => body.teams.length === 2);
  if (duels.length === 0) return none('none; no match has two teams.');
  if (!options.sides && revealsOutcome(duels))
    return none(
      'none; the team named first wins nearly always or never, so the order reveals the outcome. If it is a side, name both sides with --sides.',
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

function revealsOutcome(duels: readonly RecordedMatch[]): boolean {
  const decided = duels.filter(({ body: { ranks } }) => ranks[0] !== ranks[1]);
  const won = decided.filter(({ body: { ranks } }) => (ranks[0] ?? 0) < (ranks[1] ?? 0)).length;
  return decided.length >= minDecided && Math.max(won, decided.length - won) > maxSideShare * decided.length;
}

function venuesOf(duels: readonly RecordedMatch[]): { readonly known: boolean; readonly words: string } {
  const labels = duels.map(venueOf).filter((label) => label !== null);
  const different = new Set(labels).size;
  const no = (why: string): { known: boolean; words: string } => ({
    known: false,
    words: `; no venue: ${why}.`,
  });
  if (different === 0) return no('the context names none');
  if (different === 1) return no('the context names the same label everywhere');
  const mean = labels.length / different;
  if (mean < minLabelCount) return no(`the first field of the context is different nearly every time`);
  return {
    known: true,
    words: ` and venue (${different} of them, ${mean.toFixed(0)} matches each on average).`,
  };
}

/** The first field of the context. Without a letter it is a score or a number, which may reveal the outcome. */
function venueOf({ context }: RecordedMatch): string | null {
  const [label = ''] = context.split(':');
  return /\p{L}/u.test(label) ? label.trim() : null;
}
