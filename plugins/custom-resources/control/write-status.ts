import { isDeepStrictEqual } from 'node:util'
import { ApiError, type ApiObject } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import type { CustomResourceDefinition, DefinitionStatus } from '../definitions/schema.js'
import type { CustomResourceNames } from '../names.js'

/** Writes the status of a definition if it changed. Returns the updated definition, or undefined after a conflict: the other change triggers a reconcile. */
export async function writeStatus(
  definition: CustomResourceDefinition,
  status: DefinitionStatus,
  { client, names }: { readonly client: Client; readonly names: CustomResourceNames },
): Promise<CustomResourceDefinition | undefined> {
  if (isDeepStrictEqual(status, definition.status)) return definition
  const changed = { ...definition, status } as ApiObject
  const definitions = client.resource<ApiObject>(names.definitions)
  try {
    const { fieldManager } = names
    const written = await definitions.updateSubresource('status', changed, { fieldManager })
    return written as CustomResourceDefinition
  } catch (error) {
    if (error instanceof ApiError && (error.code === 409 || error.code === 404)) return undefined
    throw error
  }
}
