import type { Namespace } from 'orch/sdk/core'
import type { NamespaceNames } from '../names.js'

/** A namespace always carries its own name as a label, whatever was sent. */
export const labelWithName =
  ({ nameLabel }: Pick<NamespaceNames, 'nameLabel'>) =>
  ({ metadata }: Namespace): void => {
    if (metadata?.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name }
  }
