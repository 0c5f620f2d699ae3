import { closeSync, createReadStream, createWriteStream, openSync, rmSync, writeSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { TestMatch } from './history.js';
import type { TrialPrediction } from './trial.js';

const header = 'model,match_id,line,ranks,raw,calibrated\n';
const bufferedChars = 1 << 16;

/** Whether a file of this name is written as lines of JSON; as CSV otherwise. */
function isJson(file: string): boolean {
  return /\.(json|jsonl|ndjson)$/i.test(file);
}

/** Writes the predictions of each model to a file beside the final one: models are tried in several threads. */
export class PredictionParts {
  private readonly parts = new Map<string, { readonly file: number; text: string }>();

  constructor(
    private readonly target: string,
    models: readonly string[],
  ) {
    for (const model of models)
      this.parts.set(model, { file: openSync(partOf(target, model), 'w'), text: '' });
  }

  add(model: string, match: TestMatch, prediction: TrialPrediction): void {
    const part = this.parts.get(model);
    if (!part) return;
    part.text += isJson(this.target) ? jsonRow(model, match, prediction) : csvRow(model, match, prediction);
    if (part.text.length < bufferedChars) return;
    writeSync(part.file, part.text);
    part.text = '';
  }

  close(): void {
    for (const { file, text } of this.parts.values()) {
      writeSync(file, text);
      closeSync(file);
    }
  }
}

/** Joins the parts of some models, in their order, and removes the parts. */
export async function joinPredictions(target: string, models: readonly string[]): Promise<void> {
  const out = createWriteStream(target);
  if (!isJson(target)) out.write(header);
  for (const model of models) await pipeline(createReadStream(partOf(target, model)), out, { end: false });
  await new Promise((done) => out.end(done));
  removeParts(target, models);
}

/** Removes the parts of some models, also of an evaluation that failed. */
export function removeParts(target: string, models: readonly string[]): void {
  for (const model of models) rmSync(partOf(target, model), { force: true });
}

function partOf(target: string, model: string): string {
  return `${target}.${model}.part`;
}

function jsonRow(model: string, { matchId, line, ranks }: TestMatch, prediction: TrialPrediction): string {
  const { raw, chances } = prediction;
  return `${JSON.stringify({ model, matchId, line, ranks, raw, calibrated: chances })}\n`;
}

function csvRow(model: string, { matchId, line, ranks }: TestMatch, prediction: TrialPrediction): string {
  const id = /[",\r\n]/.test(matchId) ? `"${matchId.replaceAll('"', '""')}"` : matchId;
  const cells = [ranks, prediction.raw.map(rounded), prediction.chances.map(rounded)];
  return `${model},${id},${line},${cells.map((cell) => cell.join(';')).join(',')}\n`;
}

/** Six decimals are more than any model knows. */
function rounded(chance: number): string {
  return chance.toFixed(6);
}
