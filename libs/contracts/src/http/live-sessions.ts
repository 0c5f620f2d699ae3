import { z } from 'zod';
import { CoordinatorId, PartyName, PlayerId } from '../ids.js';

const Rating = z.number().min(-1e12).max(1e12);
const Team = z.number().int().min(0).max(31);
const playerId = PlayerId;

const change = {
  seq: z
    .number()
    .int()
    .min(1)
    .max(2_147_483_647)
    .meta({ description: 'Counts the events of the session from 1; one that was taken before is left out.' }),
};

export const RosterEventBody = z
  .discriminatedUnion('kind', [
    z.strictObject({
      ...change,
      kind: z.literal('join'),
      playerId,
      team: Team.nullable(),
      rating: Rating.optional().meta({ description: 'Left out: as the match’s pool has it.' }),
      partyId: PartyName.optional(),
      bot: z.boolean().optional(),
      spectator: z.boolean().optional(),
    }),
    z.strictObject({ ...change, kind: z.literal('leave'), playerId }),
    z.strictObject({ ...change, kind: z.literal('death'), playerId }),
    z.strictObject({ ...change, kind: z.literal('spawn'), playerId }),
    z.strictObject({ ...change, kind: z.literal('team'), playerId, team: Team.nullable() }),
    z.strictObject({ ...change, kind: z.literal('score'), playerId, points: z.number().min(-1e9).max(1e9) }),
    z.strictObject({
      ...change,
      kind: z.literal('clock'),
      secondsLeft: z.number().min(0).max(1e6).nullable(),
    }),
    z.strictObject({ ...change, kind: z.literal('round') }),
    z.strictObject({ ...change, kind: z.literal('vote') }),
  ])
  .meta({
    id: 'RosterEvent',
    description:
      'Who joined, left, died, came back, changed team or scored; how long is left; a round that begins; a vote for even teams.',
  });
export type RosterEventBody = z.infer<typeof RosterEventBody>;

export const TellRoster = z
  .strictObject({
    sessions: z
      .array(
        z.strictObject({
          sessionId: CoordinatorId,
          events: z.array(RosterEventBody).max(500),
        }),
      )
      .min(1)
      .max(200)
      .refine((sessions) => new Set(sessions.map(({ sessionId }) => sessionId)).size === sessions.length, {
        message: 'a session is in here twice; put its events together',
      }),
  })
  .meta({ id: 'TellRoster' });
export type TellRoster = z.infer<typeof TellRoster>;

export const RosterTold = z
  .object({
    sessions: z.array(
      z.object({
        sessionId: z.string(),
        outcome: z.enum(['taken', 'gap', 'unknown', 'over', 'left-alone']).meta({
          description:
            '`taken`: all of them. `gap`: none, events before them are missing: tell from `taken` + 1 on. `unknown`: it is none ' +
            'of yours. `over`: it has ended. `left-alone`: the rules of its queue ask for no live balance.',
        }),
        taken: z.number().int().meta({ description: 'The last `seq` that was taken.' }),
        why: z.string().nullable().meta({ description: 'How the teams stand, in words for players.' }),
      }),
    ),
  })
  .meta({ id: 'RosterTold' });
export type RosterTold = z.infer<typeof RosterTold>;

/** Moves that a server is to make on a running session. */
export const BalanceOrder = z
  .object({
    number: z.number().int().meta({ description: 'Counts the orders of the session from 1.' }),
    moves: z.array(
      z.object({
        playerId,
        from: Team.nullable(),
        to: Team,
        why: z.string().meta({ description: 'For the player who is moved.' }),
      }),
    ),
    withinMs: z
      .number()
      .int()
      .meta({ description: 'How long the server has for it; then it counts as not made.' }),
    why: z.string().meta({ description: 'For everybody on the server.' }),
  })
  .meta({ id: 'BalanceOrder' });
export type BalanceOrder = z.infer<typeof BalanceOrder>;
