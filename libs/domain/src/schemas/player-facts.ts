import { z } from 'zod';
import { Label } from './names.js';
import type { Unchanging } from './unchanging.js';

/** Facts of one player in a match beyond winning; each model uses some of them. */
export const Facts = z.strictObject({
  /** Place on the scoreboard over all players of the match, from 1, the best. */
  place: z.number().int().min(1).max(10_000).optional(),
  kills: z.number().min(0).max(1e6).optional(),
  deaths: z.number().min(0).max(1e6).optional(),
  assists: z.number().min(0).max(1e6).optional(),
  power: z.number().min(0).max(1e6).optional().meta({
    description: 'Points of the game’s own measure of performance.',
  }),
  /** Scores of the player's own team, and of the others, while the player was present. */
  scoredFor: z.number().min(0).max(1e6).optional(),
  scoredAgainst: z.number().min(0).max(1e6).optional(),
  /** Share of the match spent in command of the team. */
  command: z.number().min(0).max(1).optional(),
  role: Label.optional().meta({ description: 'The player’s role, for a pool that rates roles.' }),
});
export type PlayerFacts = Unchanging<z.infer<typeof Facts>>;
