/** Words that may begin with `you` as the beginning of a sentence; a player's name stays as it is. */
export function sentence(words: string): string {
  return words.startsWith('you ') ? `You${words.slice(3)}` : words;
}
