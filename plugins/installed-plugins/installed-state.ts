/** A plugin that was loaded for an object. */
export interface Installed {
  /** The plugin's own name, given by its author. */
  readonly plugin: string
  readonly version: string
  /** The hash of the loaded package. */
  readonly integrity: string
  /** The file that was loaded. */
  readonly entry: string
  /** The options it was loaded with, as JSON. */
  readonly options: string
  /** Its position among the others: the creation order of the objects, which is the same in every server. */
  readonly place: string
}

/** The plugins that this process has loaded, by the name of their object. */
export class InstalledState {
  readonly byObject = new Map<string, Installed>()
  /** Why plugins could not be loaded, by object. */
  readonly failures = new Map<string, unknown>()
  /** Each object as it was last handled, without its status. */
  readonly seen = new Map<string, string>()
  /** Resolves when every object that existed at startup has been handled. */
  readonly settled: Promise<void>
  /** Objects that existed at startup and have not been handled yet. Undefined until they have been listed. */
  #waiting: Set<string> | undefined
  #settle: () => void = () => {}

  constructor() {
    this.settled = new Promise(resolve => {
      this.#settle = resolve
    })
  }

  get isSettled(): boolean {
    return this.#waiting?.size === 0
  }
  await(objects: readonly string[]): void {
    this.#waiting ??= new Set(objects)
    if (this.isSettled) this.#settle()
  }
  settle(object: string): void {
    this.#waiting?.delete(object)
    if (this.isSettled) this.#settle()
  }

  /** The plugin that follows this position. */
  nextAfter(place: string): string | undefined {
    const later = [...this.byObject.values()].filter(each => each.place > place)
    return later.sort((a, b) => (a.place < b.place ? -1 : 1))[0]?.plugin
  }
}
