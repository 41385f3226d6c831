/** One check of a plugin. */
export interface Check {
  /** What is tested: `resource widgets.example.com`, `admission WidgetQuota`, `plugin widgets`. */
  readonly subject: string
  /** A sentence about behaviour. */
  readonly title: string
  /** Throws when it does not hold. A returned text is the reason why it was skipped. */
  run(): string | void | Promise<string | void>
}

/** The parameters of a run. */
export interface CheckSettings {
  /** The first seed of random objects; the others follow it. */
  readonly seed: number
  /** How many random objects of each type. */
  readonly samples: number
}

/** A failure on a random object, which the same seed reproduces. */
export class SeededFailure extends Error {
  readonly seed: number
  constructor(seed: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.seed = seed
  }
}

/** Calls with each seed; an error becomes a failure that names the seed. */
export async function forEachSeed(
  { seed: first, samples }: CheckSettings,
  call: (seed: number) => void | Promise<void>,
): Promise<void> {
  for (let seed = first; seed < first + samples; seed++) {
    try {
      await call(seed)
    } catch (thrown) {
      throw new SeededFailure(seed, thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown })
    }
  }
}
