/** The parts of `name=value, name=value`, in their order; a part without a value has an empty one. */
export function partsOf(text: string): (readonly [name: string, value: string])[] {
  return text.split(',').map((part) => {
    const [name = '', value = ''] = part.split('=').map((each) => each.trim());
    return [name, value];
  });
}
