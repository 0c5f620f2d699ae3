import { expect, it } from 'vitest';
import { shellWord } from './shell-word.js';

it.each([
  ['alice', 'alice'],
  ['steam:42', 'steam:42'],
  ['a b', "'a b'"],
  ["o'neil; rm -rf $HOME", String.raw`'o'\''neil; rm -rf $HOME'`],
  ['', "''"],
])('%j is the word %s', (text, word) => {
  expect(shellWord(text)).toBe(word);
});
