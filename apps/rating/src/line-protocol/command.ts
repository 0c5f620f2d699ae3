import { PlayerId } from '@muster/contracts';
import { botId, botIdPrefix } from '@muster/domain';

/** One parsed line of the protocol. */
export type Command =
  | { readonly kind: 'game'; readonly type: string }
  | { readonly kind: 'mutator'; readonly name: string }
  | { readonly kind: 'player'; readonly id: string }
  | { readonly kind: 'bot'; readonly name: string; readonly id: string }
  | { readonly kind: 'meanbot' }
  /** An empty line: keeps the connection alive. */
  | { readonly kind: 'blank' }
  /** An invalid line. `error` names the problem and the correct form, without an end of line. */
  | { readonly kind: 'flaw'; readonly error: string };

const forms = 'GAME type, MUTATOR name, PLAYER id, BOT name or MEANBOT';
/** The maximum length of game modes and modifiers of pools. */
const maxLabelLength = 64;
const idRule = 'a letter or digit, then letters, digits and _ . : @ -';
const maxIdLength = 64;

/** An excerpt of received text for error lines: short, quoted, without control characters. */
export function quoted(text: string): string {
  const short = [...text].slice(0, 40).join('');
  // Every other character could move a cursor or be invisible.
  const shown = short.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|\uFFFD/gu, '?');
  return `"${shown}${short.length < text.length ? '…' : ''}"`;
}

/**
 * Parses one line, without its end. Commands are case-insensitive; spaces around words are ignored. Every text gives a
 * command; none throws.
 */
export function readLine(line: string): Command {
  const text = line.trim();
  if (text === '') return { kind: 'blank' };
  const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/su.exec(text) ?? [];
  switch (word.toUpperCase()) {
    case 'GAME':
      return labelled('GAME', 'the game type, as in GAME ctf', rest) ?? { kind: 'game', type: rest };
    case 'MUTATOR':
      return labelled('MUTATOR', 'a name, as in MUTATOR instagib', rest) ?? { kind: 'mutator', name: rest };
    case 'PLAYER':
      return readPlayer(rest);
    case 'BOT':
      return readBot(rest);
    case 'MEANBOT':
      return rest === '' ? { kind: 'meanbot' } : flaw(`MEANBOT stands alone, without ${quoted(rest)}`);
    default:
      return flaw(`${quoted(word)} is no command; send ${forms}`);
  }
}

function readPlayer(id: string): Command {
  if (id === '') return flaw('PLAYER needs an id, as in PLAYER 5f1c27a0');
  return PlayerId.safeParse(id).success
    ? { kind: 'player', id }
    : flaw(`${quoted(id)} is no player id; one is ${idRule}, ${maxIdLength} at most`);
}

function readBot(name: string): Command {
  if (name === '') return flaw('BOT needs a name, as in BOT Loque');
  const id = botId(name);
  return PlayerId.safeParse(id).success
    ? { kind: 'bot', name, id }
    : flaw(
        `${quoted(name)} is no name of a bot; one has letters, digits, blanks and _ . : @ -, ` +
          `${maxIdLength - botIdPrefix.length} at most`,
      );
}

/** The error of a game or mutator name; null if it is valid. */
function labelled(word: string, wanted: string, name: string): Command | null {
  if (name === '') return flaw(`${word} needs ${wanted}`);
  if (name.length > maxLabelLength)
    return flaw(`${quoted(name)} is longer than ${maxLabelLength} characters, and no ${word} is`);
  // Invalid UTF-8 is read as U+FFFD.
  return /[\p{Cc}\p{Cs}\uFFFD]/u.test(name)
    ? flaw(`${quoted(name)} is no plain text; ${word} needs ${wanted}`)
    : null;
}

function flaw(error: string): Command {
  return { kind: 'flaw', error };
}
