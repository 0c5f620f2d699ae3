import { z } from 'zod';
import { fields } from '../errors.js';

/** A schema with its description. */
const said = <T extends z.ZodType>(schema: T, description: string): T => schema.meta({ description });

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

export const scrambleModeNames = [
  'arena',
  'attack-defend',
  'payload',
  'king-of-the-hill',
  'control-points',
  'capture-the-flag',
] as const;

const patience = {
  delayMs: said(Ms, 'How long teams have to stay unbalanced before somebody is moved, in milliseconds.'),
  onlyDead: said(z.boolean(), 'Moves only players who are dead.'),
};
const kind = <K extends string>(name: K, description: string) => said(z.literal(name), description);

const BalanceRule = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: kind('powers', 'Sizes, and powers as Sector’s Edge has them.'),
      version: said(z.enum(['1.2.1', '1.2.2']), 'Which powers: by rating, or by rating and points.'),
      sizes: said(
        z.enum(['table', 'difference']),
        'When sizes alone count: by the source’s table, or from 2 on.',
      ),
      leastPower: said(z.number().min(0).max(1e6), 'From this difference of powers on teams are unbalanced.'),
      strictSizes: said(z.boolean(), 'Power does not count while sizes differ by one or less.'),
      lowestShare: said(Share, 'Which share of a team, lowest points first, may be moved.'),
      ...patience,
    }),
    z.strictObject({
      kind: kind('weight', 'One team weighs more than the other by a share.'),
      over: said(z.number().min(0).max(100), 'Teams are unbalanced above this share: 0.2 is 20 %.'),
      partyFactors: said(
        z.array(z.number().min(0).max(100)).max(64),
        'What members of a party count, by its size from 0 on; empty: as they are.',
      ),
      mostMoved: said(
        z.number().int().min(1).max(8),
        'Players whom one order moves at the most; 1: nobody is swapped. Left out: as many as it takes one way, and 4 where players change teams with one another.',
      ).optional(),
      ...patience,
    }),
    z.strictObject({
      kind: kind('sizes', 'One team has more players; who goes makes the teams most even.'),
      least: said(
        z.number().int().min(2).max(100),
        'Teams are unbalanced when sizes differ by this or more.',
      ),
      ...patience,
    }),
    z.strictObject({
      kind: kind('swaps', 'The fewest swaps that even the sums out.'),
      toleranceShare: said(Share, 'Sums may differ by this share of their mean.'),
      onVote: said(z.boolean(), 'Waits until the players have voted for it.'),
      ...patience,
    }),
  ],
  { error: 'must be a kind of rule: powers, weight, sizes or swaps' },
);

const BotRules = z.strictObject({
  minPlayers: said(z.number().int().min(0).max(200), 'Players and bots together, at the least.'),
  known: said(z.number().int().min(0).max(10_000), 'How many bots there are to choose from.').optional(),
});

const scale = said(z.number().min(1).max(100), 'The furthest that it may be turned: times so much.');
const Lever = z.discriminatedUnion('kind', [
  z.strictObject({ kind: kind('damage', 'What the weaker team’s weapons do.'), most: scale }),
  z.strictObject({ kind: kind('shield', 'What the weaker team’s armour holds.'), most: scale }),
  z.strictObject({
    kind: kind('respawn', 'How long the stronger team waits to come back.'),
    usualSeconds: said(z.number().min(0).max(3_600), 'As it is for everybody.'),
    mostSeconds: said(z.number().min(0).max(3_600), 'Longer than this nobody waits.'),
    meanLifeSeconds: said(z.number().positive().max(86_400), 'How long a player lives, on the mean.'),
  }),
]);

const policy = {
  rules: said(z.array(BalanceRule).max(8), 'Looked at in order; the first that finds an imbalance decides.'),
  exempt: said(
    z.strictObject({
      modes: said(z.array(z.string().min(1).max(64)).max(64), 'Modes in which nobody is moved.'),
      secondsLeft: said(z.number().min(0).max(86_400), 'Nobody is moved when fewer seconds are left.'),
    }),
    'When a running match is left alone.',
  ),
  ranked: said(
    z.enum(['leave-alone', 'move']),
    'Whether players of ranked matches that the coordinator formed are moved at all.',
  ),
  withinMs: said(Ms.min(100), 'How long the server has to move them, in milliseconds.'),
  placement: said(
    z.strictObject({
      bots: said(BotRules.nullable(), 'Bots come and go with players; null: they do not.'),
      maxSizeDifference: said(
        z.number().int().min(0).max(200).nullable(),
        'A newcomer makes no team larger than the smallest by more than this; null: by any number.',
      ),
    }),
    'Where newcomers go.',
  ),
  start: said(
    z.strictObject({
      maxSizeDifference: said(
        z.number().int().min(0).max(200),
        'How many more players one team may have.',
      ).optional(),
      best: said(z.number().int().min(1).max(100), 'From how many of the best teams it is drawn.').optional(),
      power: said(z.number().min(0).max(10_000), 'The more, the rather the best are drawn.').optional(),
    }),
    'How teams are chosen when a game starts.',
  ),
  levers: said(
    z.array(Lever).max(8),
    'What the server may turn against an advantage that is left, in this order.',
  ),
  scramble: said(
    z
      .strictObject({
        mode: said(
          z.enum(scrambleModeNames, { error: `must be one of ${scrambleModeNames.join(', ')}` }),
          'The mode whose rounds say when; as the match’s mode is called when left out.',
        ).optional(),
        winsInARow: said(z.number().int().min(1).max(1_000), 'Arena: so many rounds won in a row.'),
        fullRounds: said(z.number().int().min(1).max(1_000), 'Attack and defend: so many full rounds.'),
        bench: said(z.enum(['anyone', 'top-plays', 'longest-waiting']), 'Who may sit out.'),
      })
      .nullable(),
    'When teams are mixed anew between rounds; null: never.',
  ),
  sides: said(
    z.strictObject({
      forMs: said(Ms.min(1_000), 'How long players may name a side, in milliseconds.'),
      toleranceShare: said(
        Share,
        'For the sake of wishes sums may differ by this share of half of all ratings.',
      ),
    }),
    'How players choose their sides, where the server lets them.',
  ),
};

/** One of ours by its name, or one of your own: like one of ours but for what is said. */
export const PolicyChoice = z
  .union(
    [
      z.enum(policyNames),
      fields(
        { like: said(z.enum(policyNames), 'Which policy it is like; none when left out.'), ...policy },
        'a policy',
      ).partial(),
    ],
    {
      error: `must be a policy by its name (${policyNames.join(', ')}), or like one but for what is said, such as { like: synelo, ranked: move }`,
    },
  )
  .meta({ id: 'BalancePolicy', description: 'A policy by its name, or like that one but for what is said.' });
export type PolicyChoice = z.infer<typeof PolicyChoice>;
