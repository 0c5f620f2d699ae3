/** Capitalises a text that begins with `you`; a player's name stays as it is. */
export function sentence(words: string): string {
  return words.startsWith('you ') ? `You${words.slice(3)}` : words;
}
