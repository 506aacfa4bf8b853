/** Looks every hour whether certificates are half over, and says so when they could not be made anew: there is half of their time left for the next tries. */

export const RENEW_MS = 3_600_000;

export interface RenewalOptions {
  /** Makes certificates anew that are half over. True: it did. */
  readonly renew: () => Promise<boolean>;
  /** Who read the old ones must read the new ones. */
  readonly onRenewed: (why: string) => void;
  readonly log: (line: string) => void;
}

export class Renewal {
  readonly #options: RenewalOptions;
  #timer: NodeJS.Timeout | undefined;
  #isBusy = false;

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#look(), RENEW_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      if (await this.#options.renew()) this.#options.onRenewed("Certificates were renewed");
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      this.#options.log(`Certificates could not be renewed: ${words}; tried again in an hour`);
    } finally {
      this.#isBusy = false;
    }
  }
}
