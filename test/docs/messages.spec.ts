import { catalogue, type MessageCode } from '@muster/domain';
import { describe, expect, it } from 'vitest';

const intro = `# Messages

Every explanation that players, servers or operators get is data: a code, its parameters, and the English sentence.

<!-- example: message -->

\`\`\`json
{ "code": "ticket.back-in-queue", "params": {}, "text": "You are back at your old place in the queue." }
\`\`\`

A text field has a list of messages beside it, one per sentence: \`reasonMessages\` beside \`reason\`, \`whyMessages\` beside
\`why\`, \`detailMessages\` beside the \`detail\` of a problem. The field is the \`text\` of the messages, joined by spaces. If
\`why\` is a list, each item has one message. A game in another language translates by \`code\` and \`params\`, and shows \`text\`
for an unknown code. The list is absent if the text has no codes: an earlier release stored it, or there is nothing to
explain.

A parameter is a string, a number, a boolean, null, a list, a message, or a list of messages, which have their own
\`text\`. Codes and parameters do not change; new ones are added.

## Templates

The English templates below follow ICU MessageFormat: \`{x}\`, \`{x, plural, …}\`, \`{x, selectordinal, …}\` and
\`{x, select, …}\`, where \`null\` stands for null. \`{x, number, ::.0}\` has one decimal, \`::.00\` two. Two formats are not part of
ICU: \`{x, team}\` is the name that a server gave its team, or \`Team 2\` for the index 1 (\`{x, team, number}\`: \`2\`); \`{x, list, to}\` puts the word between the items
of a list. Other items are separated by commas.

A message without a full stop is part of another message.

## Codes

The line below each template shows example parameters.
`;

const messageCodes = Object.keys(catalogue) as MessageCode[];
const families = [...new Set(messageCodes.map((code) => code.split('.')[0] ?? ''))];

const quoted = (text: string): string => (text.includes('`') ? `\`\`${text}\`\`` : `\`${text}\``);

function page(): string {
  const lines = families.toSorted().flatMap((family) => [
    '',
    `### ${family}`,
    '',
    ...messageCodes
      .filter((code) => code.split('.')[0] === family)
      .toSorted()
      .flatMap((code) => {
        const { text, example } = catalogue[code];
        const shown = Object.keys(example).length === 0 ? [] : [`  \`${JSON.stringify(example)}\``];
        return [`- \`${code}\`: ${quoted(text)}${shown.length === 0 ? '' : '\\'}`, ...shown];
      }),
  ]);
  return `${intro}${lines.join('\n')}\n`;
}

describe('docs/messages.md', () => {
  it('has exactly the messages of the catalogue (vitest -u regenerates it)', async () => {
    await expect(page()).toMatchFileSnapshot('../../docs/messages.md');
  });
});
