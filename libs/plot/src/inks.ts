/** Colours distinguishable for most people with colour blindness, on white and on dark. */
const inks = [
  { light: '#1f5fbf', dark: '#6ea8ff' },
  { light: '#b8500a', dark: '#ff9d5c' },
  { light: '#0f7a5c', dark: '#4fd1a5' },
  { light: '#9a2f86', dark: '#f08bd9' },
  { light: '#7a6400', dark: '#e0c341' },
  { light: '#5d6875', dark: '#a9b4c2' },
] as const;

/** How a line is distinguished from others: classes for its group and for the stroke. */
export interface Ink {
  readonly group: string;
  readonly line: string;
}

/** The ink of the line of that number. When the colours repeat, the strokes are dashed. */
export function inkOf(index: number): Ink {
  const dashed = Math.floor(index / inks.length) % 2 === 1;
  return { group: `ink${index % inks.length}`, line: dashed ? 'line dashed' : 'line' };
}

/** The style rules for the elements in a group of an ink. */
export function inkRules(on: 'light' | 'dark', indent: string): string {
  return inks
    .map(
      ({ [on]: colour }, i) =>
        `${indent}.ink${i} .line { stroke: ${colour}; }\n${indent}.ink${i} .dot { fill: ${colour}; }`,
    )
    .join('\n');
}
