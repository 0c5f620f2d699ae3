import { flawText, readRulesText, type RulesText } from '@muster/contracts';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { LineCounter, parseDocument } from 'yaml';
import { whyUnreadable } from '../match-file/source.js';

/** A file of rules, and what is wrong with it. */
export interface RulesFile {
  /** As it was named; `standard input` for `-`. */
  readonly name: string;
  readonly read: RulesText;
}

/** Reads a file of rules; `-` is standard input. @throws Error with a sentence for people when it cannot be read */
export async function readRulesFile(file: string): Promise<RulesFile> {
  const name = file === '-' ? 'standard input' : file;
  return { name, read: readRulesText(await textOf(file), { LineCounter, parseDocument }) };
}

/** Rules that make sense, each with where it stands. */
export type GoodRules = Extract<RulesText, { ok: true }>;

/** The same, of rules that make sense. @throws Error with a line for each thing that makes none */
export async function readGoodRules(file: string): Promise<GoodRules> {
  const { name, read } = await readRulesFile(file);
  if (read.ok) return read;
  throw new Error(
    `The rules make no sense yet:\n${read.flaws.map((flaw) => flawText(name, flaw)).join('\n')}`,
  );
}

async function textOf(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const why = whyUnreadable(error) ?? 'is not there; give the path of a file of rules, in YAML or JSON.';
    throw new Error(`${file} ${why}`, { cause: error });
  }
}
