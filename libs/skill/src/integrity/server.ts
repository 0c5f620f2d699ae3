import { counted, likeliest, noEvidence, normalised, noTally, tempered, withMatch } from './evidence.js';
import type { Evidence, Onset, Tally } from './evidence.js';
import { outcomesOf, type WatchedMatch } from './results.js';

/** Ways in which the results of a server do not fit. */
export const serverFlaws = ['random', 'half-random', 'reversed', 'first-team', 'last-team'] as const;
export type ServerFlaw = (typeof serverFlaws)[number];

/** Log-odds that a server gives to the team that it favours. */
const favour = 1.25;
const onset: Onset = { patience: 50, switching: 0 };

/** Watches the results of one server against the pool's chances. */
export interface ServerWatch {
  readonly evidence: Evidence;
  /** Wins of the favourites, since nothing spoke for a flaw. */
  readonly favourites: Tally;
  /** Wins of the first team. */
  readonly first: Tally;
}

export const newServer: ServerWatch = {
  evidence: noEvidence(serverFlaws.length),
  favourites: noTally,
  first: noTally,
};

/** @returns the watch after a match of the server */
export function watchServer(
  { evidence: before, favourites, first }: ServerWatch,
  { chances, ranks }: Pick<WatchedMatch, 'chances' | 'ranks'>,
): ServerWatch {
  const honest = normalised(chances.map(tempered));
  const outcomes = outcomesOf(ranks);
  const ratios = serverFlaws.map((flaw) => {
    const cheat = chancesUnder(flaw, honest);
    return outcomes.reduce((sum, outcome, t) => sum + (outcome * (cheat[t] ?? 0)) / (honest[t] ?? 1), 0);
  });
  const evidence = withMatch(before, ratios, onset);
  if (evidence.log <= 0) return { evidence, favourites: noTally, first: noTally };
  const best = honest.indexOf(Math.max(...honest));
  return {
    evidence,
    favourites: counted(favourites, honest[best] ?? 0, outcomes[best] ?? 0),
    first: counted(first, honest[0] ?? 0, outcomes[0] ?? 0),
  };
}

/** The flaw that explains the results best. */
export function flawOf({ evidence }: ServerWatch): ServerFlaw {
  return serverFlaws[likeliest(evidence)] ?? 'random';
}

function chancesUnder(flaw: ServerFlaw, honest: readonly number[]): number[] {
  const even = 1 / honest.length;
  const favoured = (team: number): number[] =>
    normalised(honest.map((chance, t) => (t === team ? chance * Math.exp(favour) : chance)));
  switch (flaw) {
    case 'random':
      return honest.map(() => even);
    case 'half-random':
      return honest.map((chance) => (chance + even) / 2);
    case 'reversed':
      return normalised(honest.map((chance) => 1 - chance));
    case 'first-team':
      return favoured(0);
    case 'last-team':
      return favoured(honest.length - 1);
  }
}
