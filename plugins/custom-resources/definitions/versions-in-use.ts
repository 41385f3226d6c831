import { defineStartTask, services } from 'orch/sdk'
import type { DescribedObjects } from 'orch/sdk/server'
import type { CustomResourceNames } from '../names.js'

/** Tells in which versions the objects of a definition are stored: the store knows, and strategies have no services. */
export class StoredVersions {
  readonly #names: CustomResourceNames
  #objects: DescribedObjects | undefined
  constructor(names: CustomResourceNames) {
    this.#names = names
  }

  /** Runs in every process of a server before it serves requests. */
  readonly known = defineStartTask({
    name: 'stored versions of custom resources',
    needs: { objects: services.describedObjects },
    run: ({ objects }) => {
      this.#objects = objects
    },
  })

  readonly of = async (definition: string): Promise<readonly string[]> => {
    const { group, resource } = this.#names.definitions
    return (await this.#objects?.storedVersions({ group, resource, name: definition })) ?? []
  }
}
