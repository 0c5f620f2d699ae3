/** Why a running match gets no players, and the result for those who join. */
export interface BackfillMessages {
  'backfill.not-allowed': { queue: string | null };
  'backfill.no-such-team': { teams: number; team: number };
  'backfill.not-in-match': { players: readonly string[] };
  'backfill.too-few-seats': { team: number; free: number; seats: number };
  'seat.joined': { region: string };
  'seat.refused': { detail: string };
  'seat.not-answered': Record<never, never>;
  'seat.not-let-in': Record<never, never>;
  'match.you-left': Record<never, never>;
}
