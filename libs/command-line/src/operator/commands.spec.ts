import { describe, expect, it } from 'vitest';
import { inCommands } from './commands.js';

describe('inCommands', () => {
  it.each([
    [
      '"ladder" has no season rules: give "rules", or set them with POST /v1/pools/ladder/rules.',
      '"ladder" has no season rules: give --rules, or set them with "muster pools change ladder --season RULES".',
    ],
    [
      '"ladder" has no boosters; an operator allows them with POST /v1/pools/ladder/rules.',
      '"ladder" has no boosters; an operator allows them with "muster pools change ladder --boosters RULES".',
    ],
    [
      'Another model requires a rebuild: POST /v1/pools/ladder/rebuilds.',
      'Another model requires a rebuild: "muster pools rebuild ladder".',
    ],
    [
      '"ladder" has no announced season 3; GET /v1/pools/ladder/seasons lists its seasons.',
      '"ladder" has no announced season 3; "muster seasons list ladder" lists its seasons.',
    ],
    [
      '"ladder" has no booster bst_12345678; GET /v1/pools/ladder/boosters lists those of a player.',
      '"ladder" has no booster bst_12345678; "muster boosters list ladder PLAYER" lists those of a player.',
    ],
    [
      'There is no case cas_12345678; GET /v1/integrity/cases lists them.',
      'There is no case cas_12345678; "muster cases list" lists them.',
    ],
    ['make it first (POST /v1/pools)', 'make it first ("muster pools create NAME")'],
    [
      '`from`: is missing; `queue`, `serverId`, `region` and `map` need the time from which matches are searched.',
      'Give --from: --queue, --server, --region and --map need the time from which matches are searched.',
    ],
    ['"k" must be a number.', '"k" must be a number.'],
  ])('%s', (message, text) => {
    expect(inCommands(message)).toBe(text);
  });
});
