/** A position of an address: from 1; the top where there is none, or none that counts. */
export function positionOf(text: string | undefined): number {
  const position = Number(text);
  return Number.isInteger(position) && position >= 1 && position <= 1_000_000_000 ? position : 1;
}
