import { z } from 'zod';
import { placementPolicies } from '../match-life/choose-servers.js';
import { sessionFacts } from '../matches/session-players.js';
import { PolicyChoice } from './balance-policy.js';
import { fields, listOf, must, numberFrom, wholeFrom } from './fields.js';
import { labelNamePattern, plainText, platformPattern, poolNamePattern, RoleName } from './names.js';
import { flawsOf } from './queue-rule-flaws.js';
import type { Unchanging } from './unchanging.js';

const daySeconds = 86_400;

const name = (what: string): z.ZodString => {
  const message = must(`${what}: small letters, digits and -, 40 at most`);
  return z.string(message).regex(poolNamePattern, message);
};
const label = (what: string): z.ZodString => {
  const message = must(`${what}: 1 to 64 characters, without spaces around`);
  return z
    .string(message)
    .min(1, message)
    .max(64, message)
    .regex(plainText, message)
    .refine(isTrimmed, message);
};
const wrongPlatform = must('a platform such as pc: small letters, digits and -, 32 at most');
const platform = z.string(wrongPlatform).regex(platformPattern, wrongPlatform);
const wrongEntitlement = must('an entitlement such as season-pass: small letters, digits and -, 32 at most');
const entitlement = z.string(wrongEntitlement).regex(platformPattern, wrongEntitlement);
const isTrimmed = (text: string): boolean => text === text.trim();
const seconds = (): z.ZodNumber => numberFrom(0, daySeconds, 'seconds');

const wrongLimit = must('a number above 0, 1000000000 at most, or null for no limit any more');
const limit = z.number(wrongLimit).positive(wrongLimit).max(1e9, wrongLimit);

const CurvePoint = fields(
  {
    afterSeconds: seconds().meta({ description: 'Seconds of waiting from which on this limit holds.' }),
    limit: limit
      .nullable()
      .meta({ description: 'The limit; null is “no limit any more” and may stand in the last corner only.' }),
  },
  'a corner: afterSeconds and limit',
).meta({ description: 'One corner; between two corners the limit grows evenly.' });

const curve = (description: string) => listOf(CurvePoint, 1, 20, 'corners').meta({ description });

const weekSeconds = 7 * daySeconds;
const coolDown = {
  coolDownSeconds: listOf(numberFrom(0, weekSeconds, 'seconds'), 1, 20, 'cool-downs').meta({
    description:
      'For how many seconds a player may not queue after the first offence, the second, and so on; the last is for all that follow. Never falling.',
  }),
  forgiveAfterSeconds: numberFrom(1, 90 * daySeconds, 'seconds').meta({
    description: 'After so many seconds an offence no longer makes the next one dearer.',
  }),
};

/** Every field of a queue's rules, checked for its own range alone. */
export const queueRulesShape = {
  name: name('the name of a queue').meta({
    description: 'The queue’s name, which tickets give: small letters, digits and -.',
  }),
  mode: label('the name of a game mode').meta({
    description: 'What servers are told to play; Muster passes it on as it is.',
  }),
  pool: name('the name of a rating pool').meta({
    description: 'The rating pool that the queue reads and its results feed. It must be there.',
  }),
  teams: wholeFrom(2, 10).meta({ description: 'How many teams a match has.' }),
  teamSize: wholeFrom(1, 50).meta({ description: 'Players on each team.' }),
  maxPartySize: wholeFrom(1, 50).meta({
    description: 'The largest party that may queue, at most teamSize; 1 for players alone.',
  }),
  skillWindow: curve(
    'Largest skill of a match’s tickets less the smallest, in rating points, by the wait of the one that waited longest.',
  ),
  teamGap: curve(
    'Difference of the teams’ rating sums after the best split, in rating points, by the wait of the one that waited longest.',
  ),
  latencyLimitMs: curve('Latency to a region that a ticket accepts, in milliseconds, by its own wait.'),
  pairPartiesSeconds: seconds().optional().meta({
    description:
      'Parties face parties: until somebody has waited so long, parties of each size come in numbers that the teams can share out evenly. Left out or 0: preferred, never demanded.',
  }),
  roles: z
    .record(RoleName, wholeFrom(1, 50), {
      error: (issue) =>
        issue.code === 'invalid_key'
          ? 'the name of a role must begin with a letter or digit and hold only letters, digits and _ . : @ -'
          : must('roles, each with how many of a team can play it').error(issue),
    })
    .optional()
    .meta({
      description: 'How many players of each team, at the least, can play a role; together at most teamSize.',
    }),
  sides: listOf(label('the name of a side'), 2, 10, 'sides').optional().meta({
    description:
      'The side that each team plays, such as marines and aliens: one for each team, in team order. Teams are made for their sides, and the pool counts them. Left out: teams have no sides, or the server chooses.',
  }),
  maps: fields(
    {
      names: listOf(label('the name of a map'), 1, 200, 'maps').meta({
        description: 'The maps that there are; tickets wish for some of them, or for none.',
      }),
      agreeSeconds: seconds().nullable().meta({
        description:
          'Until somebody has waited so long there is a map that everybody wishes for; after that most wishes win. null: everybody’s wish, always.',
      }),
    },
    'names and agreeSeconds',
  )
    .optional()
    .meta({ description: 'Which maps are played, and how long tickets insist on their wishes.' }),
  behaviour: fields(
    {
      lowBelow: numberFrom(0, 1).meta({
        description: 'A ticket is of low score when the least score of its players (0 to 1) is below this.',
      }),
      apartSeconds: seconds().nullable().meta({
        description: 'A ticket of low score that has waited so long may meet everybody; null: never.',
      }),
    },
    'lowBelow and apartSeconds',
  )
    .optional()
    .meta({ description: 'Players of low behaviour score meet one another.' }),
  crossPlay: fields(
    {
      groups: listOf(listOf(platform, 1, 16, 'platforms'), 1, 16, 'groups of platforms').meta({
        description:
          'Platforms of one group meet, those of different groups do not. A platform is in one group; others may not queue.',
      }),
      partiesOpenCrossPlay: z.boolean(must('true or false')).optional().meta({
        description:
          'A party of platforms of different groups may queue, and plays in the first of its groups in this order. Left out: it may not.',
      }),
    },
    'groups and partiesOpenCrossPlay',
  )
    .optional()
    .meta({
      description:
        'Which platforms may meet. Every player must name theirs. Left out: all meet, and naming one is up to the player.',
    }),
  smallerTeams: listOf(
    fields(
      {
        afterSeconds: seconds().meta({
          description: 'Seconds that somebody must have waited for teams of this size.',
        }),
        teamSize: wholeFrom(1, 50).meta({ description: 'Players on each team then.' }),
      },
      'a step: afterSeconds and teamSize',
    ),
    1,
    20,
    'steps',
  )
    .optional()
    .meta({
      description:
        'Teams may be smaller when somebody has waited: in rising time and falling size, all below teamSize.',
    }),
  bots: fields(
    {
      afterSeconds: seconds().meta({ description: 'Seconds that somebody must have waited for bots.' }),
      skill: numberFrom(-1e6, 1e6).meta({ description: 'What one bot counts, in rating points.' }),
      minPlayers: wholeFrom(1, 500).meta({
        description: 'Humans in the match at the least: one a team or more.',
      }),
    },
    'afterSeconds, skill and minPlayers',
  )
    .optional()
    .meta({ description: 'Empty places are filled with bots when somebody has waited.' }),
  entry: fields(
    {
      verified: z
        .literal(true, must('true, or be left out where anybody may come'))
        .optional()
        .meta({ description: 'The account is verified.' }),
      minPlayMinutes: wholeFrom(1, 10_000_000)
        .optional()
        .meta({ description: 'Minutes played in the game, at the least.' }),
      minAccountDays: wholeFrom(1, 36_500)
        .optional()
        .meta({ description: 'Age of the account in days, at the least.' }),
      minMatches: wholeFrom(1, 1_000_000).optional().meta({
        description: 'Matches rated in the queue’s pool, at the least: another queue must feed it.',
      }),
      entitlements: listOf(entitlement, 1, 8, 'entitlements')
        .optional()
        .meta({ description: 'Entitlements such as season-pass, all of which the login must give.' }),
    },
    'verified, minPlayMinutes, minAccountDays, minMatches or entitlements',
  )
    .optional()
    .meta({
      description:
        'Who may queue: every player of a ticket must meet all of it. All but minMatches is what the game’s login says.',
    }),
  readyCheck: fields(
    {
      seconds: numberFrom(1, 300, 'seconds').meta({ description: 'How long players have to accept.' }),
      ...coolDown,
    },
    'seconds, coolDownSeconds and forgiveAfterSeconds',
  )
    .optional()
    .meta({
      description:
        'Every player must accept a match before it is made. Whoever declines or does not answer leaves the queue and cools down; the others keep their place. Left out: nobody is asked.',
    }),
  noShows: fields(coolDown, 'coolDownSeconds and forgiveAfterSeconds').optional().meta({
    description:
      'What becomes of players who never connected to their match, as its server says. Left out: it is noted, and they may queue.',
  }),
  leavers: fields(coolDown, 'coolDownSeconds and forgiveAfterSeconds').optional().meta({
    description:
      'What becomes of players who left their match for good, as its server says. Left out: it is noted, and they may queue.',
  }),
  backfill: fields(
    {
      seconds: numberFrom(1, 3_600, 'seconds').meta({
        description: 'How long a server’s request for players stays open.',
      }),
    },
    'seconds',
  )
    .optional()
    .meta({
      description:
        'A server that somebody left may ask for players: waiting ones are offered to it before matches are made. Left out: it may not.',
    }),
  liveBalance: PolicyChoice.optional().meta({
    description:
      'How running matches are kept fair: a policy by its name, or like that one but for what is said. Left out: teams stay as they were formed.',
  }),
  ticketTtlSeconds: numberFrom(1, daySeconds, 'seconds').meta({
    description: 'A ticket that waited this long without a match expires.',
  }),
  placementTimeoutSeconds: numberFrom(1, daySeconds, 'seconds').meta({
    description: 'A match that found no server for this long is given up; its tickets fail and say why.',
  }),
  placement: z.enum(placementPolicies, must('spread, pack or latency-first')).optional().meta({
    description:
      'How the server of a match is chosen. spread: the least loaded one. pack: the fullest one with a free slot, so that others empty and can be stopped. latency-first: the best region for the players before load. Left out: spread.',
  }),
  serverLabels: z
    .record(z.string().regex(labelNamePattern), label('the value of a label'), {
      error: (issue) =>
        issue.code === 'invalid_key'
          ? 'the name of a label must begin with a letter and hold only small letters, digits and -, 32 at most'
          : must('labels, each with the value that a server must have').error(issue),
    })
    .refine((labels) => Object.keys(labels).length <= 16, 'at most 16 labels')
    .optional()
    .meta({
      description:
        'Labels that the server of a match must have, such as hardware: fast. Servers give theirs when they register. Left out: none.',
    }),
  avoidLists: fields(
    {
      entries: wholeFrom(0, 200).meta({
        description: 'How many entries of each player’s list count, the newest first; 0: none.',
      }),
    },
    'entries',
  )
    .optional()
    .meta({
      description: 'How far avoid-lists keep players apart in this queue. Left out: all entries count.',
    }),
  sessionTells: listOf(z.enum(sessionFacts, must('parties, names or ratings')), 0, 3, 'facts')
    .optional()
    .meta({
      description:
        'What servers are told about the players of a session. parties: who queued together. names: display names, where known. ratings: the level by which the teams were made. Left out: parties and names.',
    }),
  lateResultSeconds: numberFrom(0, daySeconds, 'seconds').optional().meta({
    description:
      'A result that comes after its server was lost counts all the same for this long, unless one of its players was rated since. Left out: an hour; 0: never.',
  }),
  resumeSeconds: numberFrom(0, 3_600, 'seconds').optional().meta({
    description:
      'A server that falls silent may resume a live match for this long; then the match is abandoned and its players are free. They may leave before, without a penalty. Left out: 30. It is at least the time after which a server counts as silent.',
  }),
  crashRequeueSeconds: numberFrom(0, 3_600, 'seconds').optional().meta({
    description:
      'When the server of a match is lost less than this long after the match began, its players wait again at their old place, as long as new ones may. Left out: 300; 0: never.',
  }),
  leaveWithoutServerSeconds: seconds().optional().meta({
    description:
      'A match without a server may be left without a penalty so many seconds after its teams were made, when an attempt to find one has failed. Left out or 0: as soon as the first attempt has failed.',
  }),
  leaveMatchAfterSeconds: numberFrom(60, daySeconds, 'seconds').optional().meta({
    description:
      'A match that is played may be left without a penalty so many seconds after it began, as when it hangs though its server heartbeats. Left out: 7,200.',
  }),
  massBlameShare: numberFrom(0, 1).optional().meta({
    description:
      'When more than this share of a match’s players, or of the matches of a server, region or time, are named as no-shows or leavers, an outage is to blame: their penalties are lifted until an operator imposes them. Left out: 0.5; 1: never.',
  }),
  calibrationMatches: wholeFrom(0, 50).optional().meta({
    description:
      'How many matches a newcomer to the pool plays at a level that is searched for, before the result becomes the rating; none when left out.',
  }),
};

/**
 * The rules of a queue, checked for contradictions as well as shape. Each message gives the actual and the expected value.
 */
export const QueueRulesSchema = fields(queueRulesShape, 'the rules of a queue')
  .superRefine((rules, context) => {
    for (const { path, message } of flawsOf(rules))
      context.addIssue({ code: 'custom', path: [...path], message });
  })
  .meta({ id: 'QueueRules', description: 'The rules of one queue.' });

/** What a queue (a playlist) plays and how it matches. */
export type QueueRules = Unchanging<z.infer<typeof QueueRulesSchema>>;
/** A limit that grows with waiting. */
export type WideningCurve = QueueRules['skillWindow'];
export type CurvePoint = WideningCurve[number];
/** Platforms that may play together. */
export type CrossPlayRules = NonNullable<QueueRules['crossPlay']>;
export type EntryRules = NonNullable<QueueRules['entry']>;
/** How long a player may not queue after an offence, and when offences are forgotten. */
export type CoolDownRules = NonNullable<QueueRules['noShows']>;
