/** Keeps only the result of the latest choice: a file that is read slowly does not replace one that was chosen later. */
export class Latest {
  private number = 0;

  /** Discards the current choice, because the user has entered something else. */
  forget(): void {
    this.number += 1;
  }

  /** Waits for the work for a choice. Returns undefined if another choice was made in the meantime. */
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
