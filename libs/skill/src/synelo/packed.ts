const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const valueOf = new Map(Array.from(digits, (digit, value) => [digit, value]));

/** Writes a whole number, 0 to 64^width − 1, in base 64 with that many digits, the most significant first. */
export function pack(value: number, width: number): string {
  let text = '';
  let left = value;
  for (let i = 0; i < width; i++) {
    text = digits.charAt(left % 64) + text;
    left = Math.floor(left / 64);
  }
  return text;
}

/** Parses the output of `pack` at a position. @throws TypeError on anything else */
export function unpack(text: string, at: number, width: number): number {
  let value = 0;
  for (let i = at; i < at + width; i++) {
    const digit = valueOf.get(text.charAt(i));
    if (digit === undefined) throw new TypeError(`not a base-64 digit at ${i}: "${text.charAt(i)}"`);
    value = value * 64 + digit;
  }
  return value;
}
