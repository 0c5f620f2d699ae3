/** A stored text as one of the values that it may have. @throws TypeError for another text */
export function oneOf<T extends string>(values: readonly T[], text: string): T {
  const known = values.find((each) => each === text);
  if (known === undefined) throw new TypeError(`"${text}" is none of ${values.join(', ')}`);
  return known;
}
