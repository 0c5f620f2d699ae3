type Labels = Readonly<Record<string, string>>;

/** The labels of what is merged. */
const other = 'other';

/**
 * A figure that this process counts, with a bounded number of series: regions and queues are named from outside, and each
 * set of labels costs memory here and in Prometheus for as long as the process runs.
 */
export class KeptFigure {
  private readonly known = new Set<string>();

  /**
   * @param keep adds a value under labels
   * @param most the most sets of labels; later ones are kept as `other`
   * @param onMerged called for each value that is kept as `other`
   */
  constructor(
    private readonly keep: (labels: Record<string, string>, value: number) => void,
    private readonly most: number,
    private readonly onMerged: () => void,
  ) {}

  add(labels: Labels, value: number): void {
    const key = Object.values(labels).join('\n');
    if (this.known.has(key)) return this.keep(labels, value);
    if (this.known.size < this.most) {
      this.known.add(key);
      return this.keep({ ...labels }, value);
    }
    this.onMerged();
    this.keep(Object.fromEntries(Object.keys(labels).map((name) => [name, other])), value);
  }
}
