import { PlayerId } from '@muster/contracts';
import { botId, botIdPrefix } from '@muster/domain';

/** What one line of the protocol says. */
export type Command =
  | { readonly kind: 'game'; readonly type: string }
  | { readonly kind: 'mutator'; readonly name: string }
  | { readonly kind: 'player'; readonly id: string }
  | { readonly kind: 'bot'; readonly name: string; readonly id: string }
  | { readonly kind: 'meanbot' }
  /** An empty line: a sign of life and nothing else. */
  | { readonly kind: 'blank' }
  /** A line that means nothing. `says` is what is wrong and what would be right, without an end of line. */
  | { readonly kind: 'flaw'; readonly says: string };

const forms = 'GAME type, MUTATOR name, PLAYER id, BOT name or MEANBOT';
/** Game modes and modifiers of pools are no longer than this. */
const longestLabel = 64;
const idRule = 'a letter or digit, then letters, digits and _ . : @ -';
const longestId = 64;

/** A piece of what somebody sent, fit to be shown: short, without control characters, in quotes. */
export function quoted(text: string): string {
  const short = [...text].slice(0, 40).join('');
  // Whatever is no letter, mark, number, punctuation, symbol or plain blank could move a cursor or hide.
  const shown = short.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|\uFFFD/gu, '?');
  return `"${shown}${short.length < text.length ? '…' : ''}"`;
}

/**
 * Reads one line, without its end. Commands are known in small and capital letters; blanks around words do not count.
 * Every text gives a command; none throws.
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
      return flaw(`${quoted(word)} is no command; say ${forms}`);
  }
}

function readPlayer(id: string): Command {
  if (id === '') return flaw('PLAYER needs an id, as in PLAYER 5f1c27a0');
  return PlayerId.safeParse(id).success
    ? { kind: 'player', id }
    : flaw(`${quoted(id)} is no player id; one is ${idRule}, ${longestId} at most`);
}

function readBot(name: string): Command {
  if (name === '') return flaw('BOT needs a name, as in BOT Loque');
  const id = botId(name);
  return PlayerId.safeParse(id).success
    ? { kind: 'bot', name, id }
    : flaw(
        `${quoted(name)} is no name of a bot; one has letters, digits, blanks and _ . : @ -, ` +
          `${longestId - botIdPrefix.length} at most`,
      );
}

/** What is wrong with a name of game or mutator; null when nothing is. */
function labelled(word: string, wanted: string, name: string): Command | null {
  if (name === '') return flaw(`${word} needs ${wanted}`);
  if (name.length > longestLabel)
    return flaw(`${quoted(name)} is longer than ${longestLabel} characters, and no ${word} is`);
  // Bytes that are no UTF-8 were read as U+FFFD.
  return /[\p{Cc}\p{Cs}\uFFFD]/u.test(name)
    ? flaw(`${quoted(name)} is no plain text; ${word} needs ${wanted}`)
    : null;
}

function flaw(says: string): Command {
  return { kind: 'flaw', says };
}
