import { PlayerId, type Unchanging } from '@muster/domain/schemas';
import { z } from 'zod';
import { EpochMs } from '../times.js';

export const GuestLogin = z
  .strictObject({
    deviceId: z
      .string()
      .regex(/^[\x21-\x7E]{32,128}$/, 'must have 32 to 128 visible ASCII characters')
      .refine((text) => new Set(text).size >= 10, 'must be random: it has fewer than 10 different characters')
      .meta({
        description:
          'A secret that the device made at random and keeps, such as 32 random bytes in Base64. It is the guest: who has it plays as them.',
      }),
  })
  .meta({ id: 'GuestLogin' });

export const Guest = z
  .object({
    playerId: PlayerId,
    token: z.string().meta({ description: 'The player token, for the Authorization header.' }),
    expiresAt: EpochMs,
  })
  .meta({ id: 'Guest' });
export type Guest = z.infer<typeof Guest>;

export const CheckToken = z
  .strictObject({
    token: z
      .string()
      .min(1)
      .max(16_384)
      .meta({ description: 'The token of a player. It is neither stored nor logged.' }),
  })
  .meta({ id: 'CheckToken' });

const RuleOfToken = z.object({
  rule: z.string(),
  passed: z.boolean(),
  detail: z.string().meta({ description: 'What was found, or why the token is refused.' }),
});
export type RuleOfToken = z.infer<typeof RuleOfToken>;

export const LoginCheck = z
  .object({
    accepted: z.boolean(),
    login: z.string().nullable().meta({ description: 'The login that signed it, by its `iss`.' }),
    player: z
      .object({
        playerId: PlayerId,
        name: z.string().optional(),
        platform: z.string().optional(),
        claims: z.object({
          verified: z.boolean().optional(),
          playMinutes: z.number().optional(),
          accountCreatedAt: EpochMs.optional(),
          entitlements: z.array(z.string()).optional(),
        }),
      })
      .nullable()
      .meta({ description: 'What the token says of its player, also of a token that is refused.' }),
    rules: z.array(RuleOfToken).meta({ description: 'Each rule, in the order in which they are checked.' }),
  })
  .meta({ id: 'LoginCheck' });
export type LoginCheck = Unchanging<z.infer<typeof LoginCheck>>;
