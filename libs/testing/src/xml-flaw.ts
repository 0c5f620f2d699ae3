const name = '[A-Za-z_:][\\w:.-]*';
const token = new RegExp(
  `<(?<close>/)?(?<name>${name})(?<attributes>(?:\\s+${name}="[^"<]*")*)\\s*(?<empty>/)?>|(?<text>[^<]+)`,
  'y',
);
const reference = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\dA-Fa-f]+);)/;
// Characters that XML 1.0 excludes, escaped or not.
const impossible = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/**
 * Why a text is not one well-formed XML element; null when it is. Sufficient for generated XML: no comments, no CDATA, no
 * declarations.
 */
export function flawOfXml(xml: string): string | null {
  if (impossible.test(xml)) return 'it holds a character that XML has no room for';
  const open: string[] = [];
  let roots = 0;
  token.lastIndex = 0;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const found = token.exec(xml)?.groups;
    if (!found) return `there is no tag and no text at ${at}: ${xml.slice(at, at + 30)}`;
    const { close, name: tag = '', attributes = '', empty, text } = found;
    if (reference.test(text ?? attributes)) return `a lone & stands at ${at}`;
    if (text !== undefined) {
      if (open.length === 0 && text.trim() !== '') return `text stands outside of everything at ${at}`;
      continue;
    }
    if (close !== undefined) {
      const expected = open.pop();
      if (expected !== tag) return `</${tag}> at ${at} closes ${expected ?? 'nothing'}`;
      continue;
    }
    const keys = [...attributes.matchAll(/\s([^\s=]+)="[^"]*"/g)].map(([, key]) => key);
    if (new Set(keys).size < keys.length) return `<${tag}> at ${at} says an attribute twice`;
    if (open.length === 0) roots++;
    if (empty === undefined) open.push(tag);
  }
  if (open.length > 0) return `<${open.at(-1)}> is never closed`;
  return roots === 1 ? null : `it has ${roots} roots`;
}
