import type { Step } from '../ui/story.js';
import { durationWords } from '../ui/values/words.js';
import { decisionWords } from '../conflicts/conflict.js';
import { longestWaitOf, startersOf, type Conflict, type Match, type Penalty, type Report } from './match.js';
import { balanceWords, penaltyWords, reportWords, resultWords, teamWords } from './match-words.js';

/** What is told beside the match itself. */
export interface Around {
  readonly penalties: readonly Penalty[];
  readonly reports: readonly Report[];
  readonly conflicts: readonly Conflict[];
  /** To find a server. */
  readonly attempts: readonly Step[];
}

/** Everything that happened to a match, from the first player who queued to the last decision, in the order of time. */
export function storyOf(match: Match, { penalties, reports, conflicts, attempts }: Around): readonly Step[] {
  return [
    ...waitingSteps(match),
    ...formingSteps(match),
    ...attempts,
    ...playingSteps(match),
    ...endingSteps(match),
    ...penalties.flatMap(penaltySteps),
    ...reports.map(reportStep),
    ...conflicts.flatMap(conflictSteps),
  ].toSorted((a, b) => a.at - b.at);
}

function waitingSteps(match: Match): Step[] {
  const { proposedAt } = match;
  const waitedMs = longestWaitOf(match);
  if (proposedAt === null || waitedMs === null) return [];
  const players = startersOf(match).filter((player) => player.waitedMs === waitedMs);
  return [
    {
      at: proposedAt - waitedMs,
      title: 'The first of them queued',
      players: players.map(({ playerId }) => playerId),
    },
  ];
}

function formingSteps(match: Match): Step[] {
  const { proposedAt, formedAt, origin, split, placements } = match;
  if (origin === 'reported') return [];
  const starters = startersOf(match);
  const tickets = new Set(starters.map(({ ticketId }) => ticketId)).size;
  return [
    ...(proposedAt === null
      ? []
      : [
          {
            at: proposedAt,
            title: 'The match was proposed',
            text: `${starters.length} players of ${tickets} tickets fit together${waitText(match)}.`,
          },
        ]),
    ...(formedAt === null
      ? []
      : [
          {
            at: formedAt,
            title: 'The teams were made',
            text: split
              ? `${split.certificate.status === 'proven' ? 'Proven most even' : 'The most even that were found'}, by ${split.method}.`
              : null,
            tone: 'good' as const,
          },
        ]),
    ...placedSteps(match, placements),
  ];
}

function waitText(match: Match): string {
  const waitedMs = longestWaitOf(match);
  return waitedMs === null ? '' : `; the longest wait was ${durationWords(waitedMs)}`;
}

function placedSteps({ placedAt, serverWhy, region }: Match, placements: number): Step[] {
  if (placedAt === null) return [];
  const tries = placements > 1 ? `${placements} servers were asked, the last one took it. ` : '';
  return [
    {
      at: placedAt,
      title: region === null ? 'A server was ready' : `A server in ${region} was ready`,
      text: `${tries}${serverWhy ?? ''}`,
      tone: placements > 1 ? 'note' : 'good',
    },
  ];
}

function playingSteps({ players, balance }: Match): Step[] {
  return [
    ...players.flatMap(({ playerId, team, joinedAt, leftAt }): Step[] => [
      ...(joinedAt === null
        ? []
        : [
            {
              at: joinedAt,
              title: `A player joined ${teamWords(team)}`,
              text: 'By a backfill.',
              players: [playerId],
            },
          ]),
      ...(leftAt === null
        ? []
        : [
            {
              at: leftAt,
              title: `A player left ${teamWords(team)} for good`,
              text: 'The server asked for a replacement.',
              players: [playerId],
              tone: 'bad' as const,
            },
          ]),
    ]),
    ...balance.map(({ at, kind, why, moves }): Step => ({
      at,
      title: `Live balance: ${moves.length === 1 ? 'one player changes' : `${moves.length} players change`} team`,
      text: why || balanceWords[kind],
      players: moves.map(({ playerId }) => playerId),
    })),
  ];
}

function endingSteps(match: Match): Step[] {
  const { origin, state, endedAt, closedAt, closeReason } = match;
  const result = resultWords(match);
  const played: Step[] =
    endedAt === null
      ? []
      : [
          {
            at: endedAt,
            title: origin === 'reported' ? 'It was played' : 'The server reported the result',
            text: result,
            tone: 'good',
          },
        ];
  if (closedAt === null) return played;
  const closed: Partial<Record<Match['state'], Omit<Step, 'at'>>> = {
    rated: { title: 'The ratings changed', tone: 'good' },
    abandoned: { title: 'It was abandoned', text: closeReason, tone: 'bad' },
    void: { title: 'It became void', text: closeReason, tone: 'bad' },
  };
  const close = closed[state];
  return close ? [...played, { at: closedAt, ...close }] : played;
}

function penaltySteps({ playerId, at, kind, forgivenAt, liftedAt, liftedReason }: Penalty): Step[] {
  const players = [playerId];
  return [
    {
      at,
      title: 'A player was penalised',
      text: `They ${penaltyWords[kind]}.`,
      players,
      tone: 'bad',
    },
    ...(forgivenAt === null ? [] : [{ at: forgivenAt, title: 'An operator forgave the penalty', players }]),
    ...(liftedAt === null || liftedAt === undefined
      ? []
      : [{ at: liftedAt, title: 'The penalty was lifted', text: liftedReason, players }]),
  ];
}

const reportStep = ({ playerId, reporter, kind, note, at }: Report): Step => ({
  at,
  title: `A player reported another: ${reportWords[kind]}`,
  text: `${reporter} about ${playerId}${note === null ? '.' : `: “${note}”`}`,
  players: [playerId],
});

function conflictSteps({ receivedAt, reportedBy, reason, decision }: Conflict): Step[] {
  return [
    {
      at: receivedAt,
      title: 'Another report contradicts the result',
      text: `From ${reportedBy}. It does not count: ${reason}.`,
      tone: 'bad',
    },
    ...(decision
      ? [
          {
            at: decision.at,
            title: 'An operator decided about it',
            text: `${decisionWords[decision.as]}. ${decision.by}: ${decision.reason}`,
          },
        ]
      : []),
  ];
}
