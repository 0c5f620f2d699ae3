import type { AnswerOf } from '@muster/contracts';
import { Option } from 'commander';
import type { Ask } from '@muster/command-line/operator/connection';
import { readPlayer } from '@muster/sdk';
import { wholeNumber } from '@muster/command-line/options/values';
import { call, composed, type Given, type Row } from '../calls/call.js';

const ofPool = { options: ['pool'] } as const;
const many = (flags: string, about: string, usual: number, fits = wholeNumber(0, 1_000)) => ({
  extra: [new Option(flags, about).argParser(fits).default(usual)],
});

/** Players and what they have in rating pools: ratings, ranks, seasons, boosters, cases. */
export const ratingRows: readonly Row[] = [
  call('players list', 'listRatings', '--pool ladder --limit 10', {
    ...ofPool,
    table: { ratings: ['playerId', 'name', 'mu', 'sigma', 'division', 'matches', 'lastRatedAt'] },
  }),
  composed(
    'players show',
    'readPenalties',
    'alice',
    (ask: Ask, { playerId }: Given<'readPenalties'>, { matches }) =>
      ask((operator) => readPlayer(operator, playerId, Number(matches))),
    {
      about: 'Show a player’s ticket, party, matches, ratings, penalties, behaviour and cases.',
      ...many('--matches <n>', 'how many matches, newest first', 5, wholeNumber(1, 500)),
      table: {
        matches: ['matchId', 'queue', 'pool', 'state', 'formedAt', 'endedAt', 'serverId', 'closeReason'],
      },
    },
  ),
  composed('players get', 'readRating', 'alice --pool ladder --history 50', ratingWithHistory, {
    ...ofPool,
    about: 'Show a player’s rating and its latest changes.',
    ...many('--history <n>', 'how many changes, newest first', 10),
    table: { history: ['at', 'kind', 'before', 'after', 'eventId', 'by', 'reason'] },
  }),
  call('players set', 'setRating', 'alice 32 --sigma 3 --reason "plays in the league" --pool ladder', {
    ...ofPool,
    arguments: ['mu'],
  }),
  call('players reset', 'resetRating', 'alice --reason "the account changed hands" --pool ladder', ofPool),
  call('leaderboard', 'readLeaderboard', 'ladder --around alice --limit 11', {
    help: `Ranked are players who see their own division: who finished the first matches of a pool and the placement matches of its season,
and played not too long ago. A leaderboard follows results within a second.`,
    table: { rows: ['rank', 'playerId', 'name', 'division', 'mu', 'matches'] },
  }),
  call(
    'boosters grant',
    'grantBooster',
    'ladder alice Gold --reason "bought in the shop" --event-id order-17',
    {
      help: 'The pool must allow boosters: "muster pools change NAME --boosters RULES".',
      arguments: ['playerId', 'division'],
      names: { eventId: 'event-id' },
    },
  ),
  call('boosters list', 'listBoosters', 'ladder alice', {
    arguments: ['playerId'],
    table: {
      boosters: ['boosterId', 'division', 'matches', 'matchesLeft', 'grantedAt', 'reason', 'revoked'],
    },
  }),
  call('boosters revoke', 'revokeBooster', 'ladder bst_4fQ2c0de --reason "refunded"'),
  call('seasons list', 'listSeasons', 'ladder', {
    table: { seasons: ['number', 'name', 'state', 'startsAt', 'startedAt', 'endedAt', 'archivedAt'] },
  }),
  call('seasons standings', 'readSeasonStandings', 'ladder 0 --limit 20', {
    table: { standings: ['rank', 'playerId', 'name', 'mu', 'division', 'matches'] },
  }),
  call('seasons preview', 'previewSeason', 'ladder --rules "keep=0.75, uncertainty=0.5, placement=10"'),
  call(
    'seasons begin',
    'beginSeason',
    'ladder 1 --name Spring --rules "keep=0.75, uncertainty=0.5, placement=10"',
    {
      names: { startsAt: 'at' },
      help: 'Try "seasons preview" first: a season that has begun cannot be undone. Repeating it with the same options changes nothing.',
    },
  ),
  call('seasons withdraw', 'withdrawSeason', 'ladder 2'),
  composed('cases list', 'listCases', '--pool ladder', listCases, {
    help: 'Muster bans nobody. A pool opens cases after "muster pools change NAME --integrity watch".',
    flags: { closed: [{ state: 'closed' }, 'closed cases instead of open ones'] },
    table: {
      cases: ['caseId', 'openedAt', 'pool', 'kind', 'players', 'server', 'evidence', 'outdated', 'verdict'],
    },
  }),
  call('cases show', 'readCase', 'cas_4fb6a88a01'),
  call(
    'cases close',
    'closeCase',
    'cas_4fb6a88a01 --verdict cleared --note "A known player of the old ladder."',
  ),
];

/** A rating, with what changed it last. */
async function ratingWithHistory(
  ask: Ask,
  { pool, playerId }: Given<'readRating'>,
  { history }: Readonly<Record<string, unknown>>,
): Promise<AnswerOf<'readRating'> & { readonly history: AnswerOf<'readRatingHistory'>['changes'] }> {
  const rating = await ask((operator) => operator.rating(pool, playerId));
  const limit = Number(history);
  if (limit === 0) return { ...rating, history: [] };
  const { changes } = await ask((operator) => operator.ratingHistory(pool, playerId, { limit }));
  return { ...rating, history: changes };
}

async function listCases(ask: Ask, query: Given<'listCases'>): Promise<AnswerOf<'listCases'>> {
  const list = await ask((operator) => operator.cases(query));
  // A pool that does not exist has no cases either: the call says so.
  const { pool } = query;
  if (list.cases.length === 0 && pool !== undefined) await ask((operator) => operator.pool(pool));
  return list;
}
