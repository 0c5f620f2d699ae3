import { Option } from 'commander';
import { call, composed, type Row } from '../calls/call.js';
import { checkedText, checkToken, tokenOf } from '../logins/check.js';

const webhook = 'whk_7Yc0p2nQ';
const fleetKey = 'flk_7Yc0p2nQ';

/** Keys of operators, what they changed, and the receivers of events. */
export const systemRows: readonly Row[] = [
  composed('dashboard', 'createSignInCode', '', (ask) => ask((operator) => operator.dashboardLink()), {
    about: 'Print a link to the dashboard that signs you in once, within ten minutes.',
    says: ({ link }) => link,
  }),
  call('keys create', 'createKey', 'ann --role support --expires-in-days 90', {
    about: 'Create a key for an operator or a tool. It is shown once.',
    help: `Roles: viewer reads, support helps players, operator runs the system, admin gives keys. To rotate a key, create a second one of the
name, give it to its holder, and revoke the first when "list" shows that it is not used any more.`,
    arguments: ['name'],
  }),
  call('keys list', 'listKeys', '', {
    table: {
      keys: [
        'keyId',
        'name',
        'role',
        'createdAt',
        'createdBy',
        'ofSignIn',
        'lastUsedAt',
        'expiresAt',
        'revokedAt',
      ],
    },
  }),
  call('keys revoke', 'revokeKey', 'key_x7Yc0p2n --reason "Ann has a new laptop."'),
  call('keys me', 'whoAmI', ''),
  composed('logins check', 'checkToken', 'eyJhbGciOi… --file logins.yaml', checkToken, {
    about: 'Check a player’s token: which rule of its login refuses it, or which player it is.',
    help: `Every rule is shown, also those after the first that refuses the token. By default the running Muster checks it with its own
PLAYER_LOGINS. With --file this command checks it itself, with a document that is not in use yet: it fetches the keys as a service does.
Give - as the token to read it from standard input. The exit code is 1 if the token is refused.`,
    arguments: ['token'],
    means: { token: 'the token, or - to read it' },
    parse: { token: tokenOf },
    extra: [
      new Option(
        '--file <file>',
        'a document of logins (YAML or JSON) to check against, instead of a running Muster',
      ),
    ],
    says: (check, { ink }) => checkedText(check, ink),
    exitCode: ({ accepted }) => (accepted ? 0 : 1),
  }),
  call('fleet-keys create', 'createFleetKey', 'community-7 --max-servers 20 --max-slots 200 --regions eu', {
    help: `Servers register with it in place of SERVER_KEY. It is shown once. To rotate it, create a second key of the fleet, change the servers,
and revoke the first when "list" shows no servers of it any more.`,
    arguments: ['fleet'],
  }),
  call('fleet-keys list', 'listFleetKeys', '', {
    table: {
      keys: [
        'keyId',
        'fleet',
        'servers',
        'maxServers',
        'slots',
        'maxSlots',
        'regions',
        'builds',
        'mustSign',
        'createdAt',
        'createdBy',
        'expiresAt',
        'revokedAt',
      ],
    },
  }),
  call('fleet-keys change', 'changeFleetKey', `${fleetKey} --max-servers 40`, {
    help: 'Replaces all caps: those that are left out end.',
  }),
  call('fleet-keys revoke', 'revokeFleetKey', `${fleetKey} --reason "It was published."`),
  call('audit list', 'listAudit', '--target alice --from -24h', {
    help: 'Every change that an operator makes by a call is a row: who, with which role, what, about what, why, from where, and how it ended.',
    table: { entries: ['at', 'who', 'role', 'call', 'targets', 'outcome', 'reason'] },
  }),
  call('audit export', 'exportAudit', '--from -24h'),
  call('webhooks list', 'listWebhooks', '', {
    table: { webhooks: ['webhookId', 'state', 'open', 'dead', 'oldestOpenAt', 'types', 'url', 'note'] },
  }),
  call('webhooks create', 'createWebhook', 'https://game.example/hooks --types match.*,rating.changed', {
    help: 'Messages are signed in the form of Standard Webhooks. Each event is tried for a day; then it is a dead letter. docs/events.md has a receiver.',
    arguments: ['url'],
  }),
  call('webhooks change', 'changeWebhook', `${webhook} https://game.example/hooks --types match.*`, {
    arguments: ['url'],
  }),
  call('webhooks test', 'testWebhook', webhook, { exitCode: ({ ok }) => (ok ? 0 : 1) }),
  call('webhooks pause', 'pauseWebhook', webhook),
  call('webhooks resume', 'resumeWebhook', webhook),
  call('webhooks rotate', 'rotateWebhookSecret', `${webhook} --overlap-hours 48`),
  call('webhooks deliveries', 'listDeliveries', `${webhook} --state dead`, {
    table: { deliveries: ['position', 'eventId', 'type', 'at', 'state', 'attempts', 'nextAt', 'error'] },
  }),
  call('webhooks retry', 'retryDeliveries', webhook),
  call('webhooks delete', 'deleteWebhook', webhook),
];
