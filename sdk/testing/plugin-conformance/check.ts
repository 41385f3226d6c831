/** One check of a plugin. */
export interface Check {
  /** What it is tried on: `resource widgets.example.com`, `admission WidgetQuota`, `plugin widgets`. */
  readonly subject: string
  /** A sentence about behaviour. */
  readonly title: string
  /** Throws when it does not hold. A returned text says why it could not be tried. */
  run(): string | void | Promise<string | void>
}

/** What a run may vary. */
export interface CheckSettings {
  /** The first seed of random objects; the others follow it. */
  readonly seed: number
  /** How many random objects of each type. */
  readonly samples: number
}

/** A failure on a random object, which the same seed brings again. */
export class SeededFailure extends Error {
  readonly seed: number
  constructor(seed: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.seed = seed
  }
}

/** Calls with each seed; what is thrown becomes a failure that names the seed. */
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
