import { inkRules } from './inks.js';
import { element, escapeXml, label } from './xml.js';

/** A picture without its frame. */
export interface Picture {
  readonly title: string;
  /** A description for people who cannot see it. */
  readonly description: string;
  readonly width: number;
  readonly height: number;
  /** Elements, from the back to the front. */
  readonly content: readonly string[];
}

/** Where the content begins, below the title. */
export const headHeight = 64;
export const margin = 56;

/** A whole SVG document: an opaque panel with a title, dark where the viewer prefers that. */
export function framed({ title, description, width, height, content }: Picture): string {
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" role="img" aria-labelledby="title what" font-family="system-ui, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="12">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<desc id="what">${escapeXml(description)}</desc>`,
    style,
    element('rect', { class: 'panel', x: 0.5, y: 0.5, width: w - 1, height: h - 1, rx: 12 }),
    label(title, { class: 'name', x: margin, y: 34, 'font-size': fitting(title, w - 2 * margin, 17) }),
    ...content,
    '</svg>',
    '',
  ].join('\n');
}

/** The largest font size, up to `most`, at which a text fits into the width. */
export function fitting(text: string, width: number, most: number): number {
  // The mean width of a letter in a sans-serif face is seldom more than this part of its size.
  return Math.max(5, Math.min(most, width / (0.58 * Math.max(1, text.length))));
}

const style = `<style>
  .panel { fill: #ffffff; stroke: #d3dae3; }
  .grid { stroke: #e3e8ee; }
  .guide { stroke: #8b96a5; stroke-dasharray: 5 4; fill: none; }
  .word { fill: #3d4753; }
  .name { fill: #12171f; font-weight: 600; }
  .line { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
  .dot { fill-opacity: 0.75; }
  .dashed { stroke-dasharray: 6 4; }
${inkRules('light', '  ')}
  @media (prefers-color-scheme: dark) {
    .panel { fill: #12171f; stroke: #39424f; }
    .grid { stroke: #2a323d; }
    .guide { stroke: #7d8999; }
    .word { fill: #b8c3d1; }
    .name { fill: #f0f4f9; }
${inkRules('dark', '    ')}
  }
</style>`;
