import { limitAfter } from '@muster/matchmaking';
import type { Tone } from '../../ui/story.js';
import { counted, durationWords, percentWords } from '../../ui/values/words.js';
import {
  factsOf,
  longestWaitOf,
  partiesOf,
  startersOf,
  teamsOf,
  type Match,
  type MatchPlayer,
  type Penalty,
  type Rules,
} from '../match.js';
import { listWords, penaltyWords, pointsWords, stoppedWords, teamWords } from '../match-words.js';

/** One thing that made a match fair, or less so. */
export interface Finding {
  readonly tone: Tone;
  readonly text: string;
}

/** What is said of the fairness of a match. */
export interface Fairness {
  readonly tone: Tone;
  /** How even the chances were, and who won. */
  readonly headline: string;
  /** The most likely cause of a complaint. */
  readonly cause: string;
  readonly findings: readonly Finding[];
}

/** What is known beside the match itself. */
export interface Circumstances {
  /** The rules by which it was made; null: not known. */
  readonly rules: Rules | null;
  /** Penalties of its players that name it. */
  readonly penalties: readonly Penalty[];
}

/** Chances up to this multiple of an even share are even; up to the second, nearly. Above it simulations count a match as lopsided. */
const [evenUpTo, nearlyUpTo] = [1.1, 1.2];
const exact = 0.05;

/** Judges whether a match was fair, by what was known when its teams were made, and by what happened later. */
export function fairnessOf(match: Match, { rules, penalties }: Circumstances): Fairness {
  const about: About = { match, rules, penalties, ...measuresOf(match, rules) };
  const losses = lossesOf(about);
  const findings = [
    ...waitFinding(about),
    ...gapFinding(about),
    ...windowFinding(about),
    ...splitFinding(match),
    ...partyFindings(about),
    ...levelFinding(match),
    ...specialFindings(about),
    ...losses,
    ...laterFindings(match),
  ];
  return { ...headlineOf(about), cause: causeOf(about, losses), findings };
}

/** Numbers that several findings need. */
interface Measures {
  /** The best chance of a team over an even share; null: nothing was predicted. */
  readonly advantage: number | null;
  readonly waitedMs: number;
  /** Levels of the tickets, the highest less the lowest. */
  readonly spread: number | null;
  readonly gap: Limit | null;
  readonly window: Limit | null;
}
interface About extends Measures, Circumstances {
  readonly match: Match;
}
/** A limit of the rules: at first, and what it had reached after the longest wait of the match. */
interface Limit {
  readonly first: number;
  readonly reached: number;
}

function measuresOf(match: Match, rules: Rules | null): Measures {
  const { prediction } = match;
  const waitedMs = longestWaitOf(match) ?? 0;
  const limit = (curve: Rules['teamGap'] | undefined): Limit | null =>
    curve ? { first: limitAfter(curve, 0), reached: limitAfter(curve, waitedMs) } : null;
  return {
    advantage: prediction.length === 0 ? null : Math.max(...prediction) * prediction.length,
    waitedMs,
    spread: spreadOf(match),
    gap: limit(rules?.teamGap),
    window: limit(rules?.skillWindow),
  };
}

/** As the matcher saw it; else by the levels of the split. */
function spreadOf(match: Match): number | null {
  const known = factsOf(match, 'match.put-together')?.['spread'];
  if (typeof known === 'number') return known;
  const levels = new Map<string, number[]>();
  for (const { ticketId, playerId, level } of startersOf(match))
    levels.set(ticketId ?? playerId, [...(levels.get(ticketId ?? playerId) ?? []), level ?? NaN]);
  const means = [...levels.values()]
    .map((of) => of.reduce((sum, level) => sum + level, 0) / of.length)
    .filter(Number.isFinite);
  return match.origin === 'reported' || means.length === 0 ? null : Math.max(...means) - Math.min(...means);
}

function headlineOf({ match, advantage, rules }: About): Pick<Fairness, 'tone' | 'headline'> {
  const { prediction, ranks } = match;
  if (advantage === null) return { tone: 'note', headline: 'No chances were predicted for this match.' };
  const favourite = prediction.indexOf(Math.max(...prediction));
  const [tone, word]: [Tone, string] =
    advantage <= evenUpTo + 1e-9
      ? ['good', 'Even chances']
      : advantage <= nearlyUpTo + 1e-9
        ? ['note', 'Nearly even chances']
        : ['bad', 'Uneven chances'];
  const isTie = prediction.every((chance) => chance === prediction[0]);
  const chance = isTie
    ? `each team had ${percentWords(prediction[0])}`
    : `the favourite, ${teamWords(favourite, rules?.sides)}, had ${percentWords(prediction[favourite])}`;
  const best = Math.min(...ranks);
  const firsts = ranks.filter((rank) => rank === best).length;
  const end =
    ranks.length === 0 || isTie
      ? ''
      : firsts > 1
        ? ', and it was a draw'
        : ranks[favourite] === best
          ? ', and won'
          : ', and did not win';
  return { tone, headline: `${word}: ${chance}${end}.` };
}

/** The one sentence that answers “unfair match last night”. */
function causeOf(about: About, losses: readonly Finding[]): string {
  const { match, advantage, gap, window, spread } = about;
  if (match.origin === 'reported')
    return 'It was played elsewhere and reported: Muster did not make these teams.';
  if (match.state === 'abandoned')
    return `It was abandoned, and nobody is rated: ${match.closeReason ?? 'no reason is kept'}.`;
  const difference = match.split?.difference ?? 0;
  if (advantage !== null && advantage > nearlyUpTo) {
    if (gap && difference > gap.reached + exact)
      return `The teams differ by more than the rules allow after that wait (${pointsWords(difference)} instead of ${pointsWords(gap.reached)} rating points).`;
    if (gap && difference > gap.first + exact)
      return `Somebody had waited long: ${waiters(about)}, and by then the rules allow ${allowed(gap.reached, 'difference')} between the teams. At first they allow ${pointsWords(gap.first)}. The teams differ by ${pointsWords(difference)}.${match.split?.ways === 1 ? ' Their parties left no other way to split them.' : ''}`;
    if (match.split?.certificate.status === 'bounded' && match.split.certificate.gap > difference / 2)
      return 'The search for even teams was stopped before it had looked at all splits.';
    if (gap)
      return `The rules of the queue allow this difference from the start: ${pointsWords(difference)} of ${allowed(gap.first, 'difference')}. A lower teamGap makes such players wait for others.`;
    return 'The chances were uneven when the teams were made.';
  }
  if (losses.length > 0)
    return `The teams were even when they were made. ${losses.map(({ text }) => text).join(' ')}`;
  if (window && spread !== null && spread > window.first + exact)
    return `The teams are even, but their players are not alike: ${waiters(about)}, and by then the rules allow tickets ${allowed(window.reached, 'distance')} apart. At first they allow ${pointsWords(window.first)}.`;
  return 'The teams were even, and nobody was missing: nothing here explains a one-sided game.';
}

/** Who had waited longest, and how long. */
function waiters({ match, waitedMs }: About): string {
  const names = startersOf(match).flatMap((player) => (player.waitedMs === waitedMs ? [nameOf(player)] : []));
  const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} others`] : names;
  return `${listWords(shown)} had waited ${durationWords(waitedMs)}`;
}

const nameOf = ({ name, playerId }: MatchPlayer): string => name ?? playerId;

const allowed = (limit: number, what: string): string =>
  limit === Infinity ? `any ${what}` : `${pointsWords(limit)} rating points`;

/** How something compares with a limit that has widened. */
function againstLimit({ waitedMs }: About, value: number, { first, reached }: Limit, what: string): Finding {
  const atFirst = reached > first ? `, ${allowed(first, what)} at first` : '';
  const rule = `The rules allow ${allowed(reached, what)} after a wait of ${durationWords(waitedMs)}${atFirst}`;
  if (value > reached + exact) return { tone: 'bad', text: `${rule}. This is more.` };
  return { tone: value > first + exact ? 'note' : 'good', text: `${rule}.` };
}

/** Named where it has widened a rule. */
function waitFinding(about: About): Finding[] {
  const { gap, window } = about;
  const widened = [gap, window].some((limit) => limit !== null && limit.reached > limit.first);
  return widened ? [{ tone: 'note', text: `The rules widen by the longest wait: ${waiters(about)}.` }] : [];
}

function gapFinding(about: About): Finding[] {
  const { match, gap } = about;
  if (!match.split) return [];
  const { difference, sums } = match.split;
  const are = `The teams differ by ${pointsWords(difference)} rating points (${sums.map(pointsWords).join(' to ')}).`;
  if (!gap) return [{ tone: 'note', text: are }];
  const { tone, text } = againstLimit(about, difference, gap, 'difference');
  return [{ tone, text: `${are} ${text}` }];
}

function windowFinding(about: About): Finding[] {
  const { spread, window } = about;
  if (spread === null) return [];
  const are = `The tickets are within ${pointsWords(spread)} rating points.`;
  if (!window) return [{ tone: 'note', text: are }];
  const { tone, text } = againstLimit(about, spread, window, 'distance');
  return [{ tone, text: `${are} ${text}` }];
}

function splitFinding({ split, bots }: Match): Finding[] {
  if (!split) return [];
  const { certificate, ways } = split;
  if (ways === 1)
    return [
      { tone: 'note', text: 'There was one way only to split these players, with parties kept together.' },
    ];
  if (certificate.status === 'proven')
    return [{ tone: 'good', text: 'No other teams of these players are more even: that is proven.' }];
  const why = stoppedWords(certificate.stopped);
  const most = bots.some((count) => count > 0)
    ? ''
    : ` by ${pointsWords(certificate.gap)} rating points at most`;
  return [
    {
      tone: 'note',
      text: `These teams are the most even that were found, without a proof: ${why}. Others could be more even${most}.`,
    },
  ];
}

function partyFindings(about: About): Finding[] {
  const { match, rules, window } = about;
  const parties = partiesOf({ players: startersOf(match) });
  if (parties.size === 0) return [];
  const sizes = teamsOf(match).map((team) =>
    [...parties.keys()]
      .map((ticketId) => team.filter((player) => player.ticketId === ticketId).length)
      .filter((size) => size > 0)
      .toSorted((a, b) => b - a),
  );
  const isSame = new Set(sizes.map(String)).size === 1;
  const each = sizes.map(
    (of, team) =>
      `${teamWords(team, rules?.sides)} ${of.length === 0 ? 'has no party' : `has ${of.length === 1 ? 'a party' : 'parties'} of ${listWords(of.map(String))}`}`,
  );
  const pairing: Finding = isSame
    ? {
        tone: 'good',
        text: `Parties face parties of the same size (${listWords((sizes[0] ?? []).map(String))}).`,
      }
    : { tone: 'note', text: `${listWords(each)}.` };
  return [
    pairing,
    ...[...parties.keys()].flatMap((ticketId) => unlikeParty(match, ticketId, window?.reached)),
  ];
}

/** A party whose members are further apart than tickets may be. */
function unlikeParty(match: Match, ticketId: string, limit: number | undefined): Finding[] {
  const members = match.players.filter((player) => player.ticketId === ticketId);
  const levels = members.flatMap(({ level }) => level ?? []);
  const range = Math.max(...levels) - Math.min(...levels);
  if (limit === undefined || !(range > limit + exact)) return [];
  return [
    {
      tone: 'note',
      text: `In the party of ${listWords(members.map(nameOf))} the levels are ${pointsWords(range)} apart. A party counts by its mean, so the window does not limit this.`,
    },
  ];
}

function levelFinding(match: Match): Finding[] {
  const known = startersOf(match).filter((player) => player.level !== null);
  const sorted = known.toSorted((a, b) => (a.level ?? 0) - (b.level ?? 0));
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (!low || !high || low === high) return [];
  const one = (player: MatchPlayer): string =>
    `${pointsWords(player.level ?? 0)} (${nameOf(player)}, ${teamWords(player.team)})`;
  return [{ tone: 'note', text: `Levels of players are from ${one(low)} to ${one(high)}.` }];
}

function specialFindings({ match, rules }: About): Finding[] {
  const newcomers = factsOf(match, 'match.newcomers')?.['newcomers'];
  const teamSize = factsOf(match, 'match.put-together')?.['teamSize'];
  const bots = match.bots.reduce((sum, count) => sum + count, 0);
  return [
    typeof newcomers === 'number' &&
      `${newcomers} of the players ${newcomers === 1 ? 'is a newcomer' : 'are newcomers'}: they play at a level that is tested, so the chances are less certain.`,
    typeof teamSize === 'number' &&
      `The teams are of ${teamSize} players${rules ? ` instead of ${rules.teamSize}` : ''}, since somebody had waited long.`,
    bots > 0 &&
      `${counted(bots, 'bot')} ${bots === 1 ? 'fills' : 'fill'} empty places. The chances count players alone.`,
    ...match.players.map(
      (player) =>
        player.booster !== undefined &&
        `${nameOf(player)} plays ${player.booster.higher ? 'up' : 'down'} in ${player.booster.division} with a booster.`,
    ),
  ].flatMap((text): Finding[] => (text === false ? [] : [{ tone: 'note', text }]));
}

/** Players who were missing. */
function lossesOf({ match, penalties }: About): Finding[] {
  const begin = match.placedAt;
  return match.players.flatMap((player): Finding[] => {
    const { playerId, leftAt, team } = player;
    const who = `${nameOf(player)} of ${teamWords(team)}`;
    const after = (at: number): string =>
      begin === null ? '' : ` ${durationWords(Math.max(0, at - begin))} after it began`;
    if (leftAt !== null) return [{ tone: 'bad', text: `${who} left for good${after(leftAt)}.` }];
    const penalty = penalties.find((each) => each.playerId === playerId && each.kind !== 'declined');
    return penalty ? [{ tone: 'bad', text: `${who} ${penaltyWords[penalty.kind]}.` }] : [];
  });
}

function laterFindings({ players, placedAt, balance }: Match): Finding[] {
  const moves = balance.reduce((sum, order) => sum + order.moves.length, 0);
  return [
    ...players.map(
      (player) =>
        player.joinedAt !== null &&
        `${nameOf(player)} joined ${teamWords(player.team)}${placedAt === null ? '' : ` ${durationWords(Math.max(0, player.joinedAt - placedAt))} after it began`}, by a backfill.`,
    ),
    moves > 0 &&
      `Live balance ordered ${moves === 1 ? 'one change' : `${moves} changes`} of team while it was played.`,
  ].flatMap((text): Finding[] => (text === false ? [] : [{ tone: 'note', text }]));
}
