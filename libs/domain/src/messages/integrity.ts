/** What speaks for a signal of integrity, and what against it. */
export interface IntegrityMessages {
  'integrity.explains': { times: number };
  'integrity.by-chance': { times: number };
  'integrity.newcomer-won': { matches: number; won: number; expected: number };
  /** `level`: start uncertainties above a newcomer's mean. */
  'integrity.newcomer-level': { level: number; times: number };
  'integrity.newcomer-skilled': Record<never, never>;
  'integrity.thrown-lost': { matches: number; lost: number; expected: number; longest: number };
  'integrity.thrown-streaks': { won: number };
  'integrity.pair-met': { meetings: number; matches: number };
  /** `won`, `expected`: of the player; `turns`: matches won by the loser of the one before. */
  'integrity.pair-won': { playerId: string; meetings: number; won: number; expected: number; turns: number };
  /** `others`: the most meetings with another opponent. */
  'integrity.pair-hours': { others: number };
  'integrity.server-favourites': { matches: number; won: number; expected: number };
  'integrity.server-first-team': { matches: number; won: number; expected: number };
  'integrity.server-flaw': {
    flaw: 'random' | 'half-random' | 'reversed' | 'first-team' | 'last-team';
    times: number;
  };
  'integrity.server-circumstances': Record<never, never>;
  'integrity.alternate-accounts': { newcomer: string; older: string };
  /** `holders`: players with the same code, of `players` who have any; `least`: `players` are that many or more. */
  'integrity.habit-equal': { kind: string; holders: number; players: number; least: 'yes' | 'no' };
  /** `times`: of the equal habits and the different ones together. */
  'integrity.habits-explain': { times: number };
  'integrity.habits-by-chance': { times: number; accounts: number };
  'integrity.habit-common': { kind: string };
  'integrity.habit-differs': { kind: string };
  'integrity.habits-shared': Record<never, never>;
  'integrity.alternate-level': Record<never, never>;
  'rating.signal': {
    kind: 'newcomer' | 'thrown' | 'collusion' | 'server' | 'alternate';
    caseId: string;
  };
}
