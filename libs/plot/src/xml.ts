/** The value of an attribute: numbers are rounded to a tenth of a pixel, `undefined` omits the attribute. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

// Characters that no XML document may contain, not even escaped; including unpaired surrogates.
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const escapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** Text for an XML document: markup is escaped, and forbidden characters become U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(forbidden, '\uFFFD').replace(/[&<>"']/g, (sign) => escapes.get(sign) ?? sign);
}

/**
 * An element as text. Its children must be valid XML: text among them goes through `escapeXml`.
 *
 * @throws RangeError when a number is not finite, as such a drawing would show nothing
 */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${typeof value === 'number' ? tenths(value) : escapeXml(value)}"`],
  );
  const open = `<${name}${written.join('')}`;
  return children.length === 0 ? `${open} />` : `${open}>${children.join('')}</${name}>`;
}

/** A text element. */
export function label(text: string, attributes: Attributes): string {
  return element('text', attributes, escapeXml(text));
}

/** A small text beside something drawn. */
export function smallLabel(
  text: string,
  place: { readonly x: number; readonly y: number; readonly anchor: 'start' | 'middle' | 'end' },
  size = 10,
): string {
  const { x, y, anchor } = place;
  return label(text, { class: 'word', x, y, 'text-anchor': anchor, 'font-size': size });
}

function tenths(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`a place in a drawing is ${value}`);
  // Adding 0 converts −0 to 0.
  return String(Math.round(value * 10) / 10 + 0);
}
