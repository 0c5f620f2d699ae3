import type { SkillBelief } from '@muster/domain';
import { beginSearch, conclude, searchAfter, searchDone, type Search } from '@muster/skill';

/** What a rated match says of one of its newcomers. */
export interface NewcomerMatch {
  /** 1 won, 0 lost. */
  readonly outcome: 0 | 1;
  /** Mean rating of the other teams, and of the teammates; null in a duel. */
  readonly opponents: number;
  readonly teammates: number | null;
  readonly teamSize: number;
  /** Matches that the others had played before, newcomers or not. */
  readonly othersMatches: readonly number[];
}

/** The first matches of a newcomer, as they are followed. */
export class Course {
  private search: Search | null;
  /** |believed − true skill| before the first match and after each. */
  readonly errors: number[] = [];

  /**
   * @param calibrationMatches how many are played at a level that is searched for; 0 is none
   */
  constructor(
    readonly isSmurf: boolean,
    calibrationMatches: number,
    private readonly start: SkillBelief,
    private readonly truth: number,
  ) {
    const { mu, sigma } = start;
    this.search =
      calibrationMatches > 0
        ? beginSearch({ from: mu - 3 * sigma, to: mu + 3 * sigma, matches: calibrationMatches })
        : null;
    this.wasCalibrated = this.search !== null;
    this.errors.push(Math.abs(mu - truth));
  }

  readonly wasCalibrated: boolean;

  get matches(): number {
    return this.errors.length - 1;
  }

  /** The level to be tried next, and which of the calibration matches that is; null when the rating counts. */
  get probe(): { readonly level: number; readonly match: number; readonly of: number } | null {
    const { search } = this;
    return search && { level: search.probe, match: search.matches + 1, of: search.of };
  }

  /**
   * Counts a match.
   *
   * @param rated what the model believes after it
   * @returns the rating that the calibration ends with, after the last of its matches
   */
  count(match: NewcomerMatch, rated: SkillBelief): SkillBelief | null {
    if (!this.search) {
      this.errors.push(Math.abs(rated.mu - this.truth));
      return null;
    }
    this.search = searchAfter(this.search, match.outcome, opposition(this.search, match, this.start.sigma));
    const found = conclude(this.search);
    this.errors.push(Math.abs(found.mu - this.truth));
    if (!searchDone(this.search)) return null;
    this.search = null;
    return found;
  }
}

/** The spread of a logistic curve that is as wide as a normal one of spread 1, nearly. */
const logistic = 1.7;

/**
 * How even the match was for the newcomer, as the queue's calibration counts it: the level that would have made it even is
 * `n · opponents − (n − 1) · teammates`, and n performances a side and the doubt about other newcomers are noise.
 */
function opposition(
  search: Search,
  { opponents, teammates, teamSize, othersMatches }: NewcomerMatch,
  spread: number,
): { level: number; scale: number } {
  const told = (spread / (2 * search.scale)) ** 2 / teamSize;
  const doubts = othersMatches.reduce((sum, matches) => sum + 1 / (1 + told * matches), 0);
  return {
    level: teammates === null ? opponents : teamSize * opponents - (teamSize - 1) * teammates,
    scale: search.scale * Math.sqrt(teamSize + doubts * (spread / (logistic * search.scale)) ** 2),
  };
}
