import { z } from 'zod';

const Ms = z.number().int().min(0).max(3_600_000);
const Share = z.number().min(0).max(1);

/** The policies that come with Muster. */
export const policyNames = [
  'none',
  'sectors-edge-1.2.1',
  'sectors-edge-1.2.2',
  'synelo',
  'hive',
  'twenty-percent',
  'muster',
] as const;

const patience = {
  delayMs: Ms.meta({ description: 'How long teams have to stay unbalanced before somebody is moved.' }),
  onlyDead: z.boolean().meta({ description: 'Moves only players who are dead.' }),
};

const BalanceRule = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('powers'),
      version: z.enum(['1.2.1', '1.2.2']),
      sizes: z.enum(['table', 'difference']),
      leastPower: z.number().min(0).max(1e6),
      strictSizes: z.boolean(),
      lowestShare: Share,
      ...patience,
    }),
    z.strictObject({
      kind: z.literal('weight'),
      over: z.number().min(0).max(100),
      partyFactors: z.array(z.number().min(0).max(100)).max(64),
      ...patience,
    }),
    z.strictObject({ kind: z.literal('sizes'), least: z.number().int().min(2).max(100), ...patience }),
    z.strictObject({
      kind: z.literal('swaps'),
      toleranceShare: Share,
      onVote: z.boolean(),
      ...patience,
    }),
  ])
  .meta({
    description:
      '`powers`: as Sector’s Edge; `weight`: one team weighs more by `over` (0.2 is 20 %); `sizes`: one team has `least` more; ' +
      '`swaps`: the fewest swaps that even the sums out.',
  });

const BotRules = z.strictObject({
  minPlayers: z
    .number()
    .int()
    .min(0)
    .max(200)
    .meta({ description: 'Players and bots together, at the least.' }),
  known: z
    .number()
    .int()
    .min(0)
    .max(10_000)
    .optional()
    .meta({ description: 'How many bots there are to choose from.' }),
});

const Lever = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('damage'), most: z.number().min(1).max(100) }),
  z.strictObject({ kind: z.literal('shield'), most: z.number().min(1).max(100) }),
  z.strictObject({
    kind: z.literal('respawn'),
    usualSeconds: z.number().min(0).max(3_600),
    mostSeconds: z.number().min(0).max(3_600),
    meanLifeSeconds: z.number().positive().max(86_400),
  }),
]);

const Bench = z.enum(['anyone', 'top-plays', 'longest-waiting']);
const policy = {
  rules: z
    .array(BalanceRule)
    .max(8)
    .meta({ description: 'Looked at in order; the first that finds an imbalance decides.' }),
  exempt: z
    .strictObject({
      modes: z.array(z.string().min(1).max(64)).max(64),
      secondsLeft: z.number().min(0).max(86_400),
    })
    .meta({ description: 'Nobody is moved in these modes, nor when fewer seconds are left.' }),
  ranked: z
    .enum(['leave-alone', 'move'])
    .meta({ description: 'Whether players of ranked matches that the coordinator formed are moved at all.' }),
  withinMs: Ms.min(100).meta({ description: 'How long the server has to move them.' }),
  placement: z.strictObject({
    bots: BotRules.nullable().meta({ description: 'null: bots do not come and go with players.' }),
    maxSizeDifference: z.number().int().min(0).max(200).nullable(),
  }),
  start: z.strictObject({
    maxSizeDifference: z.number().int().min(0).max(200).optional(),
    best: z.number().int().min(1).max(100).optional(),
    power: z.number().min(0).max(10_000).optional(),
  }),
  levers: z.array(Lever).max(8),
  scramble: z
    .strictObject({
      winsInARow: z.number().int().min(1).max(1_000),
      fullRounds: z.number().int().min(1).max(1_000),
      bench: Bench,
    })
    .nullable(),
};

/** One of ours by its name, or one of your own: like one of ours but for what is said. */
export const PolicyChoice = z
  .union([
    z.enum(policyNames),
    z.strictObject({ like: z.enum(policyNames).default('none'), ...policy }).partial(),
  ])
  .meta({ id: 'BalancePolicy', description: 'A policy by its name, or like that one but for what is said.' });
export type PolicyChoice = z.infer<typeof PolicyChoice>;
