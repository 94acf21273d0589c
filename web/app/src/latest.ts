/** Choices of which the last one counts: what is read slowly does not come in place of what was chosen later. */
export class Latest {
  private number = 0;

  /** Something else was given in place of what was chosen. */
  forget(): void {
    this.number += 1;
  }

  /** The result, or the failure, of the work for a choice; undefined if another was made meanwhile. */
  async of<T>(work: Promise<T>): Promise<T | undefined> {
    this.number += 1;
    const mine = this.number;
    try {
      const result = await work;
      return mine === this.number ? result : undefined;
    } catch (error) {
      if (mine === this.number) throw error;
      return undefined;
    }
  }
}
