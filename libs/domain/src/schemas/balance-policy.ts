import { z } from 'zod';
import { policyNames, scrambleModes } from '../matches/balance-policy.js';
import { fields } from './fields.js';
import type { Unchanging } from './unchanging.js';

/** A schema with its description. */
const described = <T extends z.ZodType>(schema: T, description: string): T => schema.meta({ description });

const Ms = z.number().int().min(0).max(3_600_000);
const Share = z.number().min(0).max(1);

const patience = {
  delayMs: described(Ms, 'How long teams have to be unbalanced before a player is moved, in milliseconds.'),
  onlyDead: described(z.boolean(), 'Moves only dead players.'),
};
const kind = <K extends string>(name: K, description: string) => described(z.literal(name), description);

const BalanceRule = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: kind('powers', 'Sizes, and powers of Sector’s Edge.'),
      version: described(z.enum(['1.2.1', '1.2.2']), 'Which powers: by rating, or by rating and points.'),
      // `table`: 2 or more against 0, 3 or more against 1 at most, 4 or more against 2 at most. `difference`: also 5 against 3.
      sizes: described(
        z.enum(['table', 'difference']),
        'When sizes alone count: by the source’s table, or from 2 on.',
      ),
      leastPower: described(
        z.number().min(0).max(1e6),
        'From this difference of powers on teams are unbalanced.',
      ),
      strictSizes: described(z.boolean(), 'Power does not count while sizes differ by at most one.'),
      lowestShare: described(Share, 'Share of a team, lowest points first, that may be moved.'),
      ...patience,
    }),
    z.strictObject({
      kind: kind('weight', 'One team exceeds the other’s weight by a share.'),
      over: described(z.number().min(0).max(100), 'Teams are unbalanced above this share: 0.2 is 20 %.'),
      // The first is for 0 members, the last for all sizes from there on.
      partyFactors: described(
        z.array(z.number().min(0).max(100)).max(64),
        'Weight factor of a party’s members, by its size from 0 on; empty: no factors.',
      ),
      mostMoved: described(
        z.number().int().min(1).max(8),
        'Most players that one order moves; 1: no swaps. Default: as many as needed in one direction, and 4 in exchanges.',
      ).optional(),
      ...patience,
    }),
    z.strictObject({
      kind: kind(
        'sizes',
        'One team has more players; the player whose move makes the teams most even is moved.',
      ),
      least: described(
        z.number().int().min(2).max(100),
        'Teams are unbalanced when sizes differ by this or more.',
      ),
      ...patience,
    }),
    z.strictObject({
      kind: kind('swaps', 'The fewest swaps that even the sums out.'),
      toleranceShare: described(Share, 'Sums may differ by this share of their mean.'),
      onVote: described(z.boolean(), 'Waits for a vote of the players.'),
      ...patience,
    }),
  ],
  { error: 'must be a kind of rule: powers, weight, sizes or swaps' },
);

const BotRules = z.strictObject({
  minPlayers: described(z.number().int().min(0).max(200), 'Fewest players and bots together.'),
  known: described(z.number().int().min(0).max(10_000), 'Number of available bots.').optional(),
});

const scale = described(z.number().min(1).max(100), 'The largest allowed factor.');
const Lever = z.discriminatedUnion('kind', [
  z.strictObject({ kind: kind('damage', 'The damage of the weaker team.'), most: scale }),
  z.strictObject({ kind: kind('shield', 'The armour of the weaker team.'), most: scale }),
  z.strictObject({
    kind: kind('respawn', 'The respawn delay of the stronger team.'),
    usualSeconds: described(z.number().min(0).max(3_600), 'The usual delay.'),
    mostSeconds: described(z.number().min(0).max(3_600), 'The longest delay.'),
    meanLifeSeconds: described(z.number().positive().max(86_400), 'Mean lifetime of a player.'),
  }),
]);

const policy = {
  rules: described(
    z.array(BalanceRule).max(8),
    'Evaluated in order; the first that finds an imbalance decides.',
  ),
  exempt: described(
    z.strictObject({
      modes: described(z.array(z.string().min(1).max(64)).max(64), 'Modes in which nobody is moved.'),
      secondsLeft: described(z.number().min(0).max(86_400), 'Nobody is moved when fewer seconds are left.'),
    }),
    'When a running match is exempt from balancing.',
  ),
  ranked: described(
    z.enum(['leave-alone', 'move']),
    'Whether players of ranked matches that the coordinator formed are moved at all.',
  ),
  withinMs: described(Ms.min(100), 'How long the server has to move them, in milliseconds.'),
  placement: described(
    z.strictObject({
      bots: described(BotRules.nullable(), 'Bots join and leave with players; null: they do not.'),
      maxSizeDifference: described(
        z.number().int().min(0).max(200).nullable(),
        'A newcomer makes no team larger than the smallest by more than this; null: by any number.',
      ),
    }),
    'Where newcomers go.',
  ),
  start: described(
    z.strictObject({
      maxSizeDifference: described(
        z.number().int().min(0).max(200),
        'Allowed difference in players between teams.',
      ).optional(),
      best: described(z.number().int().min(1).max(100), 'Number of best splits to draw from.').optional(),
      power: described(z.number().min(0).max(10_000), 'Higher values prefer the best splits.').optional(),
    }),
    'How teams are formed when a game starts.',
  ),
  levers: described(
    z.array(Lever).max(8),
    'What the server may change against a remaining advantage, in this order.',
  ),
  scramble: described(
    z
      .strictObject({
        mode: described(
          z.enum(scrambleModes, { error: `must be one of ${scrambleModes.join(', ')}` }),
          'The mode that decides when; default: the mode of the match.',
        ).optional(),
        winsInARow: described(z.number().int().min(1).max(1_000), 'Arena: rounds won in a row.'),
        fullRounds: described(z.number().int().min(1).max(1_000), 'Attack and defend: full rounds.'),
        bench: described(z.enum(['anyone', 'top-plays', 'longest-waiting']), 'Who may sit out.'),
      })
      .nullable(),
    'When teams are scrambled between rounds; null: never.',
  ),
  sides: described(
    z.strictObject({
      forMs: described(Ms.min(1_000), 'How long players may name a side, in milliseconds.'),
      toleranceShare: described(
        Share,
        'Allowed difference of the sums for the sake of wishes, as a share of half of all ratings.',
      ),
    }),
    'How players choose their sides, where the server allows it.',
  ),
};

/** A built-in policy by its name, or a custom one derived from it. */
export const PolicyChoice = z
  .union(
    [
      z.enum(policyNames),
      fields(
        { like: described(z.enum(policyNames), 'The policy it is derived from; default: none.'), ...policy },
        'a policy',
      ).partial(),
    ],
    {
      error: `must be a policy by its name (${policyNames.join(', ')}), or like one but for what is said, such as { like: synelo, ranked: move }`,
    },
  )
  .meta({
    id: 'BalancePolicy',
    description: 'A policy by its name, or one derived from it with changed fields.',
  });
export type PolicyChoice = z.infer<typeof PolicyChoice>;

/** How a server keeps a running match fair: all that a policy says beside its name. */
export type BalanceTerms = Unchanging<z.infer<z.ZodObject<typeof policy>>>;
/** A rule that finds an imbalance and chooses its remedy. */
export type BalanceRule = BalanceTerms['rules'][number];
export type BalanceRuleOf<Kind extends BalanceRule['kind']> = Extract<BalanceRule, { kind: Kind }>;
