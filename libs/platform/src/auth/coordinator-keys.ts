/** Where one private JWK ends and the next begins. A JWK is flat, so no other place of it looks like this. */
const between = /(?<=\})\s+(?=\{)/;

/**
 * The private JWKs in `COORDINATOR_KEY`: one, or two with white space between them during a rotation. The first signs, all
 * verify.
 *
 * @returns their texts, at least one
 */
export function coordinatorKeys(setting: string): readonly [string, ...string[]] {
  const [first = '', ...others] = setting.trim().split(between);
  return [first, ...others];
}
