/** A plugin that was loaded for an object. */
export interface Installed {
  /** The name of the plugin itself, which its author gave. */
  readonly plugin: string
  readonly version: string
  /** The hash of what was loaded. */
  readonly integrity: string
  /** The file of it that was loaded. */
  readonly entry: string
  /** The options that it was loaded with, as JSON. */
  readonly options: string
  /** Its place among the others: the order in which the objects were made, the same in every server. */
  readonly place: string
}

/** What this process has loaded, by the name of the object that asked for it. */
export class InstalledState {
  readonly byObject = new Map<string, Installed>()
  /** Why objects are not followed. */
  readonly failures = new Map<string, unknown>()
  /** What was last read of an object, without its status. */
  readonly seen = new Map<string, string>()
  /** Resolves when every object that was there at the start has been looked at. */
  readonly settled: Promise<void>
  /** Objects that were there at the start and have not been looked at. Undefined until they are known. */
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

  /** The plugin that comes right after this place. */
  nextAfter(place: string): string | undefined {
    const later = [...this.byObject.values()].filter(each => each.place > place)
    return later.sort((a, b) => (a.place < b.place ? -1 : 1))[0]?.plugin
  }
}
