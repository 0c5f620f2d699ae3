import { z } from 'zod';
import type { Unchanging } from './unchanging.js';

/** The match's rules that apply to new players, as assignment stored them. */
export const RulesOfMatch = z.object({
  mode: z.string(),
  pool: z.string(),
  teams: z.number(),
  /** Places on each team, bots included. */
  teamSize: z.number(),
  roles: z.record(z.string(), z.number()).optional(),
  teamGap: z.array(z.object({ afterSeconds: z.number(), limit: z.number().nullable() })).default([]),
  /** True for a match of tickets of low behaviour score. */
  low: z.boolean().optional(),
  /** The platform group of the match, as the matcher names it; absent where the rules keep none apart. */
  platformGroup: z.string().optional(),
  /** The platform of all its players, when one of its tickets plays without cross-play. It stays so for the whole match. */
  onlyPlatform: z.string().optional(),
  backfill: z.object({ seconds: z.number() }).optional(),
  massBlameShare: z.number().optional(),
});
export type RulesOfMatch = Unchanging<z.infer<typeof RulesOfMatch>>;

/** A backfill as the matcher sees it. */
export const OpenBackfill = z.object({
  backfillId: z.string(),
  matchId: z.string(),
  queue: z.string(),
  build: z.string(),
  region: z.string(),
  map: z.string().nullable(),
  team: z.number(),
  /** Free seats. The number only decreases. */
  seats: z.number().int().min(1),
  /** Present players by team, with their level when the match was formed. */
  teams: z.array(z.array(z.object({ playerId: z.string(), mu: z.number(), role: z.string().optional() }))),
  /** All players who were ever in the match: none of them may return. */
  everybody: z.array(z.string()),
  rules: RulesOfMatch.omit({ teamSize: true, backfill: true, massBlameShare: true }),
  requestedAt: z.number(),
  expiresAt: z.number(),
});
export type OpenBackfill = Unchanging<z.infer<typeof OpenBackfill>>;
/** A player of a match with a free seat. */
export type Seated = OpenBackfill['teams'][number][number];
