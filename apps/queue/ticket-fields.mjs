/**
 * The fields of a ticket's hash in Redis: the name in scripts and code, and the stored name. A stored name never changes
 * its meaning: two neighbouring releases read the same hashes.
 *
 * | name            | stored        | value                                                            |
 * | --------------- | ------------- | ---------------------------------------------------------------- |
 * | `fixed`         | `f1`, `f2`, … | immutable fields, as JSON in pieces of 64 bytes (ticket-text.ts) |
 * | `state`         | `s`           | state of the ticket                                              |
 * | `seq`           | `n`           | number of its latest event                                       |
 * | `changed_at`    | `a`           | when that event was, milliseconds since the epoch                |
 * | `reason`        | `r`           | why, as English text                                             |
 * | `messages`      | `w1`, `w2`, … | why, as coded messages: event number, number of pieces, JSON     |
 * | `match`         | `m`           | the match or backfill that claims the ticket                     |
 * | `match_state`   | `x`           | state of the match                                               |
 * | `assignment`    | `g`           | where to connect, as JSON                                        |
 * | `rules_version` | `v`           | version of the rules that its match was made by                  |
 * | `accept_by`     | `b`           | deadline of its ready check, milliseconds since the epoch        |
 * | `accepted_by`   | `y`           | the players that have accepted, as JSON                          |
 * | `closed`        | `c`           | present once the ticket has ended                                |
 */
export const ticketFields = {
  fixed: 'f',
  state: 's',
  seq: 'n',
  changed_at: 'a',
  reason: 'r',
  messages: 'w',
  match: 'm',
  match_state: 'x',
  assignment: 'g',
  rules_version: 'v',
  accept_by: 'b',
  accepted_by: 'y',
  closed: 'c',
};
