import * as balance from '../http/assignment/balance.js';
import * as live from '../http/assignment/live-sessions.js';
import * as matches from '../http/assignment/matches.js';
import * as rounds from '../http/rating/rounds.js';
import * as servers from '../http/allocator/servers.js';
import * as teams from '../http/assignment/teams.js';
import { endpointsOf } from './endpoint.js';

/** Matches, teams and live balance: the endpoints of assignment. */
export const assignmentEndpoints = endpointsOf('assignment', {
  listMatches: {
    call: 'GET /v1/matches',
    summary:
      'List matches with teams, prediction, outcome and ratings before and after, in pages; optionally of a time range.',
    callers: ['operator'],
    role: 'viewer',
    query: matches.PageOfMatches,
    answer: matches.MatchPage,
  },
  myMatches: {
    call: 'GET /v1/me/matches',
    summary: 'List your matches, newest first, in pages, without ratings.',
    callers: ['player'],
    query: matches.PageOfMyMatches,
    answer: matches.MatchPage,
  },
  exportMatches: {
    call: 'GET /v1/matches/export',
    summary:
      'Export all matches, or those of a time range, oldest first, as JSON lines or CSV (one row per player).',
    callers: ['operator'],
    role: 'viewer',
    query: matches.ExportMatches,
    answerType: ['application/x-ndjson', 'text/csv'],
  },
  readMatch: {
    call: 'GET /v1/matches/:matchId',
    summary: 'Read one match with its explanation. Players see their own.',
    callers: ['operator', 'player'],
    role: 'viewer',
    params: matches.MatchParams,
    answer: matches.MatchView,
    problems: ['match-not-found'],
  },
  splitTeams: {
    call: 'POST /v1/teams/split',
    summary: 'Split players into even teams, with a certificate. Nothing is stored.',
    callers: ['server', 'fleet', 'operator'],
    role: 'viewer',
    stores: false,
    body: teams.SplitTeams,
    answer: teams.TeamSplit,
    problems: ['unsolvable', 'too-busy'],
  },
  splitPool: {
    call: 'POST /v1/teams/splits',
    summary:
      'Find the best two teams of every size from 2 up, with the others on the bench. Nothing is stored.',
    callers: ['server', 'fleet', 'operator'],
    role: 'viewer',
    stores: false,
    body: teams.SplitPool,
    answer: teams.PoolSplits,
    problems: ['unsolvable', 'too-busy'],
  },
  rebalanceTeams: {
    call: 'POST /v1/teams/rebalance',
    summary: 'Find the fewest swaps that make two teams even enough. Nothing is stored.',
    callers: ['server', 'fleet', 'operator'],
    role: 'viewer',
    stores: false,
    body: teams.RebalanceTeams,
    answer: teams.Rebalanced,
    problems: ['unsolvable', 'too-busy'],
  },
  tellRoster: {
    call: 'POST /v1/servers/:serverId/rosters',
    summary:
      'Report roster events of your sessions, for live balance; orders arrive as commands. An event counts once.',
    callers: ['server'],
    params: servers.ServerParams,
    body: live.TellRoster,
    answer: live.RosterReceipt,
    problems: ['rating-unavailable'],
  },
  checkBalance: {
    call: 'POST /v1/balance/check',
    summary: 'Check whether the teams of a running match are unbalanced, and who moves. Nothing is stored.',
    callers: ['server', 'fleet', 'operator'],
    role: 'viewer',
    stores: false,
    body: balance.CheckBalance,
    answer: balance.BalanceChecked,
    problems: ['pool-not-found', 'unsolvable', 'rating-unavailable'],
  },
  placePlayer: {
    call: 'POST /v1/balance/placement',
    summary: 'Place a joining player, or compute the teams after a player leaves. Nothing is stored.',
    callers: ['server', 'fleet', 'operator'],
    role: 'viewer',
    stores: false,
    body: balance.PlacePlayer,
    answer: balance.PlayerPlaced,
    problems: ['pool-not-found', 'unsolvable', 'rating-unavailable'],
  },
  planBots: {
    call: 'POST /v1/balance/bots',
    summary: 'Compute the number of bots, and the teams when a game starts. Nothing is stored.',
    callers: ['server', 'fleet', 'operator'],
    role: 'viewer',
    stores: false,
    body: balance.PlanBots,
    answer: balance.BotsPlanned,
    problems: ['pool-not-found', 'unsolvable', 'rating-unavailable'],
  },
  askHandicap: {
    call: 'POST /v1/balance/handicap',
    summary: 'Compute the advantage of a team, and what levers can do about it. Nothing is stored.',
    callers: ['server', 'fleet', 'operator'],
    role: 'viewer',
    stores: false,
    body: balance.AskHandicap,
    answer: balance.Handicap,
    problems: ['pool-not-found', 'unsolvable', 'rating-unavailable'],
  },
  askScramble: {
    call: 'POST /v1/balance/scramble',
    summary:
      'Check whether a round needs new teams, and compute the best ones of every size. Nothing is stored.',
    callers: ['server', 'fleet', 'operator'],
    role: 'viewer',
    stores: false,
    body: balance.AskScramble,
    answer: balance.ScrambleAnswer,
    problems: ['pool-not-found', 'unsolvable', 'rating-unavailable', 'too-busy'],
  },
  askSides: {
    call: 'POST /v1/balance/sides',
    summary:
      'Assign sides by wishes, as far as balance allows, with the last winners divided evenly. Nothing is stored.',
    callers: ['server', 'fleet', 'operator'],
    role: 'viewer',
    stores: false,
    body: balance.AskSides,
    answer: balance.SidesChosen,
    problems: ['pool-not-found', 'unsolvable', 'rating-unavailable'],
  },
  scrambleRound: {
    call: 'POST /v1/rounds/scramble',
    summary: 'Find the best two teams of every size for the players of a community server, by their ratings.',
    callers: ['fleet', 'server', 'operator'],
    role: 'viewer',
    stores: false,
    body: rounds.RoundScramble,
    answer: rounds.RoundSplits,
    problems: ['pool-not-found', 'unsolvable', 'rating-unavailable', 'too-busy'],
  },
});
