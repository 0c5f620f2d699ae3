import { plotsOf, type DescribedPlot } from './plots.js';
import { curveTable, hasCurves, legend, mainTrials, rowsOf, tableHeads, type Study } from './summary.js';

/** A study as a self-contained page. */
export function reportPage(study: Study): string {
  const { population, days, seed, model } = study;
  const title = `Simulation: ${population.name}`;
  const trials = mainTrials(study);
  const players = Math.round(trials[0]?.result.playing ?? 0).toLocaleString('en');
  const curves = curveTable(study);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)}</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
  img { width: 100%; height: auto; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
  th, td { text-align: right; padding: 0.2rem 0.7rem; border-bottom: 1px solid #8884; white-space: nowrap; }
  th:first-child, td:first-child { text-align: left; }
  .note { font-size: 0.9rem; opacity: 0.8; }
</style>
</head>
<body>
<h1>${text(title)}</h1>
<p>${players} players on the mean of ${days} ${days === 1 ? 'day' : 'days'}, seed ${seed}, rated by ${text(model)}. Everything here is simulated: the matching, the splitting and the rating are Muster’s own code, the players are made up.</p>
${plotsOf(study).map(figure).join('\n')}
${hasCurves(study) ? `<h2>All runs</h2>\n${table(curves.heads, curves.rows)}` : ''}
${trials.map(({ contender, result }) => `<h2>${text(contender)}</h2>\n${table(tableHeads, rowsOf(result))}`).join('\n')}
<p class="note">${text(legend)}</p>
<h2>The population</h2>
<pre>${text(JSON.stringify(population, null, 2))}</pre>
</body>
</html>
`;
}

/** An image of its own, so that styles and ids of several plots do not collide. */
function figure({ title, svg, words }: DescribedPlot): string {
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  const said = words.map((sentence) => `<p>${text(sentence)}</p>`).join('\n');
  return `<h2>${text(title)}</h2>\n<img alt="${text(title)}" src="${source}">\n${said}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: string): string =>
    `<tr>${row.map((cell) => `<${tag}>${text(cell)}</${tag}>`).join('')}</tr>`;
  return `<div class="wide"><table><thead>${cells(heads, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table></div>`;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

function text(given: string): string {
  return given.replace(/[&<>"]/g, (sign) => escapes.get(sign) ?? sign);
}
