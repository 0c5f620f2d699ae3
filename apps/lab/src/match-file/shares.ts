import { BrokenRow, quote } from './broken-row.js';

/**
 * Parses the shares of the time played, one per player in the order of the teams.
 *
 * @returns shares from 0 (unknown) to 1 in the shape of `teams`, undefined if there are none
 * @throws BrokenRow for an invalid share or a wrong number of shares
 */
export function sharesOf(text: string, teams: readonly (readonly string[])[]): number[][] | undefined {
  if (text.trim() === '') return undefined;
  const shares = text.split(/[;|]/).map(shareOf);
  const players = teams.flat().length;
  if (shares.length !== players)
    throw new BrokenRow(`players and shares differ in number: ${players} and ${shares.length}`);
  let from = 0;
  return teams.map((team) => shares.slice(from, (from += team.length)));
}

function shareOf(text: string): number {
  const share = Number(text);
  if (text.trim() === '' || !(share >= 0 && share <= 1))
    throw new BrokenRow(`share ${quote(text)} is not a number from 0 to 1`);
  return share;
}

/** Replaces unknown shares by the mean of the known ones, or by 1 if none is known. */
export function fillShares(shares: readonly (readonly number[])[]): number[][] {
  const known = shares.flat().filter((share) => share > 0);
  const mean = known.length === 0 ? 1 : known.reduce((sum, share) => sum + share, 0) / known.length;
  return shares.map((team) => team.map((share) => (share > 0 ? share : mean)));
}
