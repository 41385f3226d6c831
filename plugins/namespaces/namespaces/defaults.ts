import type { Namespace } from 'orch/sdk/core'
import type { NamespaceNames } from '../names.js'

/** A namespace always has its name as a label, regardless of the request. */
export const labelWithName =
  ({ nameLabel }: Pick<NamespaceNames, 'nameLabel'>) =>
  ({ metadata }: Namespace): void => {
    if (metadata?.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name }
  }
