import { z } from 'zod';

const Report = z.object({
  ranks: z.array(z.number().int()).optional(),
  winner: z.number().int().nullable().optional(),
  teams: z.array(z.array(z.string())).optional(),
});

/**
 * Reads the outcome in a stored report that did not count, of a session or of a match that was played elsewhere.
 *
 * @param teams of the match
 */
export function readOtherResult(
  body: unknown,
  teams: number,
): { readonly ranks: readonly number[]; readonly teams: readonly (readonly string[])[] | undefined } {
  const { winner = null, teams: rosters, ranks } = Report.parse(body);
  const ofWinner = (team: number): number => (winner === null || winner === team ? 1 : 2);
  return { ranks: ranks ?? Array.from({ length: teams }, (_, team) => ofWinner(team)), teams: rosters };
}
