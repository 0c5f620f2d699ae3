/** Styles that `inkFor` writes. */
const ownStyle = '\u001B\\[[012]m';
/** Control characters but line feed and tab, and those that turn the direction of text. */
const hiding = '(?![\\n\\t])[\\p{Cc}\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]';
const pattern = new RegExp(`(${ownStyle})|${hiding}`, 'gu');

/**
 * A text for a terminal. Some of what commands print was chosen by players and servers, such as the reason of a refusal: it must
 * not move the cursor, retitle the window or hide other lines.
 */
export function visible(text: string): string {
  return text.replaceAll(pattern, (_found, style: string | undefined) => style ?? '\uFFFD');
}
