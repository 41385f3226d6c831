import type { NamespaceNames } from '../names.js'
import type { Namespace } from './schema.js'

/** A namespace always carries its own name as a label, whatever was sent. */
export const labelWithName =
  ({ nameLabel }: Pick<NamespaceNames, 'nameLabel'>) =>
  ({ metadata }: Namespace): void => {
    if (metadata?.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name }
  }
