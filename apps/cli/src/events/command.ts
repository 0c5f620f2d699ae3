import { EventFilter } from '@muster/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import { operatorCommands, type Define } from '@muster/command-line/operator/define';
import { givenId, operatorOptions, type OperatorOptions } from '@muster/command-line/operator/options';
import { numberWithin, wholeNumber } from '@muster/command-line/options/values';
import type { FollowGiven } from './follow.js';

const positions = 999_999_999_999_999;
const webhookId = givenId('a webhook, such as whk_7Yc0p2nQ', '"muster webhooks" lists them');

const eventsHelp = `
Prints events as they happen, one a line. The first column is the position: --after continues there, and --after 0 begins with
the oldest event that is kept. Without --follow it ends when there are no more.

Examples: npm run -s muster -- events --follow
          npm run -s muster -- events --follow --types match.*,rating.changed --json
          npm run -s muster -- events --after 0 --types server.lost`;

/** Defines the command `muster events`. @param defaultDataDir the data directory of a local system */
export function eventsCommand(command: Command, defaultDataDir: string): void {
  operatorOptions(command, defaultDataDir, 'one JSON object per line and event')
    .description('Print events: matches, results, ratings, penalties, servers and more.')
    .option('--follow', 'go on until Ctrl-C', false)
    .option('--types <types>', 'types or groups, with commas, such as match.*,server.lost', filters)
    .option(
      '--after <position>',
      'continue after this position; 0: from the oldest',
      wholeNumber(0, positions),
    )
    .addHelpText('after', eventsHelp)
    .action(async (options: OperatorOptions & FollowGiven) => {
      const { printEvents } = await import('./follow.js');
      await printEvents(options, process.env);
    });
}

const webhooksHelp = `
A webhook is an address that events are sent to, signed in the form of Standard Webhooks. Each event is tried for a day; then it is
a dead letter, which "retry" sends again. docs/events.md has a receiver.

Examples: npm run -s muster -- webhooks
          npm run -s muster -- webhooks create https://game.example/hooks --types match.*,rating.changed
          npm run -s muster -- webhooks test whk_7Yc0p2nQ
          npm run -s muster -- webhooks deliveries whk_7Yc0p2nQ --state dead
          npm run -s muster -- webhooks retry whk_7Yc0p2nQ
          npm run -s muster -- webhooks rotate whk_7Yc0p2nQ --overlap-hours 48`;

const load = () => import('./webhooks.js');

/** Defines the command `muster webhooks`. @param defaultDataDir the data directory of a local system */
export function webhooksCommand(webhooks: Command, defaultDataDir: string): void {
  const define = operatorCommands(defaultDataDir);
  const about = (name: string, description: string): Command =>
    webhooks.command(name).description(description).argument('<webhook>', 'the id of the webhook', webhookId);
  webhooks
    .description('Send events to other systems, and see what they got.')
    .addHelpText('after', webhooksHelp);
  define(
    webhooks.command('list', { isDefault: true }).description('List webhooks, with what waits for each.'),
    async () => (await load()).listWebhooks,
  );
  define(
    described(
      webhooks
        .command('create')
        .description('Send events to an address from now on. Prints the secret, once.')
        .argument('<url>', 'the http or https address'),
    ),
    async () => (await load()).createWebhook,
  );
  define(
    described(
      about(
        'change',
        'Change the address, the types and the note; what is not given is as for a new one.',
      ).argument('<url>', 'the http or https address'),
    ),
    async () => (await load()).changeWebhook,
  );
  define(about('test', 'Send a signed test message now.'), async () => (await load()).testWebhook);
  define(about('pause', 'Send nothing for now; events are kept.'), async () => (await load()).pauseWebhook);
  define(about('resume', 'Send again, first what was kept.'), async () => (await load()).resumeWebhook);
  define(
    about('delete', 'Delete a webhook with what waits for it.'),
    async () => (await load()).deleteWebhook,
  );
  deliveryCommands(define, about);
}

/** Defines the commands about deliveries and the secret. */
function deliveryCommands(define: Define, about: (name: string, description: string) => Command): void {
  define(
    about('rotate', 'Make a new secret. Prints it, once.').option(
      '--overlap-hours <n>',
      'how long the secret before signs as well',
      numberWithin(0, 168),
      24,
    ),
    async () => (await load()).rotateSecret,
  );
  define(
    about('deliveries', 'List deliveries, newest first.')
      .option('--state <state>', 'open, delivered or dead', deliveryState)
      .option('--limit <n>', 'maximum number', wholeNumber(1, 500), 50),
    async () => (await load()).listDeliveries,
  );
  define(
    about('retry', 'Send dead letters again, for another day: all, or some.').argument(
      '[positions...]',
      'positions, as "muster webhooks deliveries" shows them',
    ),
    async () => (await load()).retryDeliveries,
  );
}

const described = (command: Command): Command =>
  command
    .option(
      '--types <types>',
      'types or groups, with commas, such as match.*,server.lost (default: all)',
      filters,
    )
    .option('--note <text>', 'a note for operators', '');

function filters(text: string): string[] {
  const types = text.split(',');
  for (const type of types)
    if (!EventFilter.safeParse(type).success)
      throw new InvalidArgumentError(
        `"${type}" is no type of events. docs/events.md lists them; "match.*" is a group.`,
      );
  return types;
}

function deliveryState(text: string): string {
  if (!['open', 'delivered', 'dead'].includes(text))
    throw new InvalidArgumentError('Give open, delivered or dead.');
  return text;
}
