import type { SkillBelief } from '@muster/domain';
import {
  beginSearch,
  conclude,
  evidenceOf,
  searchAfter,
  searchDone,
  type Meeting,
  type Search,
} from '@muster/skill';

/** The tracked first matches of a newcomer. */
export class NewcomerTrack {
  private search: Search | null;
  /** |estimate − true skill| before the first match and after each. */
  readonly errors: number[] = [];

  /** @param calibrationMatches number of calibration matches; 0 is none */
  constructor(
    private readonly playerId: string,
    readonly isSmurf: boolean,
    calibrationMatches: number,
    start: SkillBelief,
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

  /** The level of the next calibration match, and its number; null when the rating counts. */
  get probe(): { readonly level: number; readonly match: number; readonly of: number } | null {
    const { search } = this;
    return search && { level: search.probe, match: search.matches + 1, of: search.of };
  }

  /**
   * Counts a match. Newcomers are few: another one in it counts with the pool's rating.
   *
   * @param rated the model's rating after it
   * @returns the rating from the calibration, after its last match
   */
  count(meeting: Meeting, rated: SkillBelief): SkillBelief | null {
    const evidence = this.search && evidenceOf(meeting, this.playerId, this.search);
    if (!this.search || !evidence) {
      this.errors.push(Math.abs(rated.mu - this.truth));
      return null;
    }
    this.search = searchAfter(this.search, evidence.outcome, evidence, meeting);
    const found = conclude(this.search, this.playerId);
    this.errors.push(Math.abs(found.mu - this.truth));
    if (!searchDone(this.search)) return null;
    this.search = null;
    return found;
  }
}
