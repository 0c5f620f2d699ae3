// Ids in documents of the API: what they are of is told by the names of their fields.

/** What has a page of its own. */
export type Named = 'player' | 'match' | 'ticket' | 'server' | 'queue' | 'pool' | 'case' | 'webhook';

export interface NamedId {
  readonly of: Named;
  readonly id: string;
}

const namesOf: ReadonlyMap<string, Named> = new Map(
  Object.entries({
    playerId: 'player',
    player: 'player',
    playerIds: 'player',
    players: 'player',
    noShows: 'player',
    leavers: 'player',
    teams: 'player',
    matchId: 'match',
    ticketId: 'ticket',
    ticketIds: 'ticket',
    serverId: 'server',
    server: 'server',
    queue: 'queue',
    pool: 'pool',
    caseId: 'case',
    webhookId: 'webhook',
  } satisfies Record<string, Named>),
);

const prefixes = [
  ['mat_', 'match'],
  ['tkt_', 'ticket'],
  ['cas_', 'case'],
  ['whk_', 'webhook'],
] as const;

/** What an id is of, by its own form or by the name of its field; null: it has no page. */
export function namedBy(id: string, field: string): Named | null {
  return prefixes.find(([prefix]) => id.startsWith(prefix))?.[1] ?? namesOf.get(field) ?? null;
}

/** The ids in a document, each once, in its order. @param most no more than so many */
export function idsIn(document: unknown, most = 12): readonly NamedId[] {
  const found = new Map<string, NamedId>();
  const visit = (value: unknown, field: string): void => {
    if (found.size >= most) return;
    if (typeof value === 'string') {
      const of = namedBy(value, field);
      if (of && value !== '') found.set(`${of} ${value}`, { of, id: value });
    } else if (Array.isArray(value)) for (const each of value) visit(each, field);
    else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) visit(each, name);
  };
  visit(document, '');
  return [...found.values()];
}
