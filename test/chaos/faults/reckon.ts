import type { Finding } from '../verdict.js';

/** What a fault did, by kind. */
export interface Reckoning {
  /** Acknowledged work that is gone, and live matches that were ended. */
  readonly lost: readonly string[];
  /** Work that counted twice, or two of what there may be one of. */
  readonly twice: readonly string[];
  /** Work that does not end. */
  readonly stuck: readonly string[];
}

/** Kinds of broken promises; those that are not named here count as lost. */
const kinds: ReadonlyMap<string, keyof Reckoning> = new Map([
  ['no ticket was sent to two sessions', 'twice'],
  ['a cancelled ticket is in no match that had a server', 'twice'],
  ['a ticket is in one match at most', 'twice'],
  ['no player was in two live matches', 'twice'],
  ['no slot was used twice at once', 'twice'],
  ['no server had more sessions than slots', 'twice'],
  ['every rated match is in the ledger once for each of its players', 'twice'],
  ['ratings are the fold of the ledger', 'twice'],
  ['every ledger row begins with the rating of the previous one', 'twice'],
  ['every calibration counted each match of its player once, up to its last', 'twice'],
  ['every finished calibration set its rating once', 'twice'],
  ['every match ended', 'stuck'],
  ['no player is held by a finished match', 'stuck'],
  ['every outbox entry was relayed', 'stuck'],
  ['no job is left', 'stuck'],
]);

/** Sorts the evidence of broken promises by kind. */
export function reckon(findings: readonly Finding[]): Reckoning {
  const of = (kind: keyof Reckoning): string[] =>
    findings
      .filter(({ promise }) => (kinds.get(promise) ?? 'lost') === kind)
      .flatMap(({ promise, broken }) => broken.map((evidence) => `${promise}: ${evidence}`));
  return { lost: of('lost'), twice: of('twice'), stuck: of('stuck') };
}
