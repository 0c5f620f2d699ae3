import type { Situation } from '@muster/domain';
import type { MatchRow } from './match-row.js';

/** Options for the situations of a match file. */
export interface SituationOptions {
  /** False ignores sides and venues. */
  readonly situations: boolean;
  /** Names of the sides of the first and the second team. */
  readonly sides?: readonly [string, string] | undefined;
}

/** The situations of the matches of a file. A value that can be sent to a thread. */
export interface SituationPlan {
  readonly circumstances: readonly ('side' | 'venue')[];
  /** Names of the sides of the first and the second team. */
  readonly sides: readonly [string, string];
  /** Which situations are used, and why. */
  readonly words: string;
}

/** The situations of the matches of a file. */
export interface Situations extends SituationPlan {
  of(match: MatchRow): Situation | undefined;
}

/** A label is informative only if it recurs. */
const minLabelCount = 5;
/** Beyond this number of labels they are not counted on: such a file would need a label for every few matches. */
const maxLabels = 100_000;
/** No side has this advantage: a file in which the first team wins more or less often is ordered by outcome. */
const maxSideShare = 0.9;
const minDecided = 30;

/**
 * Detects the situations of the matches in a file, match by match. The order of two teams gives the sides (usually home and
 * away); the first field of the context is the venue if it is a recurring label.
 */
export class SituationScan {
  private duels = 0;
  private decided = 0;
  private firstWon = 0;
  private labelled = 0;
  private readonly labels = new Set<string>();

  add(match: MatchRow): void {
    const { teams, ranks } = match.body;
    if (teams.length !== 2) return;
    this.duels++;
    const [first = 0, second = 0] = ranks;
    if (first !== second) this.decided++;
    if (first < second) this.firstWon++;
    const label = venueOf(match);
    if (label === null) return;
    this.labelled++;
    if (this.labels.size < maxLabels) this.labels.add(label);
  }

  plan(options: SituationOptions): SituationPlan {
    if (!options.situations) return none('none, as requested.');
    if (this.duels === 0) return none('none; no match has two teams.');
    if (!options.sides && this.revealsOutcome())
      return none(
        'none; the team named first wins nearly always or never, so the order reveals the outcome. If it is a side, name both sides with --sides.',
      );
    const sides = options.sides ?? (['first', 'second'] as const);
    const venues = this.venues();
    return {
      circumstances: venues.known ? ['side', 'venue'] : ['side'],
      sides,
      words: `side (${sides.join(', ')}, by the order of the teams)${venues.words}`,
    };
  }

  private revealsOutcome(): boolean {
    const { decided, firstWon } = this;
    return decided >= minDecided && Math.max(firstWon, decided - firstWon) > maxSideShare * decided;
  }

  private venues(): { readonly known: boolean; readonly words: string } {
    const different = this.labels.size;
    const no = (why: string): { known: boolean; words: string } => ({
      known: false,
      words: `; no venue: ${why}.`,
    });
    if (different === 0) return no('the context names none');
    if (different === 1) return no('the context names the same label everywhere');
    const mean = this.labelled / different;
    if (mean < minLabelCount || different === maxLabels)
      return no(`the first field of the context is different nearly every time`);
    return {
      known: true,
      words: ` and venue (${different} of them, ${mean.toFixed(0)} matches each on average).`,
    };
  }
}

/** The situations by a plan. */
export function situationsBy(plan: SituationPlan): Situations {
  const { circumstances, sides } = plan;
  const hasVenues = circumstances.includes('venue');
  return {
    ...plan,
    of: (match) =>
      circumstances.length > 0 && match.body.teams.length === 2
        ? { sides, venue: hasVenues ? (venueOf(match) ?? undefined) : undefined }
        : undefined,
  };
}

/** Detects the situations of the matches in a file. */
export function situationsOf(matches: readonly MatchRow[], options: SituationOptions): Situations {
  const scan = new SituationScan();
  for (const match of matches) scan.add(match);
  return situationsBy(scan.plan(options));
}

function none(words: string): SituationPlan {
  return { circumstances: [], sides: ['first', 'second'], words };
}

/** The first field of the context. Without a letter it is a score or a number, which may reveal the outcome. */
function venueOf({ context }: MatchRow): string | null {
  const [label = ''] = context.split(':');
  return /\p{L}/u.test(label) ? label.trim() : null;
}
