/** Calls that messages of the API name as the next step, and the commands that do the same. */
const commands: readonly (readonly [RegExp, string])[] = [
  [
    /give "rules", or set them with POST \/v1\/pools\/([^/\s]+)\/rules/g,
    'give --rules, or set them with "muster pools change $1 --season RULES"',
  ],
  [
    /allows them with POST \/v1\/pools\/([^/\s]+)\/rules/g,
    'allows them with "muster pools change $1 --boosters RULES"',
  ],
  [/POST \/v1\/pools\/([^/\s]+)\/rules/g, '"muster pools change $1"'],
  [/POST \/v1\/pools\/([^/\s]+)\/rebuilds/g, '"muster pools rebuild $1"'],
  [/GET \/v1\/pools\/([^/\s]+)\/rebuilds/g, '"muster pools rebuilds $1"'],
  [/GET \/v1\/pools\/([^/\s]+)\/seasons/g, '"muster seasons list $1"'],
  [/GET \/v1\/pools\/([^/\s]+)\/boosters/g, '"muster boosters list $1 PLAYER"'],
  [/GET \/v1\/integrity\/cases/g, '"muster cases list"'],
  [/GET \/v1\/webhooks(?![/\w])/g, '"muster webhooks"'],
  [/GET \/v1\/keys(?![/\w])/g, '"muster keys list"'],
  [/DELETE \/v1\/keys\/(\w+)/g, '"muster keys revoke $1"'],
  [/`startsAt`/g, '--at'],
  [/`until`/g, '--until'],
  [
    /`from`: is missing; `queue`, `serverId`, `region` and `map` need/,
    'Give --from: --queue, --server, --region and --map need',
  ],
  [/POST \/v1\/pools(?![/\w])/g, '"muster pools create NAME"'],
];

/** A message of the API with the commands of this program in the place of calls. */
export function inCommands(message: string): string {
  return commands.reduce((text, [call, command]) => text.replace(call, command), message);
}
