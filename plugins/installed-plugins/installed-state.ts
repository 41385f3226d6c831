/** A plugin that was loaded for an object. */
export interface Installed {
  /** The name of the plugin itself, which its author gave. */
  readonly plugin: string
  readonly version: string
  /** The hash of what was loaded. */
  readonly integrity: string
  /** The options that it was loaded with, as JSON. */
  readonly options: string
}

/** What this server has loaded, by the name of the object that asked for it. */
export class InstalledState {
  readonly byObject = new Map<string, Installed>()
  /** Objects that were there at the start and have not been looked at. Undefined until they are known. */
  #waiting: Set<string> | undefined

  /** Has every object that was there at the start been looked at? */
  get isSettled(): boolean {
    return this.#waiting?.size === 0
  }
  await(objects: readonly string[]): void {
    this.#waiting ??= new Set(objects)
  }
  settle(object: string): void {
    this.#waiting?.delete(object)
  }
}
