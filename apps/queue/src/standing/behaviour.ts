import {
  AlreadyReported,
  judgeReport,
  MatchNotFound,
  MatchNotOver,
  ReportRefused,
  type BehaviourKind,
  type BehaviourReport,
  type Clock,
  type MatchRoster,
} from '@muster/domain';
import {
  behaviourScore,
  behaviourWord,
  forgottenHalfLives,
  isComplaint,
  decayedWeight,
  reporterWeight,
  type BehaviourModel,
  type BehaviourWord,
} from '@muster/matchmaking';
import type { AssignmentClient } from '../services/assignment.client.js';
import type { PostgresBehaviourStore } from './behaviour.store.js';

const mostShown = 200;

/** A player's report on another one. */
export interface BehaviourWords {
  readonly playerId: string;
  readonly kind: BehaviourKind;
  readonly note?: string | undefined;
}

/** A player's score with its parts. */
export interface BehaviourAccount {
  readonly playerId: string;
  readonly score: number;
  readonly word: BehaviourWord;
  readonly reports: (Omit<BehaviourReport, 'reported' | 'party'> & { readonly counts: number })[];
}

/** Players report on one another after a match; scores derive from the reports. */
export class Behaviour {
  constructor(
    private readonly store: Pick<PostgresBehaviourStore, 'report' | 'marksOf' | 'reportsOn'>,
    private readonly matches: Pick<AssignmentClient, 'rosterOf'>,
    private readonly model: BehaviourModel,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a player's report on a team-mate, or on an opponent for cheating, once per match.
   *
   * @returns false when the same report was stored before
   * @throws MatchNotFound, MatchNotOver, ReportRefused, AlreadyReported, MatchUnavailable
   */
  async report(
    matchId: string,
    reporter: string,
    { playerId, kind, note }: BehaviourWords,
  ): Promise<boolean> {
    const roster = await this.matches.rosterOf(matchId);
    const { sameParty, party } = checkReport(matchId, roster, reporter, { playerId, kind });
    const now = this.clock.now();
    const standing = (await this.scoresOf([reporter])).get(reporter) ?? 1;
    // Friends who praise each other would cancel the reports of others.
    const praise = !isComplaint({ kind }) && sameParty;
    const outcome = await this.store.report({
      matchId,
      reporter,
      party,
      reported: playerId,
      kind,
      weight: praise ? 0 : reporterWeight(standing, this.model),
      note: note ?? null,
      at: now,
    });
    if (outcome === 'contradicts')
      throw new AlreadyReported(
        `You have said something else of ${playerId} after this match; what you said first stays.`,
        { matchId, playerId },
      );
    return outcome === 'counted';
  }

  /** The account that operators see. */
  async of(playerId: string): Promise<BehaviourAccount> {
    const now = this.clock.now();
    const [scores, reports] = await Promise.all([
      this.scoresOf([playerId]),
      this.store.reportsOn(playerId, mostShown),
    ]);
    const score = scores.get(playerId) ?? 1;
    return {
      playerId,
      score,
      word: behaviourWord(score),
      reports: reports.map(({ reported: _themselves, party: _party, ...report }) => ({
        ...report,
        counts: decayedWeight(report, now, this.model),
      })),
    };
  }

  /** The word that the player sees. */
  async wordOf(playerId: string): Promise<BehaviourWord> {
    return behaviourWord((await this.scoresOf([playerId])).get(playerId) ?? 1);
  }

  /** The lowest score of some players; undefined when none has reports. */
  async leastOf(playerIds: readonly string[]): Promise<number | undefined> {
    const scores = [...(await this.scoresOf(playerIds)).values()].filter((score) => score < 1);
    return scores.length === 0 ? undefined : Math.min(...scores);
  }

  /** The age from which reports do not count. */
  get memoryMs(): number {
    return forgottenHalfLives * this.model.halfLifeMs;
  }

  /** Scores of the players who have reports. */
  private async scoresOf(playerIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const now = this.clock.now();
    const marks = await this.store.marksOf(playerIds, now - this.memoryMs);
    return new Map(
      [...marks].map(([playerId, theirs]) => [playerId, behaviourScore(theirs, now, this.model)]),
    );
  }
}

/** @throws MatchNotFound, MatchNotOver, ReportRefused */
function checkReport(
  matchId: string,
  roster: MatchRoster | null,
  reporter: string,
  { playerId, kind }: BehaviourWords,
): { readonly sameParty: boolean; readonly party: number | null } {
  const judged = judgeReport(roster, reporter, playerId, kind);
  switch (judged.outcome) {
    case 'allowed':
      return judged;
    case 'not-in-match':
      throw new MatchNotFound(`There is no match ${matchId} of yours.`, { matchId });
    case 'themselves':
      throw new ReportRefused('You cannot report yourself.');
    case 'stranger':
      throw new ReportRefused(`${playerId} was not in this match.`, { matchId, playerId });
    case 'opponent':
      throw new ReportRefused(
        `${playerId} was not on your team in this match; an opponent can be reported for cheating alone.`,
        { matchId, playerId },
      );
    case 'not-over':
      throw new MatchNotOver('The match is not over; report after it.', { matchId });
    case 'never-played':
      throw new ReportRefused('The match was never played: no server was found for it.', { matchId });
  }
}
