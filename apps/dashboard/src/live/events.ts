import type { EndpointName } from '@muster/contracts';
import type { FollowedEvent } from '@muster/sdk';

/** What pages read of a player by several calls. */
type ReadOfPlayer = 'readPlayer' | 'matchesOfPlayer' | 'historyOfPlayer';
const readsOfPlayer: readonly ReadOfPlayer[] = ['readPlayer', 'matchesOfPlayer', 'historyOfPlayer'];

/** A call whose answer an event changes: every one of its name, or those with this id in the path. */
export interface Concerned {
  readonly call: EndpointName | ReadOfPlayer;
  readonly id?: unknown;
}

/** Groups of events that pages are kept fresh by. Events of tickets are many; pages with tickets ask now and then instead. */
export const followed = [
  'match.*',
  'session.*',
  'server.*',
  'result.*',
  'penalty.*',
  'rules.*',
  'season.*',
  'case.*',
] as const;

/** The calls whose answers an event changes. */
export function concernedBy({ type, data }: Pick<FollowedEvent, 'type' | 'data'>): readonly Concerned[] {
  const [group] = type.split('.');
  const match: Concerned = { call: 'readMatch', id: data['matchId'] };
  switch (group) {
    case 'match':
      return [match, { call: 'listMatches' }, ...playersOf(data)];
    case 'session':
      // Servers are asked for now and then: as many sessions begin and end as matches do.
      return [match, { call: 'listMatches' }];
    case 'server':
      return [{ call: 'listServers' }, { call: 'readCapacity' }];
    case 'result':
      // Each match has a result; few have two.
      return type === 'result.received' ? [match] : [match, { call: 'listConflicts' }];
    case 'penalty':
      return [
        { call: 'readPenalties', id: data['playerId'] },
        { call: 'readPlayer', id: data['playerId'] },
      ];
    case 'rules':
      return [{ call: 'listQueues' }, { call: 'listRules', id: data['queue'] }];
    case 'season':
      return [{ call: 'listSeasons' }, { call: 'readPool', id: data['pool'] }];
    case 'case':
      return [{ call: 'listCases' }, { call: 'readCase', id: data['caseId'] }];
    default:
      return [];
  }
}

/** What is read of the players of a match. */
function playersOf({ teams }: FollowedEvent['data']): readonly Concerned[] {
  if (!Array.isArray(teams)) return [];
  return teams.flat().flatMap((id: unknown) => readsOfPlayer.map((call) => ({ call, id })));
}

/** Whether an answer in the cache, by its key, is concerned. */
export function isConcerned(key: readonly unknown[], { call, id }: Concerned): boolean {
  const [name, request] = key;
  if (name !== call) return false;
  if (id === undefined) return true;
  const { params = {} } = request as { params?: Readonly<Record<string, unknown>> };
  return Object.values(params).includes(id);
}
