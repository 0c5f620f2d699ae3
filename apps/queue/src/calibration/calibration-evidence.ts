import type { MatchRated } from '@muster/contracts';
import { evidenceOf, logistic, searchAfter, type Search } from '@muster/skill';

/** A newcomer's search after a match; unchanged when the match does not include them. */
export function searchAfterMatch(
  search: Search,
  { matchId, meeting: met, players }: MatchRated,
  playerId: string,
): Search {
  if (met) {
    const meeting = { matchId, ...met };
    const evidence = evidenceOf(meeting, playerId, search);
    return evidence ? searchAfter(search, evidence.outcome, evidence, meeting) : search;
  }
  const own = players.find((player) => player.playerId === playerId);
  if (!own) return search;
  // The previous release sends levels only, without players and uncertainty: all may be newcomers.
  const { opponents, teammates, outcome } = own;
  const n = Math.max(1, own.teamSize);
  const spread = (search.to - search.from) / 6;
  const doubt = (2 * n - 1) * (spread / (logistic * search.scale)) ** 2;
  const level = teammates === null ? opponents : n * opponents - (n - 1) * teammates;
  const result = outcome > 0.5 ? 1 : outcome < 0.5 ? 0 : 0.5;
  return searchAfter(search, result, { level, scale: search.scale * Math.sqrt(n + doubt) });
}
