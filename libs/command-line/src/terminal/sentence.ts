/** Text that was entered, as a sentence: with a full stop, unless it ends with a mark of its own. */
export function asSentence(text: string): string {
  const given = text.trim();
  return /[.!?…]$/.test(given) ? given : `${given}.`;
}
