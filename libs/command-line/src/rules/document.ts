import { flawText, readRulesText, type RulesText } from '@muster/contracts';
import { text } from 'node:stream/consumers';
import { LineCounter, parseDocument } from 'yaml';
import { readText } from '../terminal/unreadable.js';

/** A file of rules with its errors. */
export interface RulesFile {
  /** As given; `standard input` for `-`. */
  readonly name: string;
  readonly read: RulesText;
}

/** Reads a file of rules; `-` is standard input. @throws Error with a user-facing message if it cannot be read */
export async function readRulesFile(file: string): Promise<RulesFile> {
  const name = file === '-' ? 'standard input' : file;
  return { name, read: readRulesText(await textOf(file), { LineCounter, parseDocument }) };
}

/** Valid rules with their positions. */
export type ValidRules = Extract<RulesText, { ok: true }>;

/** Reads a valid file of rules. @throws Error with one line per error */
export async function readValidRules(file: string): Promise<ValidRules> {
  const { name, read } = await readRulesFile(file);
  if (read.ok) return read;
  throw new Error(`The rules are invalid:\n${read.flaws.map((flaw) => flawText(name, flaw)).join('\n')}`);
}

function textOf(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  return readText(file, 'is not there; give the path of a file of rules, in YAML or JSON.');
}
