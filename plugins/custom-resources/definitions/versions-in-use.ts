import { defineStartTask, services } from 'orch/sdk'
import type { DescribedObjects } from 'orch/sdk/server'
import type { CustomResourceNames } from '../names.js'

/**
 * Looks up in which versions the objects of a definition are stored. A start task injects the service, because
 * strategies have none.
 */
export class StoredVersions {
  readonly #names: CustomResourceNames
  #objects: DescribedObjects | undefined
  constructor(names: CustomResourceNames) {
    this.#names = names
  }

  /** Runs in every process of a server before it serves requests. */
  readonly startTask = defineStartTask({
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
