/** A player in a line of the list. */
export interface ListedPlayer {
  readonly weight: number;
  readonly name: string;
}

/**
 * Parses a list of players: a weight and a name per line. Blank lines and lines that begin with # are skipped.
 *
 * @param where the list's name, for errors
 * @throws Error with the line and the expected form
 */
export function readPlayers(text: string, where: string): ListedPlayer[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, i) => ({ line: line.trim(), number: i + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(({ line, number }) => {
      const player = playerOf(line);
      if (typeof player === 'string') throw new Error(`${where}, line ${number}: ${player}`);
      return player;
    });
}

/** The maximum of the teams API. */
const largest = 1e12;
const example = 'write the weight, then the name, such as "12.5 Boring John".';

/** @returns the player, or the error of the line */
function playerOf(line: string): ListedPlayer | string {
  const [, number, name = ''] =
    /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(?:\s+(.*))?$/is.exec(line) ?? [];
  if (number === undefined) return `${quoted(line)} does not begin with a number; ${example}`;
  if (!(Math.abs(Number(number)) <= largest))
    return `${quoted(number)} is beyond ${largest}, the maximum weight; ${example}`;
  if (name === '') return `${quoted(line)} has no name; ${example}`;
  return { weight: Number(number), name };
}

/** Shortened, on one line. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
