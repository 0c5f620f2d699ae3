import { rulesDocumentSchema } from '@muster/contracts';

/** Prints the JSON Schema of a rules document. @param json on one line */
export function printSchema(json: boolean): void {
  process.stdout.write(`${JSON.stringify(rulesDocumentSchema(), null, json ? 0 : 2)}\n`);
}
